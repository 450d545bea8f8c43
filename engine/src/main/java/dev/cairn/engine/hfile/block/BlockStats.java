package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cursor.PlainCells;

/**
 * Describes all cells of a block, so that a reader need not look at each. {@link PlainCells} has
 * the measurements. Immutable.
 *
 * @param plain whether all cells are puts without tags, and no two neighbours share a column; if
 *     not, the other components mean nothing
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
