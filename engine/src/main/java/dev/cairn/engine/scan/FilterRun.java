package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import java.io.IOException;

/** A filter at work in one scan, shared by the scan's families. */
final class FilterRun {
  private final ScanFilter filter;
  private boolean finished;

  FilterRun(ScanFilter filter) {
    this.filter = filter;
  }

  ScanFilter filter() {
    return filter;
  }

  /** Tells whether the filter has said that nothing more can be wanted. */
  boolean isFinished() {
    return finished;
  }

  /** Prepares the filter for a row, and asks it whether any may be wanted. */
  void startRow() throws IOException {
    filter.reset();
    finished = finished || filter.filterAllRemaining();
  }

  /** Asks about a cell, and then whether anything behind it may be wanted. */
  ScanFilter.Decision decide(Cell cell) throws IOException {
    ScanFilter.Decision decision = filter.filterCell(cell);
    finished = filter.filterAllRemaining();
    return decision;
  }
}
