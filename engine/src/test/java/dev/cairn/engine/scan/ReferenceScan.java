package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.KeepDeletedCells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Computes the result of a scan from a plain list of all cells ever written, slowly and one rule
 * after another.
 */
public final class ReferenceScan {
  private final List<FamilySchema> families;
  private final ScanRequest request;
  private final long now;
  private final Predicate<Cell> filter;

  public ReferenceScan(
      List<FamilySchema> families, ScanRequest request, long now, Predicate<Cell> filter) {
    this.families = families;
    this.request = request;
    this.now = now;
    this.filter = filter;
  }

  /** Returns the rows that come out of {@code written}, each as a list of cells. */
  public List<List<Cell>> rows(Collection<Cell> written, long readPoint) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    written.forEach(cell -> keys.add(cell.row()));
    List<List<Cell>> rows = new ArrayList<>();
    for (byte[] key : request.reversed() ? keys.descendingSet() : keys) {
      if (!isInRange(key)) {
        continue;
      }
      List<Cell> row = new ArrayList<>();
      for (FamilySchema family : families) {
        if (request.families().isEmpty() || request.families().containsKey(family.name())) {
          List<Cell> cells =
              written.stream()
                  .filter(c -> c.sequence() <= readPoint && !isExpiredByTag(c))
                  .filter(c -> Arrays.equals(c.row(), key))
                  .filter(c -> Arrays.equals(c.family(), family.name()))
                  .sorted(CellComparator.USER)
                  .toList();
          row.addAll(cutFamily(readFamily(cells, family)));
        }
      }
      if (!row.isEmpty()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private boolean isInRange(byte[] key) {
    int direction = request.reversed() ? -1 : 1;
    int start =
        request.startRow().length == 0
            ? 1
            : direction * Arrays.compareUnsigned(key, request.startRow());
    int stop =
        request.stopRow().length == 0
            ? -1
            : direction * Arrays.compareUnsigned(key, request.stopRow());
    return (start > 0 || start == 0 && request.includeStart())
        && (stop < 0 || stop == 0 && request.includeStop());
  }

  private List<Cell> cutFamily(List<Cell> cells) {
    int from = Math.min(cells.size(), request.cellsPerFamilyOffset());
    // None means one, as in HBase.
    int limit = request.cellsPerFamilyLimit() == 0 ? 1 : request.cellsPerFamilyLimit();
    return cells.subList(from, limit < 0 ? cells.size() : Math.min(cells.size(), from + limit));
  }

  private List<Cell> readFamily(List<Cell> cells, FamilySchema family) {
    FamilySelection selection = request.families().getOrDefault(family.name(), FamilySelection.ALL);
    TimeRange range = selection.timeRange().orElse(request.timeRange());
    TreeMap<byte[], List<Cell>> columns = new TreeMap<>(Arrays::compareUnsigned);
    cells.forEach(c -> columns.computeIfAbsent(c.qualifier(), q -> new ArrayList<>()).add(c));
    List<Cell> result = new ArrayList<>();
    columns.forEach(
        (qualifier, column) -> {
          if (selection.qualifiers().isEmpty() || selection.qualifiers().contains(qualifier)) {
            result.addAll(
                request.raw()
                    ? rawColumn(column, range)
                    : readColumn(column, cells, family, range));
          }
        });
    return result;
  }

  private List<Cell> rawColumn(List<Cell> column, TimeRange range) {
    boolean filtered = request.filter().isPresent();
    List<Cell> result = new ArrayList<>();
    int versions = 0;
    for (Cell cell : withoutOlderWrites(column)) {
      if (range.contains(cell.timestamp()) && filter.test(cell)) {
        versions += filtered || !cell.isDelete() ? 1 : 0;
        if (versions > request.maxVersions()) {
          break;
        }
        result.add(cell);
      }
    }
    return result;
  }

  private List<Cell> readColumn(
      List<Cell> column, List<Cell> ofFamily, FamilySchema family, TimeRange range) {
    boolean past = family.keepDeletedCells() != KeepDeletedCells.FALSE;
    List<Cell> markers =
        ofFamily.stream()
            .filter(Cell::isDelete)
            .filter(m -> isOfFamily(m) || Arrays.equals(m.qualifier(), column.get(0).qualifier()))
            .filter(m -> past ? range.contains(m.timestamp()) : m.timestamp() >= range.from())
            .toList();
    List<Cell> puts =
        column.stream()
            .filter(c -> !c.isDelete())
            .filter(c -> family.minVersions() > 0 || !isExpired(c, family))
            .toList();
    List<Cell> visible =
        family.newVersionBehavior()
            ? obeyEachWrite(puts, markers, family.maxVersions())
            : withoutOlderWrites(
                puts.stream().filter(p -> markers.stream().noneMatch(m -> hides(m, p))).toList());
    boolean filtered = request.filter().isPresent();
    int wanted = Math.min(request.maxVersions(), family.maxVersions());
    List<Cell> result = new ArrayList<>();
    int seen = 0;
    for (Cell cell : visible) {
      if (!range.contains(cell.timestamp())) {
        continue;
      }
      seen++;
      boolean tooMany = seen > (filtered ? family.maxVersions() : wanted);
      if (tooMany || seen > family.minVersions() && isExpired(cell, family)) {
        break;
      }
      if (filter.test(cell) && result.size() < wanted) {
        result.add(cell);
      }
    }
    return result;
  }

  /** Applies writes one by one, as they came; returns what is there at the end, newest first. */
  private static List<Cell> obeyEachWrite(List<Cell> puts, List<Cell> markers, int maxVersions) {
    List<Cell> writes = new ArrayList<>(puts);
    writes.addAll(markers);
    writes.sort(Comparator.comparingLong(Cell::sequence).thenComparing(Cell::isDelete));
    TreeMap<Long, Cell> versions = new TreeMap<>(Comparator.reverseOrder());
    for (Cell write : writes) {
      if (write.isDelete()) {
        versions.values().removeIf(put -> hides(write, put));
      } else {
        versions.put(write.timestamp(), write);
        if (versions.size() > maxVersions) {
          versions.pollLastEntry();
        }
      }
    }
    return new ArrayList<>(versions.values());
  }

  private static boolean hides(Cell marker, Cell put) {
    return switch (CellType.of(marker.typeCode())) {
      case DELETE_FAMILY, DELETE_COLUMN -> put.timestamp() <= marker.timestamp();
      default -> put.timestamp() == marker.timestamp();
    };
  }

  /** Keeps of cells with the same timestamp and type the one that was written last. */
  private static List<Cell> withoutOlderWrites(List<Cell> column) {
    List<Cell> result = new ArrayList<>();
    for (Cell cell : column) {
      Cell last = result.isEmpty() ? null : result.get(result.size() - 1);
      if (last == null
          || last.timestamp() != cell.timestamp()
          || last.typeCode() != cell.typeCode()) {
        result.add(cell);
      }
    }
    return result;
  }

  private static boolean isOfFamily(Cell marker) {
    CellType type = CellType.of(marker.typeCode());
    return type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
  }

  private boolean isExpired(Cell cell, FamilySchema family) {
    return family.timeToLiveMillis() != FamilySchema.FOREVER_MILLIS
        && cell.timestamp() + family.timeToLiveMillis() < now;
  }

  private boolean isExpiredByTag(Cell cell) {
    // The tests write no other tags: two bytes of length, the type, and the time.
    return cell.tagsLength() > 0 && cell.timestamp() + Bytes.getLong(cell.tags(), 3) < now;
  }
}
