package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.memstore.SkipListInserter.Splice;

/**
 * Searches a {@link SkipList} for several keys, one step of each search in turn. The cost of a
 * search is cache misses, one after another. Here the processor first loads the next nodes of all
 * searches in parallel; the comparisons follow. Puts of one cell, in batches of 100, take a quarter
 * less of the caller's processor time.
 *
 * <p>Results stay true while others add: a node that was before a key on some level stays before
 * it, and its successor after it. The nodes that a search takes from a splice on its upper levels
 * are before its key, too; but their successors may have been linked late, and lie before the key:
 * {@link #result} returns the highest level that is certain. One thread; reused.
 *
 * <p>Source: the "group prefetching" of S. Chen, A. Ailamaki, P. Gibbons and T. Mowry, "Improving
 * Hash Join Performance through Prefetching", ICDE 2004.
 */
final class PrefetchedSearch {
  /** The maximum number of keys in a group. */
  static final int KEYS_MAX = 32;

  /**
   * The number of searches that take turns: about as many cache lines as a processor fetches at
   * once.
   */
  private static final int TURNS_MAX = 16;

  private final SkipList list;
  private final NodeSlabs nodes;

  // The keys.
  private byte[] bytes;
  private long sequence;
  private int count;
  private final int[] keyOffsets = new int[KEYS_MAX];
  private final int[] keyLengths = new int[KEYS_MAX];
  private final long[] firstPrefixes = new long[KEYS_MAX];
  private final long[] secondPrefixes = new long[KEYS_MAX];

  // The state of each key's search: its level, the two nodes around it there, and the next
  // candidate.
  private static final int STATE = 4;
  private static final int FROM = 0;
  private static final int BOUND = 1;
  private static final int LEVEL = 2;
  private static final int CANDIDATE = 3;
  private final int[] state = new int[KEYS_MAX * STATE];

  /** The keys whose search is not finished. */
  private final int[] open = new int[TURNS_MAX];

  /** The result for each key and level: the node before the key, and its successor. */
  private final int[] found = new int[KEYS_MAX * SkipList.MAX_HEIGHT * 2];

  /** For each key, the highest level whose successor is certain to be after the key. */
  private final int[] sure = new int[KEYS_MAX];

  private int levels;

  /** The number of searches that have begun. */
  private int begun;

  /** True if prefixes did not decide a comparison, so that cells are touched, too. */
  private boolean tied;

  /** Keeps the compiler from removing reads whose result is unused. */
  private int touched;

  PrefetchedSearch(SkipList list) {
    this.list = list;
    this.nodes = list.nodes();
  }

  /** Begins a group of keys that lie in {@code cells} and share a sequence number. */
  void begin(byte[] cells, long number) {
    bytes = cells;
    sequence = number;
    count = 0;
  }

  /** Adds a cell's key to the group. */
  void add(Cell cell) {
    int offset = cell.keyOffset();
    keyOffsets[count] = offset;
    keyLengths[count] = cell.keyLength();
    firstPrefixes[count] = list.firstPrefix(bytes, offset);
    secondPrefixes[count] = list.secondPrefix(bytes, offset);
    count++;
  }

  /**
   * Searches all keys.
   *
   * @param finger where an inserter put its last cell: from there, where it helps, searches begin
   */
  void run(Splice finger) {
    levels = finger.node == 0 ? list.height() : finger.levels;
    for (int key = 0; key < count; key++) {
      start(key, finger);
    }
    tied = false;
    begun = 0;
    int left = begin(0);
    while (left > 0) {
      touch(left);
      left = begin(step(left));
    }
  }

  /** Begins with as many further searches as there are turns; returns how many go on. */
  private int begin(int left) {
    int all = left;
    while (all < TURNS_MAX && begun < count) {
      int own = begun * STATE;
      if (state[own + LEVEL] >= 0) {
        state[own + CANDIDATE] = nodes.next(state[own + FROM], state[own + LEVEL]);
        open[all++] = begun;
      }
      begun++;
    }
    return all;
  }

