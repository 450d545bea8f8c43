package dev.cairn.bench.engine;

import dev.cairn.engine.cell.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * The stored rows, made from their numbers: keys of 20 bytes whose order is independent of the
 * order of numbers, and values about half of which can be compressed away. Immutable.
 */
final class SampleRows {
  /** The length of a row's key. */
  static final int ROW_BYTES = 20;

  /** The length of a qualifier. */
  static final int QUALIFIER_BYTES = 6;

  private static final byte[] PREFIX = Bytes.utf8("user");
  private static final byte[] DIGITS = Bytes.utf8("0123456789abcdef");
  private static final int POOL_BYTES = 4 << 20;
  private static final int RANDOM_RUN = 16;

  private final int columns;
  private final int valueBytes;
  private final byte[] pool;
  private final byte[][] qualifiers;

  SampleRows(int columns, int valueBytes) {
    this.columns = columns;
    this.valueBytes = valueBytes;
    this.qualifiers = new byte[columns][];
    for (int i = 0; i < columns; i++) {
      qualifiers[i] = ("field" + i).getBytes(StandardCharsets.US_ASCII);
    }
    this.pool = new byte[POOL_BYTES + valueBytes];
    Random random = new Random(5);
    random.nextBytes(pool);
    for (int at = 0; at + 2 * RANDOM_RUN <= pool.length; at += 2 * RANDOM_RUN) {
      // A run of letters behind every run of noise.
      java.util.Arrays.fill(
          pool, at + RANDOM_RUN, at + 2 * RANDOM_RUN, (byte) ('a' + random.nextInt(26)));
    }
  }

  int columns() {
    return columns;
  }

  int valueBytes() {
    return valueBytes;
  }

  byte[] qualifier(int column) {
    return qualifiers[column];
  }

  /** Writes the key of row {@code number} to the first {@link #ROW_BYTES} of {@code out}. */
  static void writeRow(int number, byte[] out) {
    System.arraycopy(PREFIX, 0, out, 0, PREFIX.length);
    // Multiplying by an odd number gives every row another key, in an order of their own.
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed ^= mixed >>> 32;
    for (int i = ROW_BYTES - 1; i >= PREFIX.length; i--) {
      out[i] = DIGITS[(int) mixed & 15];
      mixed >>>= 4;
    }
  }

  /** Returns the array that holds all values. */
  byte[] pool() {
    return pool;
  }

  /** Returns where in {@link #pool} the value of a cell begins. */
  int valueOffset(int row, int column) {
    long mixed = ((long) row * columns + column + 1) * 0xBF58476D1CE4E5B9L;
    return (int) (mixed >>> 40) & (POOL_BYTES - 1);
  }
}
