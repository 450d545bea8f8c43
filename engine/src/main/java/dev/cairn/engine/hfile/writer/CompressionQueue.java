package dev.cairn.engine.hfile.writer;

import dev.cairn.engine.time.SideBySide;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/**
 * Compresses data blocks while the next ones are filled. Blocks leave in their order, always the
 * same number of blocks later, so that the file does not depend on timing.
 *
 * <p>Helpers take blocks when they can. If no helper has begun with the oldest block when it must
 * leave, the writer's own thread compresses it; so nothing waits for a helper that never comes. One
 * thread at a time uses the queue.
 */
final class CompressionQueue {
  private final Executor helpers;

  /**
   * The most bytes that queue up. Each block is in memory several times, so blocks of very large
   * cells do not queue up.
   */
  private static final long BYTES_MAX = 2 << 20;

  private final HFileOptions options;
  private final int depth;
  private final Deque<CompressedBlock> idle = new ArrayDeque<>();
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long bytes; // of all entries, before packing

  /**
   * Creates an empty queue.
   *
   * @param depth how many blocks may be under way
   */
  CompressionQueue(HFileOptions options, Executor helpers, int depth) {
    this.options = options;
    this.helpers = helpers;
    this.depth = depth;
  }

  /** Returns an empty block to be filled. */
  CompressedBlock newBlock() {
    CompressedBlock used = idle.poll();
    if (used == null) {
      return new CompressedBlock(options);
    }
    used.cells().setSize(0);
    return used;
  }

  /** Takes a filled block, and calls {@code written} for a block that must leave, if any. */
  void add(CompressedBlock block, Arrival arrival) throws IOException {
    FutureTask<Void> packing = SideBySide.offer(helpers, block::pack);
    entries.add(new Entry(block, packing, arrival));
    bytes += block.cells().size();
    while (entries.size() > depth || bytes > BYTES_MAX && !entries.isEmpty()) {
      leave();
    }
  }

  /** Lets all blocks leave. */
  void drain() throws IOException {
    while (!entries.isEmpty()) {
      leave();
    }
  }

  /** Forgets all blocks. */
  void clear() {
    entries.forEach(entry -> entry.packing.cancel(false));
    entries.clear();
    bytes = 0;
  }

  private void leave() throws IOException {
    Entry oldest = entries.remove();
    bytes -= oldest.block.cells().size();
    oldest.packing.run(); // unless a helper has begun
    SideBySide.await(oldest.packing);
    oldest.arrival.write(oldest.block);
    if (oldest.block.memory() <= BYTES_MAX) {
      idle.add(oldest.block);
    }
  }

  /** Handles a compressed block on the writer's thread. */
  @FunctionalInterface
  interface Arrival {
    void write(CompressedBlock block) throws IOException;
  }

  private record Entry(CompressedBlock block, FutureTask<Void> packing, Arrival arrival) {}
}
