package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ScanObserver;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Counts the outcomes of one family's cells, and reports them to the family's observer. One thread
 * at a time.
 */
public final class OutcomeRecorder {
  private static final long[] NONE = {};

  private Optional<ScanObserver.Family> observer = Optional.empty();

  /**
   * The number of returned cells. Most cells are returned, so the other counters are created on
   * first use.
   */
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

  /** Returns the number of seeks. */
  public long seeks() {
    return seeks;
  }

  /** Adds the number of cells of each outcome to {@code sum}, by {@link CellOutcome#ordinal}. */
  public void addTo(long[] sum) {
    sum[CellOutcome.RETURNED.ordinal()] += returned;
    for (int i = 0; i < others.length; i++) {
      sum[i] += others[i];
    }
  }

  /** Reports a cell that the scan looks at. */
  public void looked(Cell cell) throws IOException {
    if (observer.isPresent()) {
      observer.get().looked(cell);
    }
  }

  /** Counts and reports the outcome of a cell. */
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

  /** Counts a cell that was skipped after {@code columnEnds} reported the reason. */
  public void passedOver(CellOutcome rest) {
    if (others == NONE) {
      others = new long[CellOutcome.values().length];
    }
    others[rest.ordinal()]++;
  }

  /** Counts cells that are returned without a look at each. */
  public void returned(int cells) {
    returned += cells;
  }

  /** Reports why the scan needs no more cells of the column. */
  void columnEnds(CellOutcome rest) {
    if (observer.isPresent()) {
      observer.get().columnEnds(rest);
    }
  }

  /** Reports why the scan needs no more cells of the family in this row. */
  void rowEnds(CellOutcome rest) {
    if (observer.isPresent()) {
      observer.get().rowEnds(rest);
    }
  }

  /** Counts a seek. */
  public void searched() {
    seeks++;
  }
}
