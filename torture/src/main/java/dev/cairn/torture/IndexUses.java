package dev.cairn.torture;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import java.util.Locale;

/**
 * Counts how often scans of regions in this process used indexes: otherwise equal answers prove
 * nothing about them. Thread-safe.
 */
public final class IndexUses {
  private final Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);

  /** Returns the number of scans of a region that read the rows of an index only. */
  public long taken() {
    return marks.count(IndexMark.TAKEN);
  }

  /**
   * Returns the numbers, one per line. They are zero if assertions are off in {@code IndexUse} of
   * the engine; {@code bin/cairn} turns them on.
   */
  public String text() {
    return row("scans by an index", IndexMark.TAKEN)
        + row("of them without rows", IndexMark.EMPTY)
        + row("index not used", IndexMark.NOT_TAKEN);
  }

  private String row(String what, IndexMark mark) {
    return String.format(Locale.ROOT, "%-24s %,d%n", what, marks.count(mark));
  }
}
