package dev.cairn.bench.engine;

import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.flush.FlushScope;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The maintenance that a server does for a region: flushes it when its memory is full and merges
 * its files when there are many, with one thread for each. Thread-safe.
 */
final class RegionMaintenance implements Closeable {
  private final Region region;
  private final long flushBytes;
  private final ExecutorService flusher;
  private final ExecutorService compactor;
  private final AtomicBoolean flushAsked = new AtomicBoolean();
  private final AtomicBoolean compactionAsked = new AtomicBoolean();

  RegionMaintenance(Region region, long flushBytes, ThreadFactory threads) {
    this.region = region;
    this.flushBytes = flushBytes;
    this.flusher = Executors.newSingleThreadExecutor(threads);
    this.compactor = Executors.newSingleThreadExecutor(threads);
  }

  /** Records a write. */
  void written() {
    if (region.memStoreBytes() >= flushBytes && flushAsked.compareAndSet(false, true)) {
      flusher.submit(
          () -> {
            flushAsked.set(false);
            region.flush(FlushScope.ALL);
            compactIfNeeded();
            return null;
          });
    }
  }

  /** Waits until a flush has made room. */
  void awaitRoom() throws IOException {
    await(flusher.submit(() -> region.flush(FlushScope.ALL)));
  }

  /** Flushes, and returns when no files have to be merged. */
  void settle() throws IOException {
    awaitRoom();
    compactIfNeeded();
    await(
        compactor.submit(
            () -> {
              // Behind the merging that was asked for.
            }));
  }

  @Override
  public void close() {
    flusher.shutdown();
    compactor.shutdown();
  }

  private void compactIfNeeded() {
    if (region.needsCompaction() && compactionAsked.compareAndSet(false, true)) {
      compactor.submit(
          () -> {
            compactionAsked.set(false);
            while (region.needsCompaction()) {
              region.compact(false);
            }
            return null;
          });
    }
  }

  private static void await(Future<?> task) throws IOException {
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
