package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cursor.PlainCells;

/**
 * What holds of all cells of a block, so that a reader need not look at each: whether they are puts
 * without tags, each of another column than the next, and within which bounds they were written.
 * What it saves stands at {@link PlainCells}. Immutable.
 *
 * @param plain whether they are; if not, the rest says nothing
 * @param oldest the lowest timestamp
 * @param newest the highest
 * @param maxSequence the highest sequence number
 */
record BlockStats(boolean plain, long oldest, long newest, long maxSequence) {
  /** Says nothing. */
  static final BlockStats UNKNOWN = new BlockStats(false, 0, 0, 0);

  /** Tells whether all cells are among those. */
  boolean areAllIn(PlainCells wanted) {
    return plain
        && oldest >= wanted.oldest()
        && newest <= wanted.newest()
        && maxSequence <= wanted.readPoint();
  }
}
