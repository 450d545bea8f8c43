package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.ScanFilter;
import java.io.IOException;
import java.util.Optional;

/** A filter at work in one scan, shared by the scan's families. */
public final class FilterEvaluation {
  private final ScanFilter filter;
  private boolean finished;

  /** Creates the state for a new scan. */
  public FilterEvaluation(ScanFilter filter) {
    this.filter = filter;
  }

  /** Returns the filter. */
  public ScanFilter filter() {
    return filter;
  }

  /**
   * Tells whether the filter has said, since the row began, that nothing more can be wanted. A
   * family that is read on then ends for good, as in HBase; one that has nothing more of the row
   * does not hear of it.
   */
  public boolean isFinished() {
    return finished;
  }

  /** Prepares the filter for a row, and asks it whether any may be wanted. */
  public void startRow() throws IOException {
    filter.reset();
    finished = filter.filterAllRemaining();
  }

  /**
   * Asks whether a row is dropped by its key, and then whether the filter wants anything more:
   * filter lists keep rows because one of their filters has a hint, and end the scan through
   * another one.
   *
   * @param first the row's first cell
   */
  public boolean filterRowKey(Cell first) throws IOException {
    boolean drops = filter.filterRowKey(first);
    finished = filter.filterAllRemaining();
    return drops;
  }

  /** Asks about a cell, and then whether the filter wants anything after it. */
  ScanFilter.Decision decide(Cell cell) throws IOException {
    ScanFilter.Decision decision = filter.filterCell(cell);
    finished = filter.filterAllRemaining();
    return decision;
  }

  /** Asks for a hint; without one, the filter wants nothing after the cell. */
  Optional<Cell> hint(Cell cell) throws IOException {
    Optional<Cell> hint = filter.hint(cell);
    if (hint.isEmpty()) {
      finished = filter.filterAllRemaining();
    }
    return hint;
  }
}
