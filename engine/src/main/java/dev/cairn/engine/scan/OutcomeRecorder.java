package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import java.util.Optional;

/**
 * Says what becomes of one family's cells: counts it for the scan, and tells whoever watches the
 * family. One thread at a time.
 */
final class OutcomeRecorder {
  private final OutcomeCounts counts;
  private Optional<ScanObserver.Family> witness = Optional.empty();

  /** Creates a teller that nobody listens to before {@link #begin}. */
  OutcomeRecorder(OutcomeCounts counts) {
    this.counts = counts;
  }

  /** A read begins, which is watched or not. */
  void begin(Optional<ScanObserver.Family> watcher) {
    witness = watcher;
  }

  /** Tells whether somebody watches. */
  boolean isWatched() {
    return witness.isPresent();
  }

  /** The scan looks at a cell. */
  void looked(Cell cell) {
    if (witness.isPresent()) {
      witness.get().looked(cell);
    }
  }

  /** That has become of a cell. */
  void judged(Cell cell, CellOutcome fate) {
    counts.add(fate);
    if (witness.isPresent()) {
      witness.get().judged(cell, fate);
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
    if (witness.isPresent()) {
      witness.get().columnEnds(rest);
    }
  }

  /** Nothing more is wanted of the family in this row, for that reason. */
  void rowEnds(CellOutcome rest) {
    if (witness.isPresent()) {
      witness.get().rowEnds(rest);
    }
  }

  /** A source is searched. */
  void seeks() {
    counts.addSeek();
  }
}
