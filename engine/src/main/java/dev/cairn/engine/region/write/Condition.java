package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.ScanRequest;
import java.util.Optional;

/**
 * The condition under which a row is changed: the row is read, and the first cell found (if any)
 * must satisfy the test.
 *
 * @param read what to read: one row, usually one column, perhaps a filter
 * @param test decides; gets no cell if the read finds none
 */
public record Condition(ScanRequest read, Test test) {
  /** Decides about the cell that was found. */
  @FunctionalInterface
  public interface Test {
    /** Tells whether the condition holds. */
    boolean holds(Optional<Cell> found);
  }
}
