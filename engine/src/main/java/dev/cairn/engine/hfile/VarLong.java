package dev.cairn.engine.hfile;

/**
 * Signed numbers in one to nine bytes, as Hadoop's {@code WritableUtils} writes them: -112 to 127
 * as themselves; else a byte that holds the sign and how many bytes follow (-113 to -120: one to
 * eight, positive; -121 to -128: one to eight, of the complement), then those bytes, the highest
 * first.
 */
final class VarLong {
  private VarLong() {}

  /** Returns the length of the number whose first byte is {@code first}, 1 to 9. */
  static int lengthOf(byte first) {
    return first >= -112 ? 1 : first < -120 ? -119 - first : -111 - first;
  }

  /** Returns the number at {@code offset}. */
  static long read(byte[] bytes, int offset) {
    byte first = bytes[offset];
    if (first >= -112) {
      return first;
    }
    int length = lengthOf(first);
    long value = 0;
    for (int i = 1; i < length; i++) {
      value = value << 8 | bytes[offset + i] & 0xFF;
    }
    return first < -120 ? ~value : value;
  }

  /** Returns the number of bytes that {@code value} takes. */
  static int length(long value) {
    if (value >= -112 && value <= 127) {
      return 1;
    }
    long magnitude = value < 0 ? ~value : value;
    return 1 + (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + 7) / 8;
  }

  /** Writes {@code value} at {@code offset}, where {@link #length} bytes are free. */
  static void write(byte[] bytes, int offset, long value) {
    int length = length(value);
    if (length == 1) {
      bytes[offset] = (byte) value;
      return;
    }
    long magnitude = value < 0 ? ~value : value;
    bytes[offset] = (byte) ((value < 0 ? -119 : -111) - length);
    for (int i = length - 1; i > 0; i--) {
      bytes[offset + i] = (byte) magnitude;
      magnitude >>>= 8;
    }
  }
}
