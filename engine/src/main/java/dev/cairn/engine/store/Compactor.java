package dev.cairn.engine.store;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.OneAtATime;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Merges files of one store, one compaction at a time.
 *
 * <p>A compaction that the policy began and that happens to cover all of the store's files is
 * treated as a major one, as HBase's reference guide describes: no other file can need the cells
 * that it drops. So a small store that is overwritten all the time does not gather old versions
 * until its next major compaction.
 *
 * <p>Only major compactions on request rewrite values in MOB files, because avoiding rewrites is
 * their purpose.
 *
 * <p>Closing stops a running compaction: its result must not take the place of files that another
 * server may have opened by then.
 */
final class Compactor {
  private final Store store;
  private final StoreFileWriter writer;
  private final ExpiredFiles expired;
  private final OneAtATime runs;
  private volatile boolean stopping;
  private volatile Optional<RunningCompaction> running = Optional.empty();

  Compactor(Store store, StoreFileWriter writer) {
    this.store = store;
    this.writer = writer;
    this.runs = new OneAtATime(store.environment().clock());
    this.expired = new ExpiredFiles(store.environment(), store.family());
  }

  /** Tells whether there is something to do and no compaction runs. */
  boolean wantsToRun() {
    List<StoreFile> files = store.view().files();
    return !runs.isRunning()
        && !stopping
        && !(select(files).isEmpty()
            && expired.candidates(files).isEmpty()
            && store.leftovers().isEmpty());
  }

  /** Tells whether a compaction would be large if it began now. */
  boolean isLarge(boolean major) {
    List<StoreFile> files = store.view().files();
    CompactionPolicy.Range range = range(files, major);
    long bytes = 0;
    for (StoreFile file : files.subList(range.from(), range.to())) {
      bytes += file.length();
    }
    return bytes > store.environment().settings().compactionThrottleBytes();
  }

  /**
   * Runs one compaction; false if there is nothing to do, or if it was stopped. A minor one is also
   * left to the one that runs already, if one does; a major one waits for that to end.
   */
  boolean compact(boolean major, long oldestReadPoint) throws IOException {
    if (!begin(major)) {
      return false;
    }
    try {
      store.leftovers().remove();
      boolean dropped = dropExpired();
      return mergeSome(major, oldestReadPoint) || dropped;
    } finally {
      runs.end();
    }
  }

  private boolean dropExpired() throws IOException {
    StoreView pinned = store.pin();
    try {
      List<StoreFile> gone = expired.among(pinned.files(), store.finalPath(""));
      if (gone.isEmpty()) {
        return false;
      }
      store.tracker().drop(gone.stream().map(StoreFile::name).collect(Collectors.toSet()));
      store.drop(Set.copyOf(gone));
      long bytes = gone.stream().mapToLong(StoreFile::length).sum();
      store
          .environment()
          .listener()
          .expiredFilesDropped(store.region(), store.family().nameAsString(), gone.size(), bytes);
      return true;
    } finally {
      pinned.release();
    }
  }

  private boolean mergeSome(boolean major, long oldestReadPoint) throws IOException {
    StoreView pinned = store.pin();
    try {
      List<StoreFile> files = pinned.files();
      CompactionPolicy.Range range = range(files, major);
      return !range.isEmpty()
          && merge(
              files.subList(range.from(), range.to()),
              range.size() == files.size(),
              major,
              oldestReadPoint);
    } finally {
      pinned.release();
    }
  }

  private CompactionPolicy.Range range(List<StoreFile> files, boolean major) {
    return major ? new CompactionPolicy.Range(0, files.size()) : select(files);
  }

  /** Refuses new compactions, and makes the running one give up. */
  void stop() {
    stopping = true;
  }

  /** Lets compactions begin again, because the closing that stopped them was cancelled. */
  void resume() {
    stopping = false;
  }

  /** Returns once no compaction runs, after {@link #stop}. */
  void awaitEnd() {
    runs.awaitEnd();
  }

  private boolean begin(boolean patient) {
    while (!runs.tryBegin()) {
      if (!patient || stopping) {
        return false;
      }
      runs.awaitEnd();
    }
    if (stopping) { // checked after tryBegin: closing sets it before awaitEnd
      runs.end();
      return false;
    }
    return true;
  }

  private boolean merge(
      List<StoreFile> inputs, boolean major, boolean mobValues, long oldestReadPoint)
      throws IOException {
    EngineListener listener = store.environment().listener();
    Clock clock = store.environment().clock();
    String family = store.family().nameAsString();
    RunningCompaction counts = new RunningCompaction(clock, family, inputs, major);
    long bytes = counts.inputBytes();
    long begun = clock.nanoTime();
    running = Optional.of(counts);
    listener.compactionBegun(store.region(), family, inputs.size(), bytes, major);
    try {
      Optional<StoreFile> result =
          writer.merge(inputs, major, mobValues, oldestReadPoint, () -> stopping, counts);
      if (result.isEmpty()) {
        listener.compactionStopped(store.region(), family);
        return false;
      }
      long length = result.get().length();
      result.get().release();
      listener.compactionEnded(store.region(), family, bytes, length, clock.nanoTime() - begun);
      return true;
    } catch (IOException | RuntimeException e) {
      listener.compactionFailed(store.region(), family, e);
      throw e;
    } finally {
      running = Optional.empty();
    }
  }

  /** Returns how far the running compaction has come; empty if none runs. */
  Optional<CompactionProgress> progress() {
    return running.map(RunningCompaction::progress);
  }

  /**
   * References are rewritten, all together and before anything else: they hold up splits. Where it
   * is time to merge all files and there are very many, as many as may be are merged first.
   */
  private CompactionPolicy.Range select(List<StoreFile> files) {
    StoreSettings settings = store.environment().settings();
    long now = store.environment().clock().currentTimeMillis();
    if (files.stream().anyMatch(StoreFile::isReference)
        || files.size() < settings.compactionMaxFiles()
            && new MajorCompactionTime(settings, store.family()).isDue(files, now)) {
      return new CompactionPolicy.Range(0, files.size());
    }
    return new CompactionPolicy(settings)
        .select(files.stream().map(StoreFile::length).toList(), now);
  }
}
