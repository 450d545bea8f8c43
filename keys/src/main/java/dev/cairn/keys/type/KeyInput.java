package dev.cairn.keys.type;

import java.util.Arrays;

/**
 * Reads the bytes of a key from its beginning to its end. While it is descending, it inverts all
 * bytes that it returns. Every method fails with {@link KeyMismatchException} if the key ends too
 * early. Not safe for use by several threads.
 */
public final class KeyInput {
  private final byte[] bytes;
  private int position;

  /** How many bits of the byte before the position were read, or 0 if all were. */
  private int partialBits;

  private int contentEnd = -1;
  private boolean descending;

  /** Reads a key, which must not change meanwhile. */
  public KeyInput(byte[] key) {
    bytes = key;
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
    contentEnd = position;
  }

  /** Returns where the value of the last part ends, before its terminator. */
  public int contentEnd() {
    return contentEnd < 0 ? position : contentEnd;
  }

  /** Returns the offset of the next byte. */
  public int position() {
    return position;
  }

  /** Returns how many bytes follow. */
  public int remaining() {
    return bytes.length - position;
  }

  /** Returns the next byte as a number from 0 to 255. */
  public int next() {
    require(1);
    return bytes[position++] & 0xFF ^ mask();
  }

  /** Returns the next byte as {@link #next} does, and does not move. */
  public int peek() {
    require(1);
    return bytes[position] & 0xFF ^ mask();
  }

  /** Returns the next bytes. */
  public byte[] next(int count) {
    require(count);
    byte[] read = Arrays.copyOfRange(bytes, position, position + count);
    position += count;
    if (descending) {
      for (int i = 0; i < count; i++) {
        read[i] = (byte) ~read[i];
      }
    }
    return read;
  }

  /** Returns the bytes before the next byte of this value, and moves after that byte. */
  public byte[] nextUntil(int terminator) {
    byte searched = (byte) (terminator ^ mask());
    for (int end = position; end < bytes.length; end++) {
      if (bytes[end] == searched) {
        byte[] read = next(end - position);
        endContent();
        position++;
        return read;
      }
    }
    throw mismatch("the terminator is missing");
  }

  /** Returns a number of {@code width} bytes, the highest first, without sign extension. */
  public long nextNumber(int width) {
    require(width);
    long number = 0;
    for (int i = 0; i < width; i++) {
      number = number << Byte.SIZE | bytes[position++] & 0xFF ^ mask();
    }
    return number;
  }

  /** Returns a number of {@code count} bits, the highest first. */
  public long nextBits(int count) {
    long number = 0;
    for (int i = 0; i < count; i++) {
      if (partialBits == 0) {
        require(1);
        position++;
      }
      int bit = (bytes[position - 1] ^ mask()) >>> (Byte.SIZE - 1 - partialBits) & 1;
      number = number << 1 | bit;
      partialBits = (partialBits + 1) % Byte.SIZE;
    }
    return number;
  }

  /** Returns an exception for bytes that a part of the expected type cannot have. */
  public KeyMismatchException mismatch(String reason) {
    return new KeyMismatchException(position, reason);
  }

  private int mask() {
    return descending ? 0xFF : 0;
  }

  private void require(int count) {
    if (count > bytes.length - position) {
      throw mismatch("the key ends too early");
    }
  }
}
