package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.RowSizes;
import java.util.Arrays;

/**
 * A small table beside the ascending keys of a block; most of a search reads only the table. It
 * holds the prefix that all rows share, and for each row the next eight bytes as a number. A binary
 * search over keys touches one or two cache lines per step; a cache line of the table holds eight
 * rows, which saves a fifth of a get. If rows are spread evenly, as hashed rows are, the number
 * predicts the row's position: a search begins there, and reads two or three cache lines of the
 * table instead of six. Immutable. The table needs rows in byte order, so {@code hbase:meta} has
 * none.
 */
final class RowPrefixIndex {
  /** A table that knows nothing: every search is over all keys. */
  static final RowPrefixIndex NONE =
      new RowPrefixIndex(Bytes.EMPTY, 0, 0, new long[0], new int[] {0});

  /** As many numbers as a cache line has: how far a search first goes from where it guesses. */
  private static final int FIRST_STEP = 8;

  private static final int[] ONE_KEY_EACH = {};

  private final byte[] bytes;
  private final int commonOffset;
  private final int commonLength;

  /** By row, ascending as signed numbers: the eight bytes with their highest bit flipped. */
  private final long[] prefixes;

  /**
   * By row: the index of the first key of the row; the last element is the number of keys. Empty if
   * every row has one key.
   */
  private final int[] firsts;

  /** The average number of rows between two numbers that differ by one. */
  private final double density;

  private RowPrefixIndex(
      byte[] bytes, int commonOffset, int commonLength, long[] prefixes, int[] firsts) {
    this.bytes = bytes;
    this.commonOffset = commonOffset;
    this.commonLength = commonLength;
    this.prefixes = prefixes;
    this.firsts = firsts;
    int last = prefixes.length - 1;
    this.density = last < 1 ? 0 : last / Math.max(1, (double) prefixes[last] - prefixes[0]);
  }

  /**
   * Makes the table of keys in {@code bytes}; each begins at its offset in {@code keys} plus {@code
   * shift}. They are valid keys, in order.
   *
   * @param count how many keys there are, at least 1
   */
  static RowPrefixIndex of(byte[] bytes, int[] keys, int shift, int count) {
    int first = keys[0] + shift;
    int last = keys[count - 1] + shift;
    int firstLength = Bytes.getUnsignedShort(bytes, first);
    int lastLength = Bytes.getUnsignedShort(bytes, last);
    int common =
        Arrays.mismatch(
            bytes, first + 2, first + 2 + firstLength, bytes, last + 2, last + 2 + lastLength);
    if (common < 0) {
      common = firstLength;
    }
    long[] prefixes = new long[Math.min(count, 64)];
    int[] firsts = new int[prefixes.length + 1];
    int rows = 0;
    int previous = 0;
    for (int i = 0; i < count; i++) {
      int key = keys[i] + shift;
      if (i > 0 && isSameRow(bytes, previous, key)) {
        continue;
      }
      if (rows == prefixes.length) {
        prefixes = Arrays.copyOf(prefixes, Math.min(count, rows * 2));
        firsts = Arrays.copyOf(firsts, prefixes.length + 1);
      }
      prefixes[rows] = prefix(bytes, key + 2, Bytes.getUnsignedShort(bytes, key), common);
      firsts[rows++] = i;
      previous = key;
    }
    firsts[rows] = count;
    return new RowPrefixIndex(
        bytes,
        first + 2,
        common,
        rows == prefixes.length ? prefixes : Arrays.copyOf(prefixes, rows),
        rows == count ? ONE_KEY_EACH : Arrays.copyOf(firsts, rows + 1));
  }

  /** Returns the memory that the table takes, bytes. */
  long weight() {
    return this == NONE ? 0 : 88 + 8L * prefixes.length + 4L * firsts.length;
  }

  /** Tells whether there is nothing here to search by. */
  boolean isEmpty() {
    return prefixes.length == 0;
  }

  /**
   * Returns the number of keys that are before {@code key} for sure, in the upper half, and of
   * those that may be, in the lower one.
   */
  long range(Cell key) {
    long found = rowRange(key);
    return (long) firstKey((int) (found >>> 32)) << 32 | firstKey((int) found);
  }

