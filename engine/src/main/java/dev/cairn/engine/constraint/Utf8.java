package dev.cairn.engine.constraint;

import dev.cairn.engine.cell.Bytes;

/** Decodes UTF-8 without allocation. Overlong encodings are invalid. */
final class Utf8 {
  /** The result for bytes that are not UTF-8. */
  static final int INVALID = -1;

  /** The highest bit of each of eight bytes, which is 0 in ASCII. */
  private static final long NOT_ASCII = 0x8080808080808080L;

  private static final int SURROGATE_FIRST = 0xD800;
  private static final int SURROGATE_LAST = 0xDFFF;

  private Utf8() {}

  /** Returns the number of characters (code points), or {@link #INVALID}. */
  static int length(byte[] bytes, int offset, int length) {
    int count = 0;
    int end = offset + length;
    for (int at = offset; at < end; count++) {
      if (bytes[at] >= 0) {
        at++;
        while (at + Long.BYTES <= end && (Bytes.getLong(bytes, at) & NOT_ASCII) == 0) {
          at += Long.BYTES;
          count += Long.BYTES;
        }
        continue;
      }
      int character = decode(bytes, at, end);
      if (character == INVALID) {
        return INVALID;
      }
      at += size(character);
    }
    return count;
  }

  /** Returns the code point that begins at {@code at}, or {@link #INVALID}. */
  static int decode(byte[] bytes, int at, int end) {
    int first = bytes[at];
    if (first >= 0) {
      return first;
    }
    if ((first & 0xE0) == 0xC0) {
      return checked(follow(first & 0x1F, bytes, at, 1, end), 2);
    }
    if ((first & 0xF0) == 0xE0) {
      return checked(follow(first & 0x0F, bytes, at, 2, end), 3);
    }
    if ((first & 0xF8) == 0xF0) {
      return checked(follow(first & 0x07, bytes, at, 3, end), 4);
    }
    return INVALID;
  }

  /** Appends the low bits of {@code count} bytes after {@code at}. */
  private static int follow(int high, byte[] bytes, int at, int count, int end) {
    if (at + count >= end) {
      return INVALID;
    }
    int character = high;
    for (int i = 1; i <= count; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return INVALID;
      }
      character = character << 6 | bytes[at + i] & 0x3F;
    }
    return character;
  }

  private static int checked(int character, int size) {
    boolean isSurrogate = character >= SURROGATE_FIRST && character <= SURROGATE_LAST;
    return character < 0 || isSurrogate || character > Character.MAX_CODE_POINT
        ? INVALID
        : size(character) == size ? character : INVALID;
  }

  /** Returns the length of a code point in UTF-8, bytes. */
  static int size(int character) {
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  }
}
