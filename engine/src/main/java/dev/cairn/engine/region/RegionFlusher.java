package dev.cairn.engine.region;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import java.io.IOException;
import java.util.concurrent.locks.Lock;

/**
 * Writes a region's memstores to store files, one flush at a time, while reads and writes go on.
 */
final class RegionFlusher {
  private final String region;
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final Wal wal;
  private final Lock exclusiveUpdates;
  private final EngineListener listener;
  private final Clock clock;
  private volatile long flushedSequence;

  RegionFlusher(
      String region,
      RegionStores stores,
      Mvcc mvcc,
      Wal wal,
      Lock exclusiveUpdates,
      EngineListener listener,
      Clock clock) {
    this.region = region;
    this.stores = stores;
    this.mvcc = mvcc;
    this.wal = wal;
    this.exclusiveUpdates = exclusiveUpdates;
    this.listener = listener;
    this.clock = clock;
    this.flushedSequence = mvcc.readPoint();
  }

  /** Returns the highest number up to which all writes since the opening are in store files. */
  long flushedSequence() {
    return flushedSequence;
  }

  /**
   * Flushes every store. If it fails, what is not in a file yet stays in memory and in the log, and
   * the next flush writes it.
   *
   * @return whether there was anything to write
   */
  synchronized boolean flush() throws IOException {
    long bytes = stores.memStoreDataBytes();
    if (bytes > 0) {
      wal.checkWritable(); // or the freezing would be in vain
    }
    long begun = clock.nanoTime();
    long sequence;
    exclusiveUpdates.lock();
    try {
      stores.all().forEach(Store::freeze);
      sequence = mvcc.lastBegun();
    } finally {
      exclusiveUpdates.unlock();
    }
    if (bytes > 0) {
      listener.flushBegun(region, bytes);
    }
    int files = 0;
    long fileBytes = 0;
    try {
      mvcc.await(sequence);
      if (bytes > 0) {
        // Writes that did not wait for the log: should one family's file be written and another's
        // not, the log has the rest of their rows.
        wal.sync(wal.lastTicket());
      }
      for (Store store : stores.all()) {
        long length = store.flush(sequence, mvcc.readPoint());
        files += length > 0 ? 1 : 0;
        fileBytes += length;
      }
    } catch (IOException | RuntimeException e) {
      listener.flushFailed(region, e);
      throw e;
    }
    flushedSequence = sequence;
    wal.flushed(region, sequence);
    if (files > 0) {
      listener.flushEnded(region, files, fileBytes, clock.nanoTime() - begun);
    }
    return files > 0;
  }
}
