package dev.cairn.engine.hfile.format;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;

/**
 * A byte array that grows at its end, kept from block to block so that writing allocates nothing
 * once it is large enough. One thread at a time.
 */
public final class ByteSink {
  /** The number of bytes that {@link #putPacked} takes at most. */
  public static final int MAX_PACKED_LENGTH = 5;

  /**
   * Arrays double in size up to this length. Longer ones have an eighth more than is needed: room
   * for what follows a very large cell in its block, without a second, longer array.
   */
  private static final int DOUBLING_BYTES_MAX = 4 << 20;

  private byte[] bytes;
  private int size;

  /** Creates an empty sink whose array has {@code capacity} bytes. */
  public ByteSink(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** Returns the array; another one after the next growth. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the number of bytes that have been put. */
  public int size() {
    return size;
  }

  /** Cuts or extends to {@code newSize} bytes; the content of an extension is undefined. */
  public void setSize(int newSize) {
    ensure(newSize);
    size = newSize;
  }

  /** Removes all bytes and shrinks the array to at most {@code kept} bytes. */
  public void clear(int kept) {
    size = 0;
    if (bytes.length > kept) {
      bytes = new byte[kept];
    }
  }

  /** Makes room for {@code count} bytes at the end and returns their offset. */
  public int reserve(int count) {
    int at = size;
    setSize(Math.addExact(size, count));
    return at;
  }

  /** Appends the lowest byte of {@code value}. */
  public void putByte(int value) {
    int at = reserve(1);
    bytes[at] = (byte) value;
  }

  /** Appends the lower two bytes of {@code value}, the higher one first. */
  public void putShort(int value) {
    int at = reserve(Short.BYTES);
    Bytes.putShort(bytes, at, value);
  }

  /** Appends four bytes, the highest first. */
  public void putInt(int value) {
    int at = reserve(Integer.BYTES);
    Bytes.putInt(bytes, at, value);
  }

  /** Appends eight bytes, the highest first. */
  public void putLong(long value) {
    int at = reserve(Long.BYTES);
    Bytes.putLong(bytes, at, value);
  }

  /** Appends a part of an array. */
  public void put(byte[] source, int offset, int length) {
    int at = reserve(length);
    System.arraycopy(source, offset, bytes, at, length);
  }

  /** Appends an array. */
  public void put(byte[] source) {
    put(source, 0, source.length);
  }

  /** Appends a number in the form of {@link VarLong}. */
  void putVarLong(long value) {
    int at = size;
    ensure(at + VarLong.MAX_LENGTH);
    size = VarLong.write(bytes, at, value);
  }

  /** Appends the length of an array, in the form of {@link VarLong}, and the array. */
  public void putVarArray(byte[] array) {
    putVarLong(array.length);
    put(array);
  }

  /** Appends a non-negative number, seven bits a byte, the lowest first. */
  public void putPacked(int value) {
    ensure(size + MAX_PACKED_LENGTH);
    size = writePacked(bytes, size, value);
  }

  /** As {@link #putPacked}, at {@code offset}; returns the offset after the number. */
  public static int writePacked(byte[] bytes, int offset, int value) {
    int at = offset;
    int rest = value;
    while (rest > 0x7F) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at] = (byte) rest;
    return at + 1;
  }

  private void ensure(int capacity) {
    if (capacity > bytes.length) {
      long length =
          capacity <= DOUBLING_BYTES_MAX
              ? Math.max(capacity, bytes.length * 2L)
              : Math.min(Integer.MAX_VALUE - 8L, capacity + capacity / 8L);
      bytes = Arrays.copyOf(bytes, (int) length);
    }
  }
}
