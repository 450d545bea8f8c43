package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;

/**
 * Decides which puts delete markers hide, in the place of the family's own rule. It serves one read
 * or rewrite of one family. For each row: {@link #startRow}, then the cells in order, a marker by
 * {@link #add}, a put by {@link #check}. Cells that the read does not want may be left out. One
 * thread at a time.
 */
public interface DeleteRule {
  /** What markers do to a put. */
  enum Effect {
    /** It can be seen. */
    VISIBLE,
    /** A marker of its version hides it. */
    VERSION_DELETED,
    /** A marker of this version of the family hides it. */
    FAMILY_VERSION_DELETED,
    /** A marker of its column hides it, and all that follows of the column. */
    COLUMN_DELETED,
    /** A marker of its family hides it, and all that follows of the column. */
    FAMILY_DELETED
  }

  /** A row begins. */
  void startRow();

  /** A marker comes by. The cell is valid during the call. */
  void add(Cell marker);

  /** Decides about a put. The cell is valid during the call. */
  Effect check(Cell put);
}
