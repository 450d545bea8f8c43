package dev.cairn.engine.memstore;

/**
 * Between which nodes of a {@link SkipList} a cell lies. What is known stays true while others add:
 * nodes stay where they are, so what is before the cell is so for good, and what is behind it, too;
 * only they need not be neighbours any more. One thread.
 */
final class Splice {
  /** Of each level, a node before the cell, or its own. */
  final int[] before = new int[SkipList.MAX_HEIGHT];

  /** Of each level, what was then linked behind that: at or behind the cell, or 0. */
  final int[] behind = new int[SkipList.MAX_HEIGHT];

  /** The number of valid levels in both arrays. */
  int levels;

  /** The cell's own node, 0 if there is none yet. */
  int node;
}