  /**
   * Brings a finger to a key.
   *
   * @param onward whether the splice is at a cell before the key: then, on levels where both have
   *     the same successor, the splice's node is nearer than the one found
   * @return the highest level whose successor is certain to be after the key; above, it may be
   *     before the key
   */
  int result(int key, Splice finger, boolean onward) {
    int at = key * SkipList.MAX_HEIGHT * 2;
    for (int i = 0; i < levels; i++) {
      int behind = found[at + 2 * i + 1];
      if (!onward || i >= finger.levels || finger.behind[i] != behind) {
        finger.before[i] = found[at + 2 * i];
        finger.behind[i] = behind;
      }
    }
    finger.levels = levels;
    return sure[key];
  }

  private void start(int key, Splice finger) {
    int at = key * SkipList.MAX_HEIGHT * 2;
    int known = levels;
    if (finger.node != 0 && isBehind(key, finger.node)) {
      known = 0;
      while (known < levels && finger.behind[known] != 0 && isBehind(key, finger.behind[known])) {
        known++;
      }
    }
    for (int i = known; i < levels; i++) {
      found[at + 2 * i] = finger.before[i];
      found[at + 2 * i + 1] = finger.behind[i];
    }
    sure[key] = Math.min(known, levels - 1);
    int own = key * STATE;
    state[own + LEVEL] = known - 1;
    state[own + BOUND] = known == levels ? 0 : finger.behind[known];
    state[own + FROM] = known == levels || known == 0 ? list.head() : finger.behind[known - 1];
  }

  private boolean isBehind(int key, int node) {
    long first = firstPrefixes[key];
    long second = secondPrefixes[key];
    return list.compare(node, first, second, bytes, keyOffsets[key], keyLengths[key], sequence) < 0;
  }

  /** Reads the data that each search compares next; none of these reads waits for another. */
  private void touch(int left) {
    int sum = 0;
    for (int i = 0; i < left; i++) {
      sum += nodes.touch(state[open[i] * STATE + CANDIDATE]);
    }
    for (int i = 0; tied && i < left; i++) {
      int next = state[open[i] * STATE + CANDIDATE];
      sum += next == 0 ? 0 : list.touchCell(next);
    }
    touched = sum;
  }

  /**
   * Compares all candidates: searches continue after those that are before their key, and one level
   * down before the others. Branchless, because the processor would guess half of the branches
   * wrong.
   *
   * @return how many searches go on
   */
  private int step(int left) {
    int[] at = state;
    int[] places = found;
    int[] keys = open;
    int still = 0;
    for (int i = 0; i < left; i++) {
      int key = keys[i];
      int own = key * STATE;
      int next = at[own + CANDIDATE];
      int isBehind = next == 0 ? 0 : behindBit(key, next);
      int node = at[own + FROM];
      int end = at[own + BOUND];
      int level = at[own + LEVEL];
      node ^= (node ^ next) & -isBehind;
      end ^= (end ^ next) & isBehind - 1;
      int place = (key * SkipList.MAX_HEIGHT + level) * 2;
      places[place] = node;
      places[place + 1] = end;
      level -= 1 - isBehind;
      at[own + FROM] = node;
      at[own + BOUND] = end;
      at[own + LEVEL] = level;
      if (level >= 0) {
        at[own + CANDIDATE] = nodes.next(node, level);
        keys[still++] = key;
      }
    }
    return still;
  }

  /** Returns 1 if a key is after a node, 0 if not. */
  private int behindBit(int key, int node) {
    int bits = nodes.prefixOrder(node, firstPrefixes[key], secondPrefixes[key]);
    if (bits < 0) {
      tied = true;
      bits = list.compare(node, bytes, keyOffsets[key], keyLengths[key], sequence) < 0 ? 1 : 0;
    }
    return bits;
  }
}
