package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ScanObserver;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Records what becomes of one family's cells: counts it, and tells the family's observer. One
 * thread at a time.
 */
public final class OutcomeRecorder {
  private static final long[] NONE = {};

  private Optional<ScanObserver.Family> observer = Optional.empty();

  /** The number of returned cells, which most are; the others are counted from the first one on. */
  private long returned;

  private long[] others = NONE;
  private long seeks;

  /** Begins again with nothing counted. */
  public void clear() {
    returned = 0;
    seeks = 0;
    Arrays.fill(others, 0);
  }

  /** Sets the observer. */
  public void observe(Optional<ScanObserver.Family> of) {
    observer = of;
  }

  /** Returns how often a source was searched. */
  public long seeks() {
    return seeks;
  }

  /** Adds the numbers of cells to {@code sum}, by {@link CellOutcome#ordinal}. */
  public void addTo(long[] sum) {
    sum[CellOutcome.RETURNED.ordinal()] += returned;
    for (int i = 0; i < others.length; i++) {
      sum[i] += others[i];
    }
  }

  /** The scan looks at a cell. */
  public void looked(Cell cell) throws IOException {
    if (observer.isPresent()) {
      observer.get().looked(cell);
    }
  }

  /** That has become of a cell. */
  void judged(Cell cell, CellOutcome fate) throws IOException {
    if (fate == CellOutcome.RETURNED) {
      returned++;
    } else {
      passedOver(fate);
    }
    if (observer.isPresent()) {
      observer.get().judged(cell, fate);
    }
  }

  /** A cell was passed over for that reason, which was told when its column ended. */
  public void passedOver(CellOutcome rest) {
    if (others == NONE) {
      others = new long[CellOutcome.values().length];
    }
    others[rest.ordinal()]++;
  }

  /** So many cells are returned without a look at each. */
  public void returned(int cells) {
    returned += cells;
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
  public void searched() {
    seeks++;
  }
}
