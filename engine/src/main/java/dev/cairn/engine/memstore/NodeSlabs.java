package dev.cairn.engine.memstore;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The nodes of a skip list, as ranges of {@code int}s in growing arrays. A node's address is its
 * array's index in the upper bits and its place there in the lower ones; 0 is no node.
 *
 * <pre>
 *   int run | int cellSlab | int cellOffset | long rowPrefix[2] | int next[height]
 * </pre>
 *
 * <p>The node holds the row's first 16 bytes, so that most comparisons touch one place in memory
 * and not two. Prefix and position of the cell are written once, before the node is linked; links
 * change by compare and set. The run ({@link SkipList}) precedes the address, because searches do
 * not use it: so it may lie in another cache line, and a line holds as many nodes as without it,
 * most often two. Thread-safe.
 */
final class NodeSlabs {
  private static final int OFFSET_BITS = 19;
  private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
  private static final int MAX_SLABS = 1 << (31 - OFFSET_BITS);
  private static final int FIRST_SLAB_INTS = 128;

  /** With its header 2 MiB, so that it fills G1's regions and wastes none of them. */
  private static final int MAX_SLAB_INTS = (1 << OFFSET_BITS) - 4;

  private static final int ARRAY_HEADER_BYTES = 16;
  private static final int ARRAY_HEADER_INTS = ARRAY_HEADER_BYTES / Integer.BYTES;
  private static final int LINE_INTS = 16;

  /** The number of ints before a node's address. */
  private static final int RUN = 1;

  private static final int PREFIX = 2;
  private static final int LINKS = 6;
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private record Slab(int index, int[] ints, AtomicInteger used) {}

  private volatile int[][] slabs = {};
  private volatile Slab current;
  private volatile long heapBytes;

  NodeSlabs() {
    // Address 0 is never used: it means no node.
    current = append(FIRST_SLAB_INTS, 1);
  }

  /**
   * Makes a node without successors.
   *
   * @param first the row's first eight bytes, as {@link
   *     dev.cairn.engine.cell.CellComparator#rowPrefix} gives them
   * @param second the next eight
   * @throws IllegalStateException if there are as many as addresses can name, some 300 million
   */
  int allocate(int height, int cellSlab, int cellOffset, long first, long second) {
    int length = LINKS + height;
    while (true) {
      Slab slab = current;
      int used = slab.used.get();
      int offset = inOneLine(used + RUN, length);
      if (offset > slab.ints.length - length) {
        replace(slab);
      } else if (slab.used.compareAndSet(used, offset + length)) {
        slab.ints[offset] = cellSlab;
        slab.ints[offset + 1] = cellOffset;
        slab.ints[offset + PREFIX] = (int) (first >>> Integer.SIZE);
        slab.ints[offset + PREFIX + 1] = (int) first;
        slab.ints[offset + PREFIX + 2] = (int) (second >>> Integer.SIZE);
        slab.ints[offset + PREFIX + 3] = (int) second;
        return slab.index << OFFSET_BITS | offset;
      }
    }
  }

  /** Returns the offset from which a node lies in one cache line, if any line is long enough. */
  private static int inOneLine(int offset, int length) {
    int inLine = offset + ARRAY_HEADER_INTS & LINE_INTS - 1;
    return inLine + length <= LINE_INTS || length > LINE_INTS
        ? offset
        : offset + LINE_INTS - inLine;
  }

  int cellSlab(int node) {
    return slabs[node >>> OFFSET_BITS][node & OFFSET_MASK];
  }

  int cellOffset(int node) {
    return slabs[node >>> OFFSET_BITS][(node & OFFSET_MASK) + 1];
  }

  /** Compares a node's row prefix with another one. */
  int comparePrefix(int node, long first, long second) {
    int[] ints = slabs[node >>> OFFSET_BITS];
    int at = (node & OFFSET_MASK) + PREFIX;
    long own = number(ints, at);
    return own != first
        ? Long.compareUnsigned(own, first)
        : Long.compareUnsigned(number(ints, at + 2), second);
  }

  /**
   * Compares a node's row prefix with another one, without branches.
   *
   * @return 1 if the node's is the smaller one, 0 if the greater one, -1 if they are equal
   */
  int prefixOrder(int node, long first, long second) {
    int[] ints = slabs[node >>> OFFSET_BITS];
    int at = (node & OFFSET_MASK) + PREFIX;
    long own = number(ints, at);
    long ownSecond = number(ints, at + 2);
    int isFirst = differ(own, first);
    int isSecond = differ(ownSecond, second);
    int smaller = isFirst * isSmaller(own, first) + (1 - isFirst) * isSmaller(ownSecond, second);
    return smaller - (1 - isFirst) * (1 - isSecond);
  }

  private static int differ(long a, long b) {
    long bits = a ^ b;
    return (int) ((bits | -bits) >>> Long.SIZE - 1);
  }

  /**
   * Returns 1 if {@code a} is the smaller unsigned number, the borrow of their difference; or 0.
   */
  private static int isSmaller(long a, long b) {
    return (int) ((~a & b | (~a | b) & a - b) >>> Long.SIZE - 1);
  }

  /** Reads a little of a node, so that it is in the processor's cache. */
  int touch(int node) {
    return slabs[node >>> OFFSET_BITS][(node & OFFSET_MASK) + PREFIX];
  }

  private static long number(int[] ints, int at) {
    return (long) ints[at] << Integer.SIZE | ints[at + 1] & 0xFFFFFFFFL;
  }

  int next(int node, int level) {
    return (int) INTS.getAcquire(slabs[node >>> OFFSET_BITS], (node & OFFSET_MASK) + LINKS + level);
  }

  /** Sets a link of a node that is not yet reachable at that level. */
  void setNext(int node, int level, int next) {
    INTS.setRelease(slabs[node >>> OFFSET_BITS], (node & OFFSET_MASK) + LINKS + level, next);
  }

  boolean compareAndSetNext(int node, int level, int expected, int next) {
    return INTS.compareAndSet(
        slabs[node >>> OFFSET_BITS], (node & OFFSET_MASK) + LINKS + level, expected, next);
  }

  /** Returns the node's run as last set, 0 if never set. */
  int run(int node) {
    return (int) INTS.getAcquire(slabs[node >>> OFFSET_BITS], (node & OFFSET_MASK) - RUN);
  }

  void setRun(int node, int run) {
    INTS.setRelease(slabs[node >>> OFFSET_BITS], (node & OFFSET_MASK) - RUN, run);
  }

  long heapBytes() {
    return heapBytes;
  }

  private synchronized void replace(Slab full) {
    if (current == full) {
      current = append(Math.min(MAX_SLAB_INTS, full.ints.length * 2), 0);
    }
  }

  private synchronized Slab append(int size, int used) {
    if (slabs.length == MAX_SLABS) {
      throw new IllegalStateException("The memstore segment holds too many cells; flush it first");
    }
    int[][] longer = Arrays.copyOf(slabs, slabs.length + 1);
    longer[slabs.length] = new int[size];
    slabs = longer;
    heapBytes += (long) size * Integer.BYTES + ARRAY_HEADER_BYTES;
    return new Slab(longer.length - 1, longer[longer.length - 1], new AtomicInteger(used));
  }
}
