package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import java.io.IOException;
import java.util.Optional;

/**
 * Records what becomes of one family's cells: counts it for the scan, and tells the family's
 * observer. One thread at a time.
 */
final class OutcomeRecorder {
  private final OutcomeCounts counts;
  private Optional<ScanObserver.Family> observer = Optional.empty();

  /** Creates a recorder without an observer. */
  OutcomeRecorder(OutcomeCounts counts) {
    this.counts = counts;
  }

  /** A read begins, which is observed or not. */
  void begin(Optional<ScanObserver.Family> of) {
    observer = of;
  }

  /** The scan looks at a cell. */
  void looked(Cell cell) throws IOException {
    if (observer.isPresent()) {
      observer.get().looked(cell);
    }
  }

  /** That has become of a cell. */
  void judged(Cell cell, CellOutcome fate) throws IOException {
    counts.add(fate);
    if (observer.isPresent()) {
      observer.get().judged(cell, fate);
    }
  }

  /** A cell was passed over for that reason, which was told when its column ended. */
  void passedOver(CellOutcome rest) {
    counts.add(rest);
  }

  /** So many cells are returned without a look at each. */
  void returned(int cells) {
    counts.addReturned(cells);
  }

  /** Nothing more is wanted of the column, for that reason. */
  void columnEnds(CellOutcome rest) {
    if (observer.isPresent()) {
      observer.get().columnEnds(rest);
    }
  }

  /** Nothing more is wanted of the family in this row, for that reason. */
  void rowEnds(CellOutcome rest) {
    if (observer.isPresent()) {
      observer.get().rowEnds(rest);
    }
  }

  /** A source is searched. */
  void seeks() {
    counts.addSeek();
  }
}