  /** As {@link #range}, in rows. */
  long rowRange(Cell key) {
    byte[] row = key.bytes();
    int offset = key.rowOffset();
    int length = key.rowLength();
    int compared =
        Arrays.compareUnsigned(
            row,
            offset,
            offset + Math.min(length, commonLength),
            bytes,
            commonOffset,
            commonOffset + commonLength);
    if (compared != 0) {
      long bound = compared < 0 ? 0 : prefixes.length;
      return bound << 32 | bound;
    }
    long wanted = prefix(row, offset, length, commonLength);
    int low = lowerBound(wanted);
    int high = low;
    while (high < prefixes.length && prefixes[high] == wanted) {
      high++;
    }
    return (long) low << 32 | high;
  }

  /** Returns the first row whose number is not less than {@code wanted}. */
  private int lowerBound(long wanted) {
    int count = prefixes.length;
    double place = ((double) wanted - prefixes[0]) * density;
    int guess = (int) Math.max(0, Math.min(count - 1, place));
    int low; // less, or -1
    int high; // not less, or the end
    int step = FIRST_STEP;
    if (prefixes[guess] < wanted) {
      low = guess;
      high = Math.min(count, guess + step);
      while (high < count && prefixes[high] < wanted) {
        low = high;
        step <<= 1;
        high = Math.min(count, high + step);
      }
    } else {
      high = guess;
      low = Math.max(-1, guess - step);
      while (low >= 0 && prefixes[low] >= wanted) {
        high = low;
        step <<= 1;
        low = Math.max(-1, low - step);
      }
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (prefixes[middle] < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Returns the number of rows. */
  int count() {
    return prefixes.length;
  }

  /**
   * Returns the index of the first key of a row, counted from 0; of {@link #count}, that of keys.
   */
  int firstKey(int row) {
    return firsts.length == 0 ? row : firsts[row];
  }

  /** Says how many keys the rows {@code from} to {@code to} (exclusive) have. */
  void addSizes(int from, int to, RowSizes sizes) {
    if (firsts.length == 0) {
      sizes.addSingles(to - from);
    } else {
      sizes.addAll(firsts, from, to);
    }
  }

  /** Returns the result of {@link #rowRange} for a key after all rows. */
  long rangeOfAll() {
    return (long) count() << Integer.SIZE | count();
  }

  /**
   * Returns how many rows come before that of {@code key}.
   *
   * @param range the key's {@link #rowRange}
   * @param array the array of the keys; each begins at its offset in {@code keys} plus {@code
   *     shift}
   */
  int rowsBefore(long range, Cell key, byte[] array, int[] keys, int shift) {
    int row = (int) (range >>> 32);
    int high = (int) range;
    while (row < high && isBefore(array, keys[firstKey(row)] + shift, key)) {
      row++;
    }
    return row;
  }

  private static boolean isBefore(byte[] array, int key, Cell other) {
    int from = key + Short.BYTES;
    int otherFrom = other.rowOffset();
    return Arrays.compareUnsigned(
            array,
            from,
            from + Bytes.getUnsignedShort(array, key),
            other.bytes(),
            otherFrom,
            otherFrom + other.rowLength())
        < 0;
  }

  /** Returns the index of the first key after the row of key {@code i}. */
  int rowEnd(int i) {
    return firsts.length == 0 ? i + 1 : firsts[rowOf(i) + 1];
  }

  /** Returns the row of key {@code i}. */
  int rowOf(int i) {
    if (firsts.length == 0) {
      return i;
    }
    int low = 0;
    int high = prefixes.length;
    // Most rows of a table have about as many cells each.
    int guess = (int) ((long) i * high / firsts[high]);
    if (firsts[guess] <= i) {
      if (firsts[guess + 1] > i) {
        return guess;
      }
      low = guess + 2;
    } else {
      high = guess;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (firsts[middle] <= i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Tells whether two keys that lie in {@code bytes} have the same row. */
  static boolean isSameRow(byte[] bytes, int key, int other) {
    int length = Bytes.getUnsignedShort(bytes, key);
    return length == Bytes.getUnsignedShort(bytes, other)
        && Arrays.equals(bytes, key + 2, key + 2 + length, bytes, other + 2, other + 2 + length);
  }

  /**
   * Returns eight bytes of a row, starting at index {@code from}, so that signed numbers order
   * them.
   */
  private static long prefix(byte[] bytes, int offset, int length, int from) {
    return CellComparator.USER.rowPrefix(bytes, offset, length, from) ^ Long.MIN_VALUE;
  }
}
