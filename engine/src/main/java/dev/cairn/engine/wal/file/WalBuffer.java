package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;

/** Bytes being put together for the log. One thread. */
public final class WalBuffer {
  private static final int SIZE_MIN = 16 << 10;
  private static final int SIZE_KEPT_MAX = 4 << 20;

  private byte[] bytes = new byte[SIZE_MIN];
  private int size;

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  /** Empties the buffer, and gives memory back that only a giant entry needed. */
  public void clear() {
    size = 0;
    if (bytes.length > SIZE_KEPT_MAX) {
      bytes = new byte[SIZE_MIN];
    }
  }

  /** Makes room for {@code more} bytes. */
  void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.max(needed, Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L)));
    }
  }

  /** Records that {@code more} bytes were written after the last one, within the reserved part. */
  void grow(int more) {
    size += more;
  }

  void putByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  void putBytes(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  /** Four bytes, highest first, as Java writes them. */
  void putInt(int value) {
    reserve(4);
    Bytes.putInt(bytes, size, value);
    size += 4;
  }

  /** Eight bytes, highest first, as Java writes them. */
  void putLong(long value) {
    reserve(8);
    Bytes.putLong(bytes, size, value);
    size += 8;
  }

  /** Four bytes, lowest first, as protobuf writes them. */
  void putFixed32(int value) {
    putInt(Integer.reverseBytes(value));
  }

  /** Eight bytes, lowest first, as protobuf writes them. */
  void putFixed64(long value) {
    reserve(8);
    Bytes.putLong(bytes, size, Long.reverseBytes(value));
    size += 8;
  }

  void putVarint(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Overwrites four bytes, lowest first. */
  void setFixed32(int offset, int value) {
    Bytes.putInt(bytes, offset, Integer.reverseBytes(value));
  }

  /** Returns the number of bytes that {@code value} takes as a varint. */
  static int varintSize(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }
}
