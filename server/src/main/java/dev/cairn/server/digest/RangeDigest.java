package dev.cairn.server.digest;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * Counts, a sum and a hash of some rows. The hash of several rows is the sum of their own hashes,
 * so digests of separate ranges can be added.
 *
 * @param rows the number of rows
 * @param cells the number of cells
 * @param hashHigh the upper half of the hash; 0 unless rows are hashed
 * @param hashLow the lower half
 * @param sum the sum of values; 0 unless values are added up
 */
public record RangeDigest(long rows, long cells, long hashHigh, long hashLow, BigInteger sum) {
  /** The digest of no rows. */
  public static final RangeDigest NONE = new RangeDigest(0, 0, 0, 0, BigInteger.ZERO);

  private static final int FIXED_BYTES = 4 * Long.BYTES;

  /** Returns the digest of both ranges. */
  public RangeDigest plus(RangeDigest other) {
    return new RangeDigest(
        rows + other.rows,
        cells + other.cells,
        hashHigh + other.hashHigh,
        hashLow + other.hashLow,
        sum.add(other.sum));
  }

  /** Returns the value of a digest's cell. */
  public byte[] toBytes() {
    byte[] total = sum.toByteArray();
    return ByteBuffer.allocate(FIXED_BYTES + total.length)
        .putLong(rows)
        .putLong(cells)
        .putLong(hashHigh)
        .putLong(hashLow)
        .put(total)
        .array();
  }

  /**
   * Reads the value of a digest's cell.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static RangeDigest parse(byte[] value) {
    if (value.length <= FIXED_BYTES) {
      throw new IllegalArgumentException("a digest of " + value.length + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return new RangeDigest(
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        new BigInteger(value, FIXED_BYTES, value.length - FIXED_BYTES));
  }
}
