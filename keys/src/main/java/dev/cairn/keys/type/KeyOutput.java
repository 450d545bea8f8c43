package dev.cairn.keys.type;

import java.util.Arrays;

/**
 * Bytes of a key that grows at its end. While it is {@linkplain #descending descending}, it inverts
 * all bytes that are put, so that they sort in the opposite order. Not safe for use by several
 * threads.
 */
public final class KeyOutput {
  private static final int INITIAL_BYTES = 48;

  private byte[] bytes;
  private int size;

  /** How many bits of the last byte are in use, or 0 if all are. */
  private int partialBits;

  private int contentEnd = -1;
  private boolean descending;

  /** Creates an empty key. */
  public KeyOutput() {
    this(INITIAL_BYTES);
  }

  /** Creates an empty key that is likely to get this many bytes. It may get fewer or more. */
  public KeyOutput(int likelyBytes) {
    bytes = new byte[likelyBytes];
  }

  /** Creates a key that begins with a copy of another one. */
  public KeyOutput(KeyOutput prefix) {
    bytes = Arrays.copyOf(prefix.bytes, prefix.size + INITIAL_BYTES);
    size = prefix.size;
    partialBits = prefix.partialBits;
  }

  /** Sets whether the bytes that follow are inverted, and begins a part. */
  public void begin(boolean inDescendingOrder) {
    descending = inDescendingOrder;
    contentEnd = -1;
  }

  /** Returns whether bytes are inverted now. */
  boolean isDescending() {
    return descending;
  }

  /** Marks the end of the part's value: what follows in this part is a terminator. */
  public void endContent() {
    contentEnd = size;
  }

  /** Returns where the value of the last part ends, before its terminator. */
  public int contentEnd() {
    return contentEnd < 0 ? size : contentEnd;
  }

  /** Returns the number of bytes, including one that is not full. */
  public int size() {
    return size;
  }

  /** Returns how many bits of the last byte are in use, or 0 if all are. */
  public int partialBits() {
    return partialBits;
  }

  /** Appends the low eight bits. */
  public void put(int value) {
    ensure(1);
    bytes[size++] = (byte) (descending ? ~value : value);
  }

  /** Appends bytes. */
  public void put(byte[] values) {
    ensure(values.length);
    System.arraycopy(values, 0, bytes, size, values.length);
    for (int i = size; descending && i < size + values.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    size += values.length;
  }

  /**
   * Appends a string of ASCII without 00, which is its own UTF-8. Appends nothing if the string has
   * another character.
   *
   * @return whether it was appended
   */
  boolean putAscii(String text) {
    int length = text.length();
    ensure(length);
    int mask = descending ? 0xFF : 0;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c == 0 || c > 0x7F) {
        return false;
      }
      bytes[size + i] = (byte) (c ^ mask);
    }
    size += length;
    return true;
  }

  /** Appends the low {@code width} bytes of a number, the highest first. */
  public void putNumber(long value, int width) {
    ensure(width);
    for (int shift = (width - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      int next = (int) (value >>> shift);
      bytes[size++] = (byte) (descending ? ~next : next);
    }
  }

  /** Appends the low {@code count} bits of a number, the highest first, after the last used bit. */
  public void putBits(long value, int count) {
    for (int bit = count - 1; bit >= 0; bit--) {
      if (partialBits == 0) {
        ensure(1);
        bytes[size++] = 0;
      }
      long isSet = (value >>> bit & 1) ^ (descending ? 1 : 0);
      bytes[size - 1] |= (byte) (isSet << (Byte.SIZE - 1 - partialBits));
      partialBits = (partialBits + 1) % Byte.SIZE;
    }
  }

  /** Replaces bytes that were put before. They are not inverted. */
  public void set(int offset, byte[] values) {
    System.arraycopy(values, 0, bytes, offset, values.length);
  }

  /** Returns a copy of the bytes from one offset to another. */
  public byte[] slice(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  /** Returns a copy of all bytes. Unused bits of the last byte are 0. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /**
   * Returns all bytes as {@link #toBytes} does, but without a copy if the size was estimated right.
   * Nothing can be put afterwards.
   */
  public byte[] takeBytes() {
    byte[] taken = size == bytes.length ? bytes : toBytes();
    bytes = null;
    return taken;
  }

  /**
   * Returns the least bytes that sort after every key with these as a prefix, or an empty array if
   * there are none.
   */
  public byte[] next() {
    byte[] next = toBytes();
    int step = partialBits == 0 ? 1 : 1 << (Byte.SIZE - partialBits);
    for (int i = size - 1; i >= 0; i--) {
      int sum = (next[i] & 0xFF) + step;
      next[i] = (byte) sum;
      if (sum <= 0xFF) {
        return Arrays.copyOf(next, i + 1);
      }
      step = 1;
    }
    return new byte[0];
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
