package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;

/**
 * Remembers the delete markers of a row and says which puts they hide. Cells come in order, family
 * by family of one row, so that every marker comes before the puts that it may hide: a marker of a
 * whole family has an empty qualifier, and one of a column a higher timestamp or type.
 */
abstract sealed class DeleteTracker permits ClassicDeletes, WriteOrderDeletes {
  /** What becomes of a put. */
  enum Verdict {
    /** It can be seen. */
    VISIBLE,
    /** It is hidden. */
    HIDDEN,
    /** It is hidden, and so is all that follows of its column. */
    COLUMN_HIDDEN
  }

  /** A row begins. */
  abstract void startRow();

  /** A column of the row begins. */
  abstract void startColumn();

  /** A marker comes by. Returns whether it hides all that follows of its column. */
  abstract boolean add(Cell marker);

  /** A put comes by. */
  abstract Verdict check(Cell put);
}
