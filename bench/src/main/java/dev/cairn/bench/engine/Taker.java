package dev.cairn.bench.engine;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The consumer of rows that were read: takes every byte of row, qualifier and value, in their
 * order, into one checksum, which is the same on all sides that read the same. Not thread-safe.
 */
final class Taker {
  private final CRC32C sum = new CRC32C();
  private long cells;

  /** Takes a part of a cell. */
  void take(byte[] bytes, int offset, int length) {
    sum.update(bytes, offset, length);
  }

  /** Takes a part of a cell: what remains in {@code bytes}. */
  void take(ByteBuffer bytes) {
    sum.update(bytes);
  }

  /** Ends a cell. */
  void cellTaken() {
    cells++;
  }

  /** Returns how many cells were taken. */
  long cells() {
    return cells;
  }

  /** Returns the checksum of all that was taken. */
  long checksum() {
    return sum.getValue();
  }
}
