package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import java.io.IOException;

/** Listens to the rows that a scan examines and does not return. One thread at a time. */
@FunctionalInterface
public interface DroppedRows {
  /** Ignores all rows. */
  DroppedRows IGNORED = first -> true;

  /**
   * Called after the filter has dropped a row, or all cells of a row turned out to be hidden. Must
   * neither read nor close the scan that calls it.
   *
   * @param first a copy of the row's first cell, which the scan need not see
   * @return whether the scan continues; if false, it ends here
   * @throws IOException fails the scan
   */
  boolean goesOnAfter(Cell first) throws IOException;
}
