package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.constraint.ColumnRule;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks that rows have the columns that are {@code not null}, under the rows' locks.
 *
 * <p>A write must leave each of its rows with a value in each required column, or delete the row as
 * a whole. The value is a value of the write itself that no marker of the write hides, or the
 * newest value of the row that no marker of the write hides. A write that adds no cell to a row is
 * also allowed if the row had no value before. Values that will expire, and versions above the
 * maximum number, count as long as reads see them.
 */
final class RequiredColumns {
  private final List<ColumnRule> required;
  private final TableName table;
  private final RegionStores stores;

  RequiredColumns(ColumnRules rules, TableName table, RegionStores stores) {
    this.required = rules.all().stream().filter(ColumnRule::isRequired).toList();
    this.table = table;
    this.stores = stores;
  }

  /**
   * Returns normally if no row lacks a required column after the cells are written together. Their
   * timestamps are final.
   */
  void check(CellBuffer cells, WriteReads reads) throws IOException {
    for (RowChange change : changes(cells)) {
      check(change, reads);
    }
  }

  private static Iterable<RowChange> changes(CellBuffer cells) {
    Map<byte[], RowChange> byRow = new TreeMap<>(Arrays::compareUnsigned);
    RowChange last = null;
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      if (last == null || !cell.rowEquals(last.row, 0, last.row.length)) {
        last = byRow.computeIfAbsent(cell.row(), RowChange::new);
      }
      last.add(cell);
    }
    return byRow.values();
  }

  private void check(RowChange change, WriteReads reads) throws IOException {
    boolean adds = change.adds();
    RowChange.RowReads row =
        (column, after, versions) -> read(change.row, column, after, versions, reads);
    for (ColumnRule column : required) {
      if (change.puts(column)) {
        continue;
      }
      boolean kept;
      if (change.mayHide(column)) {
        kept =
            change.leaves(column, row)
                || !adds && !has(column, row)
                || !adds && deletesAll(change, reads);
      } else {
        kept = !adds || has(column, row);
      }
      if (!kept) {
        String problem = "the write has no value of column %s, and the row has none";
        if (change.mayHide(column)) {
          problem =
              adds
                  ? "the write deletes column %s and leaves no value of it"
                  : "the delete leaves no value of column %s and does not delete the whole row";
        }
        throw ConstraintViolationException.inRow(
            table,
            change.row,
            problem.formatted(column.column()) + ", which breaks the rule \"not null\"");
      }
    }
  }

  private static boolean has(ColumnRule column, RowChange.RowReads reads) throws IOException {
    CellBuffer found = reads.read(column, -1, 1);
    return !found.isEmpty() && found.get(0).valueLength() > 0;
  }

  private static CellBuffer read(
      byte[] row, ColumnRule column, long after, int versions, WriteReads reads)
      throws IOException {
    return reads.read(
        ScanRequest.row(row)
            .family(column.family(), FamilySelection.of(column.qualifier()))
            .timeRange(after(after))
            .maxVersions(versions)
            .readUncommitted(true)
            .mob(MobOptions.KEYS)
            .build());
  }

  /** Tells whether markers of all families hide the whole row. */
  private boolean deletesAll(RowChange change, WriteReads reads) throws IOException {
    ScanRequest.Builder newer = ScanRequest.row(change.row);
    for (Store store : stores.all()) {
      byte[] family = store.family().name();
      long until = change.hiddenUntil(family);
      if (until < 0) {
        return false;
      }
      newer.family(family, FamilySelection.ALL.within(after(until)));
    }
    return reads
        .read(newer.cellsPerFamily(1, 0).readUncommitted(true).mob(MobOptions.KEYS).build())
        .isEmpty();
  }

  private static TimeRange after(long timestamp) {
    return new TimeRange(timestamp == Long.MAX_VALUE ? timestamp : timestamp + 1, Long.MAX_VALUE);
  }
}
