package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.compile.CompiledApart;

/**
 * Adds cells to a {@link SkipList}, concurrently with other inserters. A node is linked from the
 * bottom level up, each level by one compare and set; from the moment the bottom link is set,
 * readers see the cell.
 *
 * <p>The inserter remembers the neighbours of its last cell (its splice), and begins there if the
 * next cell is after it: the other columns of a row, or the next row of a sorted batch, cost a few
 * comparisons instead of a search from the top. Concurrent inserts do no harm: nodes never move, so
 * the nodes before the last cell still are before it, and each level is walked again from there.
 * One thread; as long-lived as the write that it serves.
 *
 * <p>Source of the idea: the "splice" of RocksDB's {@code InlineSkipList}, and finger searches
 * generally.
 */
final class SkipListInserter {
  /** Each 16th node, by chance, reaches it. */
  private static final int NEAR_LEVEL = 2;

  private final SkipList list;
  private final NodeSlabs nodes;

  /** The position of the last cell. */
  private final Splice finger = new Splice();

  private final int[] before = finger.before;
  private final int[] behind = finger.behind;

  // The cell that is being added.
  private byte[] bytes;
  private int keyOffset;
  private int keyLength;
  private long sequence;
  private long firstPrefix;
  private long secondPrefix;

  /** The height of the cell's node. */
  private int height;

  SkipListInserter(SkipList list) {
    this.list = list;
    this.nodes = list.nodes();
  }

  /** Returns where the last cell is. */
  Splice finger() {
    return finger;
  }

  /** Tells whether few nodes lie between the last cell and a later one. */
  boolean isNear(Cell cell) {
    return finger.levels > NEAR_LEVEL
        && list.compare(finger.node, cell) < 0
        && (behind[NEAR_LEVEL] == 0 || list.compare(behind[NEAR_LEVEL], cell) > 0);
  }

  /** Copies a cell in, before all that are equal to it. */
  @CompiledApart("finds a cell's place")
  void add(Cell cell, long number) {
    int node = make(cell, number);
    link(node, find());
  }

  /** Adds a cell whose place {@code search} has found as that of its {@code key}-th key. */
  void add(Cell cell, long number, PrefetchedSearch search, int key) {
    int node = make(cell, number);
    boolean onward = finger.node != 0 && isBehind(finger.node);
    int sure = search.result(key, finger, onward);
    while (finger.levels < height) {
      before[finger.levels] = list.head();
      behind[finger.levels++] = 0;
    }
    list.raise(height);
    link(node, sure);
  }

  /** Copies a cell into its slab and makes its node. */
  private int make(Cell cell, long number) {
    int length = cell.serializedLength(true);
    ByteSlabs cells = list.cells();
    long address = cells.allocate(Math.addExact(SkipList.RECORD_HEADER_BYTES, length));
    int slab = (int) (address >>> 32);
    int offset = (int) address;
    bytes = cells.slab(slab);
    sequence = number;
    Bytes.putLong(bytes, offset, number);
    Bytes.putInt(bytes, offset + 8, length);
    cell.writeTo(bytes, offset + SkipList.RECORD_HEADER_BYTES, true);
    keyOffset = offset + SkipList.RECORD_HEADER_BYTES + Cell.LENGTHS_SIZE;
    keyLength = cell.keyLength();
    firstPrefix = list.firstPrefix(bytes, keyOffset);
    secondPrefix = list.secondPrefix(bytes, keyOffset);

    height = heightOf(address);
    return nodes.allocate(height, slab, offset, firstPrefix, secondPrefix);
  }

  /** Links a node on all its levels. */
  private void link(int node, int sure) {
    for (int level = 0; level < height; level++) {
      link(node, level, level <= sure);
    }
    finger.node = node;
  }

  /**
   * Brings the finger to the cell.
   *
   * @return the highest level whose successor is certain to be after the cell; above, it may be
   *     before the cell by now
   */
  private int find() {
    int known = finger.levels;
    boolean onward = height <= known && finger.node != 0 && isBehind(finger.node);
    int bounded = onward ? boundedLevel() : known;
    int from;
    int bound;
    int level;
    if (bounded == known) {
      known = list.raise(height);
      finger.levels = known;
      bounded = known - 1;
      level = known - 1;
      from = list.head();
      bound = 0;
    } else {
      level = bounded - 1;
      from = level < 0 ? 0 : behind[level];
      bound = behind[bounded];
    }
    for (; level >= 0; level--) {
      int next = nodes.next(from, level);
      while (next != bound && isBehind(next)) {
        from = next;
        next = nodes.next(from, level);
      }
      before[level] = from;
      behind[level] = next;
      bound = next;
    }
    return bounded;
  }

  /** Returns the lowest level at which the cell is before the known successor. */
  private int boundedLevel() {
    int level = 0;
    while (level < finger.levels && behind[level] != 0 && isBehind(behind[level])) {
      level++;
    }
    return level;
  }

  private void link(int node, int level, boolean sure) {
    int from = before[level];
    int bound = sure ? behind[level] : 0;
    int next = nodes.next(from, level);
    boolean linked = false;
    while (!linked) {
      // Other threads may have linked nodes here since, before or after ours.
      while (next != bound && next != 0 && isBehind(next)) {
        from = next;
        next = nodes.next(from, level);
      }
      if (level == 0) {
        nodes.setRun(node, runEnd(next));
      }
      nodes.setNext(node, level, next);
      linked = nodes.compareAndSetNext(from, level, next, node);
      if (!linked) {
        next = nodes.next(from, level);
      }
    }
    before[level] = node;
    behind[level] = next;
  }

  /** Returns how far the cell's column extends after it if {@code next} comes next. */
  private int runEnd(int next) {
    return list.runEnd(next, firstPrefix, secondPrefix, bytes, keyOffset, keyLength);
  }

  /** Tells whether the cell is after {@code node}. */
  private boolean isBehind(int node) {
    return list.compare(node, firstPrefix, secondPrefix, bytes, keyOffset, keyLength, sequence) < 0;
  }

  /** Draws a height, each level a quarter as likely, from where the cell came to lie. */
  static int heightOf(long address) {
    long mixed = (address + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    mixed ^= mixed >>> 31;
    return Math.min(SkipList.MAX_HEIGHT, 1 + Long.numberOfTrailingZeros(mixed) / 2);
  }

  /**
   * The neighbours of a cell in a {@link SkipList}. They stay valid while others add: nodes never
   * move, so the nodes before the cell stay before it, and those after it stay after it; only they
   * may not be adjacent any more. One thread.
   */
  static final class Splice {
    /** Of each level, a node before the cell, or its own. */
    final int[] before = new int[SkipList.MAX_HEIGHT];

    /** For each level, the successor at that time: at or after the cell, or 0. */
    final int[] behind = new int[SkipList.MAX_HEIGHT];

    /** The number of valid levels in both arrays. */
    int levels;

    /** The cell's own node, 0 if there is none yet. */
    int node;
  }
}
