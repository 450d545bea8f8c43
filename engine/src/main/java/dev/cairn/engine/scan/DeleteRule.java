package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;

/**
 * Decides which puts delete markers hide, in place of the family's own rule. Serves one read or
 * rewrite of one family. The caller calls {@link #startRow} for each row, then {@link #add} for
 * each marker and {@link #check} for each put, in the order of the cells. The caller may omit cells
 * that the read does not need. One thread at a time.
 */
public interface DeleteRule {
  /** Whether markers hide a put, and by which kind of marker. */
  enum Effect {
    /** No marker hides it. */
    VISIBLE,
    /** A marker of this version of the column hides it. */
    VERSION_DELETED,
    /** A marker of this version of the family hides it. */
    FAMILY_VERSION_DELETED,
    /** A marker of its column hides it and all later cells of the column. */
    COLUMN_DELETED,
    /** A marker of its family hides it and all later cells of the column. */
    FAMILY_DELETED
  }

  /** Begins a row. */
  void startRow();

  /** Adds a marker. The cell is valid during the call. */
  void add(Cell marker);

  /** Decides whether a put is hidden. The cell is valid during the call. */
  Effect check(Cell put);
}
