package dev.cairn.torture.model;

import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.KeepDeletedCells;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cells of one family of one row that a reader sees at a moment, by the rules of HBase's
 * reference guide.
 *
 * @param schema the family, with VERSIONS, MIN_VERSIONS, TTL, KEEP_DELETED_CELLS and
 *     NEW_VERSION_BEHAVIOR
 * @param now milliseconds since 1970
 */
record FamilyReader(FamilySchema schema, long now) {

  /** Returns the cells that a query shows of all {@code cells} of the family. */
  List<Version> read(Collection<Version> cells, Query query) {
    Query.Selection wanted =
        query.families().getOrDefault(Text.of(schema.name()), Query.Selection.ALL);
    TimeRange range = wanted.range().orElse(query.range());
    List<Version> living = cells.stream().filter(cell -> !cell.isExpiredByTag(now)).toList();
    SortedSet<String> columns = new TreeSet<>();
    living.forEach(cell -> columns.add(cell.qualifier()));
    List<Version> result = new ArrayList<>();
    for (String column : columns) {
      if (wanted.qualifiers().isEmpty() || wanted.qualifiers().contains(column)) {
        result.addAll(
            query.raw()
                ? raw(living, column, range, query.maxVersions())
                : column(living, column, range, query.maxVersions()));
      }
    }
    int from = Math.min(result.size(), query.offset());
    // HBase looks at the limit when it has taken a cell, so that none means one.
    int limit = Math.max(1, query.limit());
    int to = query.limit() < 0 ? result.size() : Math.min(result.size(), from + limit);
    return result.subList(from, to);
  }

  /**
   * Returns all cells, deleted or not: of each key the last write, down to the last requested
   * version.
   */
  private List<Version> raw(List<Version> living, String column, TimeRange range, int wanted) {
    List<Version> all =
        withoutOverwritten(
            living.stream()
                .filter(cell -> cell.qualifier().equals(column) && range.contains(cell.timestamp()))
                .toList());
    int versions = 0;
    for (int i = 0; i < all.size(); i++) {
      versions += all.get(i).isPut() ? 1 : 0;
      if (versions > wanted) {
        return all.subList(0, i);
      }
    }
    return all;
  }

  private List<Version> column(List<Version> living, String column, TimeRange range, int wanted) {
    boolean seesThePast = schema.keepDeletedCells() != KeepDeletedCells.FALSE;
    List<Version> markers =
        living.stream()
            .filter(cell -> !cell.isPut())
            .filter(
                marker ->
                    seesThePast
                        ? range.contains(marker.timestamp())
                        : marker.timestamp() >= range.from())
            .toList();
    List<Version> puts =
        living.stream()
            .filter(cell -> cell.isPut() && cell.qualifier().equals(column))
            .filter(put -> schema.minVersions() > 0 || !put.isExpired(schema, now))
            .toList();
    List<Version> result = new ArrayList<>();
    int versions = 0;
    for (Version put : visible(puts, markers)) {
      if (range.contains(put.timestamp())) {
        versions++;
        if (versions > Math.min(wanted, schema.maxVersions())
            || versions > schema.minVersions() && put.isExpired(schema, now)) {
          break;
        }
        result.add(put);
      }
    }
    return result;
  }

  /** Returns those of one column's puts that no marker and no later write hides, newest first. */
  List<Version> visible(List<Version> puts, List<Version> markers) {
    if (schema.newVersionBehavior()) {
      return obeyingEachWrite(puts, markers);
    }
    // The classic rule: a marker hides by timestamp alone, whatever was written first.
    return withoutOverwritten(
        puts.stream().filter(put -> markers.stream().noneMatch(m -> m.hides(put))).toList());
  }

  /**
   * Applies the rule of NEW_VERSION_BEHAVIOR: each write takes effect when it comes, and versions
   * beyond VERSIONS are then gone for good. The markers of a write come last.
   */
  private List<Version> obeyingEachWrite(List<Version> puts, List<Version> markers) {
    List<Version> writes = new ArrayList<>(puts);
    writes.addAll(markers);
    writes.sort(Comparator.comparingLong(Version::write).thenComparing(cell -> !cell.isPut()));
    TreeMap<Long, Version> versions = new TreeMap<>(Comparator.reverseOrder());
    for (Version write : writes) {
      if (!write.isPut()) {
        versions.values().removeIf(write::hides);
        continue;
      }
      versions.put(write.timestamp(), write);
      if (versions.size() > schema.maxVersions()) {
        versions.pollLastEntry();
      }
    }
    return List.copyOf(versions.values());
  }

  /** Keeps of cells with the same key the one that was written last. */
  static List<Version> withoutOverwritten(List<Version> cells) {
    List<Version> result = new ArrayList<>();
    for (Version cell : inOrder(cells)) {
      if (!result.isEmpty() && result.get(result.size() - 1).sameKey(cell)) {
        result.set(result.size() - 1, cell);
      } else {
        result.add(cell);
      }
    }
    return result;
  }

  /** Returns cells in the order of answers, those with the same key as they were written. */
  private static List<Version> inOrder(List<Version> cells) {
    List<Version> sorted = new ArrayList<>(cells);
    sorted.sort(Version.ORDER); // stable, and histories are in the order of writing
    return sorted;
  }
}
