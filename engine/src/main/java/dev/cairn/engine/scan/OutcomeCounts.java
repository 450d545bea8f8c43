package dev.cairn.engine.scan;

import java.util.Arrays;

/** Counts the cells that a scan looked at by what became of them. One thread at a time. */
final class OutcomeCounts {
  private static final long[] NONE = {};

  /** Of cells that are returned, which most are; the rest is counted from the first one on. */
  private long returned;

  private long[] others = NONE;
  private long seeks;

  void add(CellOutcome fate) {
    if (fate == CellOutcome.RETURNED) {
      returned++;
    } else {
      addOther(fate);
    }
  }

  void addReturned(int cells) {
    returned += cells;
  }

  private void addOther(CellOutcome fate) {
    if (others == NONE) {
      others = new long[CellOutcome.values().length];
    }
    others[fate.ordinal()]++;
  }

  void addSeek() {
    seeks++;
  }

  /** Begins again with nothing counted. */
  void clear() {
    returned = 0;
    seeks = 0;
    Arrays.fill(others, 0);
  }

  /** Returns the counts of now, by {@link CellOutcome#ordinal}. */
  long[] counts() {
    long[] counts = Arrays.copyOf(others, CellOutcome.values().length);
    counts[CellOutcome.RETURNED.ordinal()] = returned;
    return counts;
  }

  long seeks() {
    return seeks;
  }
}
