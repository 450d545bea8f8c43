package dev.cairn.engine.store;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Merges files of one store, one compaction at a time. */
final class Compactor {
  private final Store store;
  private final StoreFileWriter writer;
  private final CompactionPolicy policy;
  private final AtomicBoolean running = new AtomicBoolean();

  Compactor(Store store, StoreFileWriter writer) {
    this.store = store;
    this.writer = writer;
    this.policy = new CompactionPolicy(store.environment().settings());
  }

  /** Tells whether the policy finds something and no compaction runs. */
  boolean wantsToRun() {
    return !running.get() && !select(store.view().files()).isEmpty();
  }

  /** Runs one compaction; false if there is nothing to do or one runs already. */
  boolean compact(boolean major, long oldestReadPoint) throws IOException {
    if (!running.compareAndSet(false, true)) {
      return false;
    }
    StoreView pinned = store.pin();
    try {
      List<StoreFile> files = pinned.files();
      CompactionPolicy.Range range =
          major ? new CompactionPolicy.Range(0, files.size()) : select(files);
      if (range.isEmpty()) {
        return false;
      }
      merge(files.subList(range.from(), range.to()), major, oldestReadPoint);
      return true;
    } finally {
      pinned.release();
      running.set(false);
    }
  }

  private void merge(List<StoreFile> inputs, boolean major, long oldestReadPoint)
      throws IOException {
    EngineListener listener = store.environment().listener();
    Clock clock = store.environment().clock();
    String family = store.family().nameAsString();
    long bytes = inputs.stream().mapToLong(StoreFile::length).sum();
    long begun = clock.nanoTime();
    listener.compactionBegun(store.region(), family, inputs.size(), bytes, major);
    try {
      StoreFile result = writer.merge(inputs, major, oldestReadPoint);
      store.replace(Set.copyOf(inputs), result);
      long length = result.length();
      result.release();
      listener.compactionEnded(store.region(), family, bytes, length, clock.nanoTime() - begun);
    } catch (IOException | RuntimeException e) {
      listener.compactionFailed(store.region(), family, e);
      throw e;
    }
  }

  private CompactionPolicy.Range select(List<StoreFile> files) {
    return policy.select(files.stream().map(StoreFile::length).toList());
  }
}
