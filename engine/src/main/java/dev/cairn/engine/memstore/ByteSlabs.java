package dev.cairn.engine.memstore;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands out pieces of large byte arrays and never takes one back. Slabs begin small and double, so
 * that an idle store costs little and a busy one few arrays. Thread-safe; allocating takes a lock
 * only when a slab is full.
 */
final class ByteSlabs {
  private static final int FIRST_SLAB_BYTES = 2 * 1024;
  private static final int ARRAY_HEADER_BYTES = 16;

  /** A slab and how much of it is handed out; more than its length once it is full. */
  private record Slab(int index, byte[] bytes, AtomicInteger used) {}

  private final int maxSlabBytes;
  private volatile byte[][] slabs = {};
  private volatile Slab current = new Slab(-1, new byte[0], new AtomicInteger());
  private volatile long heapBytes;
  private volatile int largestAlone; // written under the lock

  ByteSlabs(int maxSlabBytes) {
    if (maxSlabBytes < 1) {
      throw new IllegalArgumentException("Slabs of " + maxSlabBytes + " bytes");
    }
    this.maxSlabBytes = maxSlabBytes;
  }

  /**
   * Hands out {@code length} bytes.
   *
   * @return the slab's index in the upper half, the offset in it in the lower
   */
  long allocate(int length) {
    if (length > maxSlabBytes / 4) {
      // Large ones live alone: they would waste the rest of the slab that is being filled.
      return (long) appendAlone(length) << 32;
    }
    while (true) {
      Slab slab = current;
      int offset = slab.used.get();
      if (offset > slab.bytes.length - length) {
        replace(slab, length);
      } else if (slab.used.compareAndSet(offset, offset + length)) {
        return (long) slab.index << 32 | offset;
      }
    }
  }

  /** Returns a slab by its index. */
  byte[] slab(int index) {
    return slabs[index];
  }

  /** Returns the memory of all slabs, bytes. */
  long heapBytes() {
    return heapBytes;
  }

  private synchronized void replace(Slab full, int needed) {
    if (current != full) {
      return;
    }
    int size = Math.max(FIRST_SLAB_BYTES, (int) Math.min(Integer.MAX_VALUE, needed * 4L));
    size = Math.min(maxSlabBytes, Math.max(size, full.bytes.length * 2));
    int index = append(size);
    current = new Slab(index, slabs[index], new AtomicInteger());
  }

  /** Returns the length of the largest piece that has a slab of its own; 0 if none has. */
  int largestAlone() {
    return largestAlone;
  }

  private synchronized int appendAlone(int size) {
    largestAlone = Math.max(largestAlone, size);
    return append(size);
  }

  private synchronized int append(int size) {
    byte[][] longer = Arrays.copyOf(slabs, slabs.length + 1);
    longer[slabs.length] = new byte[size];
    slabs = longer;
    heapBytes += size + ARRAY_HEADER_BYTES;
    return longer.length - 1;
  }
}
