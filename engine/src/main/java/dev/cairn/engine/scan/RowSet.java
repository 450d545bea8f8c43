package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The rows that a scan visits, in ascending order. Immutable. */
public final class RowSet {
  private static final int ROW_OVERHEAD_BYTES = 40;

  private final CellComparator comparator;
  private final List<byte[]> rows;

  private RowSet(CellComparator comparator, List<byte[]> sorted) {
    this.comparator = comparator;
    this.rows = sorted;
  }

  /** Returns a set of rows, which may come in any order and more than once. */
  public static RowSet of(CellComparator comparator, Collection<byte[]> rows) {
    List<byte[]> sorted = new ArrayList<>(rows);
    sorted.sort(comparator::compareRows);
    int kept = 0;
    for (byte[] row : sorted) {
      if (kept == 0 || comparator.compareRows(sorted.get(kept - 1), row) != 0) {
        sorted.set(kept++, row);
      }
    }
    return new RowSet(comparator, List.copyOf(sorted.subList(0, kept)));
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.size();
  }

  /** Returns the rows in ascending order. */
  public List<byte[]> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Returns the heap bytes of a row in a set, about. */
  public static long heapBytes(byte[] row) {
    return row.length + ROW_OVERHEAD_BYTES;
  }

  /** Returns the heap bytes of the set, about. */
  public long heapBytes() {
    return rows.stream().mapToLong(RowSet::heapBytes).sum();
  }

  /** Returns the rows that another set has, too. */
  public RowSet and(RowSet other) {
    List<byte[]> both = new ArrayList<>();
    int theirs = 0;
    for (byte[] row : rows) {
      while (theirs < other.rows.size()
          && comparator.compareRows(other.rows.get(theirs), row) < 0) {
        theirs++;
      }
      if (theirs < other.rows.size() && comparator.compareRows(other.rows.get(theirs), row) == 0) {
        both.add(row);
      }
    }
    return new RowSet(comparator, List.copyOf(both));
  }

  /** Returns a walk that begins before the first row in its direction. */
  public Walk walk(boolean reversed) {
    return new Walk(reversed);
  }

  /** Goes from row to row. Not thread-safe. */
  public final class Walk {
    private final boolean reversed;
    private int next;

    private Walk(boolean reversed) {
      this.reversed = reversed;
      this.next = reversed ? rows.size() - 1 : 0;
    }

    /** Tells whether there is another row. */
    public boolean hasNext() {
      return reversed ? next >= 0 : next < rows.size();
    }

    /** Returns the next row, and goes after it. */
    public byte[] next() {
      return rows.get(reversed ? next-- : next++);
    }

    /** Passes over all rows that come before the row of a cell in the direction of the walk. */
    public void skipTo(Cell cell) {
      while (hasNext()) {
        int order = comparator.compareRow(cell, rows.get(next));
        if (reversed ? order >= 0 : order <= 0) {
          return;
        }
        next += reversed ? -1 : 1;
      }
    }
  }
}
