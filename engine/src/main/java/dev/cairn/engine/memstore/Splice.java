package dev.cairn.engine.memstore;

/**
 * The neighbours of a cell in a {@link SkipList}. They stay valid while others add: nodes never
 * move, so the nodes before the cell stay before it, and those after it stay after it; only they
 * may not be adjacent any more. One thread.
 */
final class Splice {
  /** Of each level, a node before the cell, or its own. */
  final int[] before = new int[SkipList.MAX_HEIGHT];

  /** For each level, the successor at that time: at or after the cell, or 0. */
  final int[] behind = new int[SkipList.MAX_HEIGHT];

  /** The number of valid levels in both arrays. */
  int levels;

  /** The cell's own node, 0 if there is none yet. */
  int node;
}
