package dev.cairn.engine.scan.retention;

import dev.cairn.engine.cell.Cell;

/** Decides which cells of a row a {@link CompactionCursor} keeps. Cells come in order. */
abstract sealed class VersionRetention permits ClassicRetention, NewVersionRetention {
  /** A row begins. */
  abstract void startRow();

  /** A column of the row begins. */
  abstract void startColumn();

  /**
   * Decides about a cell that is not gone for its age.
   *
   * @param expired whether it is past its family's time to live, and here only for MIN_VERSIONS
   */
  abstract boolean retain(Cell cell, boolean expired);
}
