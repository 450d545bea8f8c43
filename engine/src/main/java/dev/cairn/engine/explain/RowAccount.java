package dev.cairn.engine.explain;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.explain.Explanation.ExplainedRow;
import dev.cairn.engine.scan.CellOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Collects the outcomes of one row's cells: all are counted, the first ones listed. */
final class RowAccount {
  private final int cellsMax;
  private final List<ExplainedCell> cells = new ArrayList<>();
  private final Map<CellOutcome, Long> counts = new EnumMap<>(CellOutcome.class);

  /**
   * Creates an account.
   *
   * @param cellsMax how many cells are listed
   */
  RowAccount(int cellsMax) {
    this.cellsMax = cellsMax;
  }

  /** Takes a cell down. */
  void add(CellOutcome fate, Supplier<ExplainedCell> cell) {
    counts.merge(fate, 1L, Long::sum);
    if (cells.size() < cellsMax) {
      cells.add(cell.get());
    }
  }

  /** The filter has looked at the complete row and left only these cells. */
  void leave(CellBuffer left) {
    Set<String> keys = new HashSet<>();
    Cell view = new Cell();
    for (int i = 0; i < left.size(); i++) {
      Cell cell = left.get(i, view, 0);
      keys.add(key(cell.family(), cell.qualifier(), cell.timestamp(), cell.typeCode()));
    }
    long removed = counts.getOrDefault(CellOutcome.RETURNED, 0L) - left.size();
    move(CellOutcome.RETURNED, CellOutcome.FILTERED_FROM_ROW, Math.max(0, removed));
    cells.replaceAll(
        cell ->
            cell.fate() == CellOutcome.RETURNED
                    && !keys.contains(
                        key(cell.family(), cell.qualifier(), cell.timestamp(), cell.type()))
                ? cell.withFate(CellOutcome.FILTERED_FROM_ROW)
                : cell);
  }

  /** All that was to be returned comes to this instead. */
  void drop(CellOutcome fate) {
    move(CellOutcome.RETURNED, fate, counts.getOrDefault(CellOutcome.RETURNED, 0L));
    cells.replaceAll(cell -> cell.fate() == CellOutcome.RETURNED ? cell.withFate(fate) : cell);
  }

  /** Returns the row, family by family: they are not read in one go. */
  ExplainedRow row(byte[] row, boolean read) {
    cells.sort((a, b) -> Arrays.compareUnsigned(a.family(), b.family()));
    return new ExplainedRow(row, read, cells, counts);
  }

  private void move(CellOutcome from, CellOutcome to, long count) {
    if (count > 0) {
      counts.computeIfPresent(from, (fate, before) -> before == count ? null : before - count);
      counts.merge(to, count, Long::sum);
    }
  }

  private static String key(byte[] family, byte[] qualifier, long timestamp, int type) {
    return Arrays.toString(family) + Arrays.toString(qualifier) + timestamp + "/" + type;
  }
}
