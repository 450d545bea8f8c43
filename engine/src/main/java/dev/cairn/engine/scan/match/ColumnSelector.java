package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import java.util.Arrays;
import java.util.NavigableSet;

/** Selects columns of a row, which come in ascending order: all, or those of a list. */
final class ColumnSelector {
  /** The decision about a column. */
  enum Verdict {
    /** It is wanted. */
    WANTED,
    /** It is not wanted, but {@link #wanted} is, further on. */
    SKIP,
    /** Neither the column nor any later one is wanted. */
    NO_MORE
  }

  private static final byte[][] ALL = {};

  private byte[][] qualifiers = ALL;
  private int index;

  /** A read begins of these columns; of all, if there are none. */
  void begin(NavigableSet<byte[]> wanted) {
    qualifiers = wanted.isEmpty() ? ALL : wanted.toArray(ALL);
  }

  /** Tells whether single columns are wanted. */
  boolean isExplicit() {
    return qualifiers.length > 0;
  }

  /** A row begins. */
  void startRow() {
    index = 0;
  }

  /** Decides about the column of {@code cell}, which is not before that of the last call. */
  Verdict check(Cell cell) {
    if (qualifiers.length == 0) {
      return Verdict.WANTED;
    }
    int from = cell.qualifierOffset();
    int to = from + cell.qualifierLength();
    while (index < qualifiers.length) {
      byte[] wanted = qualifiers[index];
      int order = Arrays.compareUnsigned(cell.bytes(), from, to, wanted, 0, wanted.length);
      if (order <= 0) {
        return order == 0 ? Verdict.WANTED : Verdict.SKIP;
      }
      index++;
    }
    return Verdict.NO_MORE;
  }

  /** The column that was wanted has been dealt with. Returns whether another one may follow. */
  boolean finishColumn(Cell cell) {
    if (qualifiers.length == 0) {
      return true;
    }
    if (check(cell) == Verdict.WANTED) {
      index++;
    }
    return index < qualifiers.length;
  }

  /** Returns the next wanted column. */
  byte[] wanted() {
    return qualifiers[index];
  }
}
