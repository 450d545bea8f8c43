package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads entries and numbers one after another; see {@link FileIndexFormat}. Not thread-safe. All
 * methods throw {@link IndexOutOfBoundsException} if the bytes are damaged.
 */
final class EntryDecoder {
  private final byte[] bytes;
  private int at;
  private byte[] value;
  private int rowAt;
  private int rowLength;

  /** Creates a decoder that stands at the first byte. */
  EntryDecoder(byte[] bytes) {
    this(bytes, 0, Bytes.EMPTY);
  }

  /**
   * Creates a decoder.
   *
   * @param at where it stands
   * @param before the value of the entry before
   */
  EntryDecoder(byte[] bytes, int at, byte[] before) {
    this.bytes = bytes;
    this.at = at;
    this.value = before;
  }

  /** Returns where the next entry begins. */
  int position() {
    return at;
  }

  boolean hasNext() {
    return at < bytes.length;
  }

  int number() {
    int offset = at;
    advance(Integer.BYTES);
    return Bytes.getInt(bytes, offset);
  }

  long longNumber() {
    int offset = at;
    advance(Long.BYTES);
    return Bytes.getLong(bytes, offset);
  }

  /** Returns bytes that follow their packed length. */
  byte[] array() {
    int length = packed();
    int offset = at;
    advance(length);
    return Arrays.copyOfRange(bytes, offset, at);
  }

  /** Passes over bytes. */
  private void advance(int length) {
    Objects.checkFromIndexSize(at, length, bytes.length);
    at += length;
  }

  private int packed() {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      int next = bytes[at++];
      number |= (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IndexOutOfBoundsException("a number that is too long, at " + at);
  }

  /** Reads an entry. Its value is a new array, unless it is that of the entry before. */
  void next() {
    int shared = packed();
    int rest = packed();
    Objects.checkFromIndexSize(0, shared, value.length);
    int offset = at;
    advance(rest);
    if (rest > 0 || shared != value.length) {
      byte[] next = Arrays.copyOf(value, shared + rest);
      System.arraycopy(bytes, offset, next, shared, rest);
      value = next;
    }
    rowLength = packed();
    rowAt = at;
    advance(rowLength);
  }

  /** Returns the value of the last entry. */
  byte[] value() {
    return value;
  }

  /** Returns a copy of the row of the last entry. */
  byte[] row() {
    return Arrays.copyOfRange(bytes, rowAt, rowAt + rowLength);
  }
}
