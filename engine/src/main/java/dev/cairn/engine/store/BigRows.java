package dev.cairn.engine.store;

import dev.cairn.engine.scan.retention.BigRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Remembers the largest rows that flushes and compactions of one store have written. Thread-safe.
 */
final class BigRows {
  private static final int ROWS_MAX = 8;

  private volatile List<BigRow> rows = List.of();

  /** Adds the rows of a file that was written next to others. */
  synchronized void add(List<BigRow> found) {
    if (found.isEmpty()) {
      return;
    }
    List<BigRow> all = new ArrayList<>(rows);
    for (BigRow row : found) {
      // The same row again is as large as its largest part.
      boolean isKnown = all.stream().anyMatch(one -> isSame(one, row) && one.bytes() > row.bytes());
      if (!isKnown) {
        all.removeIf(one -> isSame(one, row));
        all.add(row);
      }
    }
    rows = largest(all);
  }

  /** Forgets all rows but those of a file that has all cells of the store. */
  synchronized void replace(List<BigRow> found) {
    rows = largest(found);
  }

  private static boolean isSame(BigRow one, BigRow other) {
    return Arrays.equals(one.row(), other.row());
  }

  private static List<BigRow> largest(List<BigRow> all) {
    return all.stream()
        .sorted(Comparator.comparingLong(BigRow::bytes).reversed())
        .limit(ROWS_MAX)
        .toList();
  }

  /** Returns the rows, the largest first. */
  List<BigRow> rows() {
    return rows;
  }
}
