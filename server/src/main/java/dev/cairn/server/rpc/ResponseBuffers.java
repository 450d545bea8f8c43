package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keeps the buffers of answered calls for the calls that follow: a scan's response of two megabytes
 * would else cost twice as much in arrays that grow, each cleared, filled and thrown away.
 *
 * <p>Short and long buffers are kept apart, so that gets do not use up those that scans need. A
 * thread looks first where it put its last one, which is likely to be in its processor's cache.
 * Thread-safe; never waits.
 */
final class ResponseBuffers {
  /** The maximum expected size of a response for a short buffer. */
  static final int SHORT_BYTES = 16 << 10;

  /** Room for a row of a kilobyte and a half: growing would copy most rows several times. */
  private static final int NEW_BYTES_MIN = 2 << 10;

  private static final int NEW_BYTES_MAX = 128 << 10;
  private static final int BYTES_PER_CELL = 128;
  private static final int SLOTS = 32; // of each kind; about as many as there are handlers
  private static final long SHORT_CAPACITY_MAX = 2L * SHORT_BYTES;
  private static final long LONG_CAPACITY_MAX = 8L << 20;

  private final long keptBytesMax;
  private final AtomicReferenceArray<CellBuffer> shortOnes = new AtomicReferenceArray<>(SLOTS);
  private final AtomicReferenceArray<CellBuffer> longOnes = new AtomicReferenceArray<>(SLOTS);
  private final AtomicLong longBytes = new AtomicLong();

  /**
   * Creates a store without buffers.
   *
   * @param keptBytesMax how many bytes the long buffers take together, those that are lent not
   *     counted
   */
  ResponseBuffers(long keptBytesMax) {
    this.keptBytesMax = keptBytesMax;
  }

  /** Returns an empty buffer for cells that are likely to take {@code bytes} bytes. */
  CellBuffer take(int bytes) {
    boolean isLong = bytes > SHORT_BYTES;
    CellBuffer kept = takeFrom(isLong ? longOnes : shortOnes);
    if (kept == null) {
      int room = Math.max(NEW_BYTES_MIN, Math.min(bytes, NEW_BYTES_MAX));
      return new CellBuffer(room, room / BYTES_PER_CELL);
    }
    if (isLong) {
      longBytes.addAndGet(-kept.capacity());
    }
    return kept;
  }

  /** Returns a new short buffer. */
  CellBuffer takeShort() {
    return new CellBuffer(NEW_BYTES_MIN, NEW_BYTES_MIN / BYTES_PER_CELL);
  }

  /** Takes a buffer back for the next caller; keeps a limited number. */
  void giveBack(CellBuffer buffer) {
    buffer.watch(null);
    buffer.clear();
    long capacity = buffer.capacity();
    if (capacity <= SHORT_CAPACITY_MAX) {
      tryPut(shortOnes, buffer);
      return;
    }
    if (capacity > LONG_CAPACITY_MAX) {
      return;
    }
    boolean fits = longBytes.addAndGet(capacity) <= keptBytesMax;
    if (!fits || !tryPut(longOnes, buffer)) {
      longBytes.addAndGet(-capacity);
    }
  }

  /** Returns how many bytes the long buffers take that are kept. */
  long keptBytes() {
    return longBytes.get();
  }

  private static CellBuffer takeFrom(AtomicReferenceArray<CellBuffer> slots) {
    int first = firstSlot();
    for (int i = 0; i < SLOTS; i++) {
      int slot = (first + i) % SLOTS;
      if (slots.getPlain(slot) != null) {
        CellBuffer buffer = slots.getAndSet(slot, null);
        if (buffer != null) {
          return buffer;
        }
      }
    }
    return null;
  }

  /** Puts a buffer into a free slot; false if there is none. */
  private static boolean tryPut(AtomicReferenceArray<CellBuffer> slots, CellBuffer buffer) {
    int first = firstSlot();
    for (int i = 0; i < SLOTS; i++) {
      int slot = (first + i) % SLOTS;
      if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, buffer)) {
        return true;
      }
    }
    return false;
  }

  private static int firstSlot() {
    return (int) (Thread.currentThread().getId() % SLOTS);
  }
}
