package dev.cairn.engine.cell;

import java.io.ByteArrayOutputStream;

/**
 * Converts bytes to and from the form of HBase's {@code Bytes.toStringBinary}: printable ASCII, and
 * {@code \xHH} for other bytes.
 */
public final class BinaryText {
  /** The character that a decoder puts in place of malformed bytes. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final int SHOWN_BYTES_MAX = 80;

  private BinaryText() {}

  /**
   * Returns the bytes that a text stands for.
   *
   * @throws IllegalArgumentException if a backslash does not begin {@code \xHH}
   */
  public static byte[] parse(String text) {
    if (text.indexOf(REPLACEMENT) >= 0) {
      throw new IllegalArgumentException("bytes that are not text are written as \\xHH");
    }
    byte[] bytes = Bytes.utf8(text);
    ByteArrayOutputStream parsed = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\\') {
        parsed.write(bytes[i]);
        continue;
      }
      boolean isWhole = i + 3 < bytes.length && bytes[i + 1] == 'x';
      int high = isWhole ? Character.digit(bytes[i + 2], 16) : -1;
      int low = isWhole ? Character.digit(bytes[i + 3], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException("a backslash begins \\xHH; itself it is \\x5C");
      }
      parsed.write(high << 4 | low);
      i += 3;
    }
    return parsed.toByteArray();
  }

  /** Returns bytes as text. Of a long array, only the first bytes and the length. */
  public static String show(byte[] bytes, int offset, int length) {
    if (length <= SHOWN_BYTES_MAX) {
      return Bytes.toStringBinary(bytes, offset, length);
    }
    return Bytes.toStringBinary(bytes, offset, SHOWN_BYTES_MAX) + "... (" + length + " bytes)";
  }
}
