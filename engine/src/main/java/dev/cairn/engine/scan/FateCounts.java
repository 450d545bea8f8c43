package dev.cairn.engine.scan;

/** Counts the cells that a scan looked at by what became of them. One thread at a time. */
final class FateCounts {
  private final long[] counts = new long[CellFate.values().length];
  private long seeks;

  void add(CellFate fate) {
    counts[fate.ordinal()]++;
  }

  void addSeek() {
    seeks++;
  }

  /** Returns the counts of now, by {@link CellFate#ordinal}. */
  long[] counts() {
    return counts.clone();
  }

  long seeks() {
    return seeks;
  }
}
