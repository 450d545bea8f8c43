package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.CellOutcome;

/**
 * Tracks the delete markers of a row and decides which puts they hide. Cells come in order, family
 * by family of one row, so that every marker comes before the puts that it may hide: a marker of a
 * whole family has an empty qualifier, and one of a column a higher timestamp or type.
 */
public abstract sealed class DeleteTracker
    permits ClassicDeleteTracker, NewVersionBehaviorTracker, SuppliedDeleteTracker {
  /** The decision about a put. */
  public enum Verdict {
    /** It can be seen. */
    VISIBLE(CellOutcome.RETURNED, false),
    /** A marker of the family hides it, and all that follows of its column. */
    FAMILY_HIDDEN(CellOutcome.FAMILY_DELETED, true),
    /** A marker of the family hides it. */
    FAMILY_DELETED(CellOutcome.FAMILY_DELETED, false),
    /** A marker of one version of the family hides it. */
    FAMILY_VERSION_DELETED(CellOutcome.FAMILY_VERSION_DELETED, false),
    /** A marker of the column hides it, and all that follows of it. */
    COLUMN_HIDDEN(CellOutcome.COLUMN_DELETED, true),
    /** A marker of the column hides it. */
    COLUMN_DELETED(CellOutcome.COLUMN_DELETED, false),
    /** A marker of one version of the column hides it. */
    VERSION_DELETED(CellOutcome.VERSION_DELETED, false),
    /** A later write of the same version took its place. */
    OVERWRITTEN(CellOutcome.OVERWRITTEN, false),
    /** There were once as many newer versions as the family keeps. */
    PUSHED_OUT(CellOutcome.PUSHED_OUT, false),
    /** As many as the family keeps have been seen of the column. */
    VERSION_LIMIT(CellOutcome.VERSION_LIMIT, true);

    private final CellOutcome fate;
    private final boolean endsColumn;

    Verdict(CellOutcome fate, boolean endsColumn) {
      this.fate = fate;
      this.endsColumn = endsColumn;
    }

    /** Returns the outcome of the put. */
    CellOutcome fate() {
      return fate;
    }

    /** Tells whether it holds of all that follows of the column, too. */
    boolean endsColumn() {
      return endsColumn;
    }
  }

  /** Tells whether it takes so much memory that it is not to be kept for another read. */
  abstract boolean isLarge();

  /** A row begins. */
  public abstract void startRow();

  /** A column of the row begins. */
  public abstract void startColumn();

  /** A marker comes by. Returns whether it hides all that follows of its column. */
  public abstract boolean add(Cell marker);

  /** A put comes by. */
  public abstract Verdict check(Cell put);

  /**
   * Tells whether the first put of a column that has no markers of its own is visible, whatever its
   * timestamp, and need not come by.
   */
  abstract boolean isIdle();
}
