package dev.cairn.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Put;

/**
 * Rows of one cell: keys of 16 hexadecimal digits, anywhere in the table, and random values that
 * cannot be compressed.
 */
final class CellRows {
  /** The only column. */
  static final byte[] QUALIFIER = {'q'};

  /** The length of a key. */
  static final int KEY_BYTES = 16;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L; // odd: no two numbers share a key

  private CellRows() {}

  /** Returns the key of a row by its number. */
  static byte[] key(long number) {
    return HexFormat.of().toHexDigits(number * GOLDEN).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns a put of a row by its number. */
  static Put put(long number, byte[] family, int valueBytes, SplittableRandom random) {
    byte[] value = new byte[valueBytes]; // a new one each: BufferedMutator holds on to it
    random.nextBytes(value);
    return new Put(key(number)).addColumn(family, QUALIFIER, value);
  }

  /** Returns how many bytes of key and value a put is. */
  static long bytes(byte[] family, int valueBytes) {
    return KEY_BYTES + family.length + QUALIFIER.length + valueBytes;
  }
}
