package dev.cairn.engine.hfile.format;

import dev.cairn.engine.cell.Bytes;

/**
 * Signed numbers in one to nine bytes, as Hadoop's {@code WritableUtils} writes them: -112 to 127
 * as themselves; else a byte that holds the sign and how many bytes follow (-113 to -120: one to
 * eight, positive; -121 to -128: one to eight, of the complement), then those bytes, the highest
 * first.
 */
public final class VarLong {
  /** The number of bytes that the longest number takes. */
  public static final int MAX_LENGTH = 9;

  private VarLong() {}

  /** Returns the length of the number whose first byte is {@code first}, 1 to 9. */
  public static int lengthOf(byte first) {
    return first >= -112 ? 1 : first < -120 ? -119 - first : -111 - first;
  }

  /** Returns the number at {@code offset}. */
  public static long read(byte[] bytes, int offset) {
    byte first = bytes[offset];
    if (first >= -112) {
      return first;
    }
    int length = lengthOf(first) - 1;
    long value;
    // The eight bytes that end with the number; a cell always has enough bytes before it. The bytes
    // after it may be missing for the last cell of each block: code compiled without that case
    // would be discarded when it comes.
    int from = offset + length + 1 - Long.BYTES;
    if (from >= 0) {
      value = Bytes.getLong(bytes, from) & -1L >>> Long.SIZE - Byte.SIZE * length;
    } else {
      value = 0;
      for (int i = 1; i <= length; i++) {
        value = value << Byte.SIZE | bytes[offset + i] & 0xFF;
      }
    }
    return first < -120 ? ~value : value;
  }

  /**
   * Writes {@code value} at {@code offset}, where {@link #MAX_LENGTH} bytes must be free; those
   * after the number may change, too.
   *
   * @return the offset after the number
   */
  public static int write(byte[] bytes, int offset, long value) {
    if (value >= -112 && value <= 127) {
      bytes[offset] = (byte) value;
      return offset + 1;
    }
    long magnitude = value < 0 ? ~value : value;
    int length = bytesOf(magnitude);
    bytes[offset] = (byte) ((value < 0 ? -120 : -112) - length);
    Bytes.putLong(bytes, offset + 1, magnitude << Long.SIZE - Byte.SIZE * length);
    return offset + 1 + length;
  }

  /** Returns how many bytes hold {@code magnitude}, which is not 0 and not negative. */
  private static int bytesOf(long magnitude) {
    return (Long.SIZE + Byte.SIZE - 1 - Long.numberOfLeadingZeros(magnitude)) / Byte.SIZE;
  }
}
