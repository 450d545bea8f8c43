package dev.cairn.torture.model;

import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * One table without failures: every write is acknowledged or impossible, so there is one past, and
 * every answer can be predicted. Times are milliseconds since 1970. Not thread-safe.
 */
public final class ReferenceTable {
  private final TableSchema schema;
  private final TreeMap<String, History> rows = new TreeMap<>();
  private long writes;

  /** Creates an empty table. */
  public ReferenceTable(TableSchema schema) {
    this.schema = schema;
  }

  /** Returns the table's schema. */
  public TableSchema schema() {
    return schema;
  }

  /** Returns the rows that a query shows, in the order of the answer. */
  public Map<String, List<Version>> read(Query query, long now) {
    NavigableMap<String, List<Version>> found = new TreeMap<>();
    rows.forEach(
        (row, past) -> {
          if (query.contains(row)) {
            List<Version> cells = past.read(schema, query, now);
            if (!cells.isEmpty()) {
              found.put(row, cells);
            }
          }
        });
    return query.reversed() ? found.descendingMap() : found;
  }

  /** Returns the rows with any cells, in the order of an answer to the query. */
  public List<String> rowsOf(Query query) {
    List<String> all = new ArrayList<>(rows.keySet().stream().filter(query::contains).toList());
    if (query.reversed()) {
      all.sort(Comparator.reverseOrder());
    }
    return all;
  }

  /**
   * Makes changes of one row together.
   *
   * @param seen the timestamp of a cell that a condition found, before which no put is made that
   *     leaves the time to the server
   * @return the cells that increments and appends return; nothing if one is impossible, and then
   *     nothing is changed
   */
  public Optional<List<Version>> write(List<Change> changes, long now, long seen) {
    writes++;
    String row = changes.get(0).row();
    History past = rows.getOrDefault(row, History.EMPTY);
    List<Version> cells = new ArrayList<>();
    List<Version> result = new ArrayList<>();
    for (Change change : changes) {
      long time = TableModel.timeOf(change, now, seen);
      Resolver resolver = new Resolver(schema, writes, Fate.SAFE, now, time);
      Optional<List<Version>> resolved = resolver.resolve(change, past);
      if (resolved.isEmpty()) {
        return Optional.empty();
      }
      cells.addAll(resolved.get());
      if (change.resultWanted()) {
        result.addAll(resolved.get());
      }
    }
    rows.put(row, past.with(cells));
    result.sort(Version.ORDER);
    return Optional.of(result);
  }

  /** Tells whether there is anything in a column with the empty qualifier. */
  public boolean hasCellWithoutQualifier() {
    return rows.values().stream()
        .flatMap(past -> past.versions().stream())
        .anyMatch(cell -> cell.qualifier().isEmpty());
  }

  /** Returns all that was written to a row and is not certainly gone, in the order of writing. */
  public List<Version> past(String row) {
    return rows.getOrDefault(row, History.EMPTY).versions();
  }

  /** All that is in memory goes to files. */
  public void filed() {
    rows.replaceAll((row, past) -> past.filed(version -> true, Version::asFiled));
  }

  /**
   * Takes over what housekeeping left.
   *
   * @param found all rows, as a raw scan shows them
   * @param compacted whether a major compaction may have removed something
   * @throws Difference if something is missing that housekeeping may not remove, or something is
   *     there that was never written
   */
  public void settle(Map<String, List<Version>> found, boolean compacted, long now) {
    TreeSet<String> all = new TreeSet<>(found.keySet());
    all.addAll(rows.keySet());
    for (String row : all) {
      History past = rows.getOrDefault(row, History.EMPTY);
      List<Version> cells = found.getOrDefault(row, List.of());
      List<History> left = past.explaining(cells, schema, now, family -> compacted);
      if (left.isEmpty()) {
        throw new Difference(unexplained(row, past, cells, now));
      }
      rows.put(row, left.get(0));
    }
  }

  private String unexplained(String row, History past, List<Version> found, long now) {
    List<Version> shown = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      List<Version> all = past.versionsOf(Text.of(family.name()));
      FamilyReader reader = new FamilyReader(family, now);
      Housekeeping housekeeping = new Housekeeping(reader, all, true);
      reader.read(all, Query.EVERYTHING).stream()
          .filter(v -> !housekeeping.mayRemove(v))
          .forEach(shown::add);
    }
    return "Row %s after housekeeping:%n  gone, and should not be: %s%n  there, and perhaps should not be: %s%n  there is: %s%n  there was written: %s"
        .formatted(
            Text.show(row),
            shown.stream().filter(v -> found.stream().noneMatch(v::looksLike)).toList(),
            found.stream().filter(v -> shown.stream().noneMatch(v::looksLike)).toList(),
            found,
            past);
  }

  /** All that is in memory goes to files, as HBase writes them. */
  public void flushAsApache(long now) {
    rewrite((family, cells) -> ApacheFiles.flushed(family, cells, now));
  }

  /** All that is in files is rewritten, as HBase's major compaction does it. */
  public void compactAsApache(long now) {
    for (FamilySchema family : schema.families()) {
      String name = Text.of(family.name());
      long earliestPut =
          earliest(name, version -> version.isPut() && version.filed() ? version.timestamp() : -1);
      rows.replaceAll(
          (row, past) ->
              replaced(
                  past,
                  name,
                  ApacheFiles.compacted(family, past.versionsOf(name), earliestPut, now)));
    }
  }

  private long earliest(String family, ToLongFunction<Version> time) {
    return rows.values().stream()
        .flatMap(past -> past.versionsOf(family).stream())
        .mapToLong(time)
        .filter(timestamp -> timestamp >= 0)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private interface Rewriting {
    List<Version> rewrite(FamilySchema family, List<Version> cells);
  }

  private void rewrite(Rewriting rewriting) {
    for (FamilySchema family : schema.families()) {
      String name = Text.of(family.name());
      rows.replaceAll(
          (row, past) -> replaced(past, name, rewriting.rewrite(family, past.versionsOf(name))));
    }
  }

  /** Keeps the order of writing: cells of different families never meet. */
  private static History replaced(History past, String family, List<Version> cells) {
    List<Version> all =
        new ArrayList<>(past.versions().stream().filter(v -> !v.family().equals(family)).toList());
    all.addAll(cells);
    return new History(all);
  }

  /** Returns a query for the newest version of each column of a row. */
  public static Query row(String row, TimeRange range) {
    return new Query(row, true, row, true, false, new TreeMap<>(), range, 1, false, -1, 0);
  }

  /** Returns a query for the newest version of one column. */
  public static Query column(String row, String family, String qualifier, TimeRange range) {
    TreeMap<String, Query.Selection> families = new TreeMap<>();
    families.put(family, new Query.Selection(new TreeSet<>(List.of(qualifier)), Optional.empty()));
    return new Query(row, true, row, true, false, families, range, 1, false, -1, 0);
  }
}
