package dev.cairn.engine.store;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Merges files of one store. A compaction that begins while no other runs is a <em>first</em> one:
 * it may take all files, and begins with the removal of leftovers and expired files. While it runs,
 * minor compactions merge files that are newer than all that it has claimed, as in HBase: those
 * that were flushed meanwhile. A major one waits until no other compaction runs.
 *
 * <p>A compaction that covers all of the store's files is treated as a major one, also if the
 * policy began it, as HBase's reference guide describes: no other file can need the cells that it
 * drops. So a small store that is overwritten all the time does not gather old versions until its
 * next major compaction. Files that were flushed since the compaction began do not matter.
 *
 * <p>Compactions that run at the same time have no files in common, and each result takes the place
 * of its own inputs and names them. So they may end, or be lost in a crash, in any order. The files
 * of each are neighbours, so the files stay in the order of their sequence numbers.
 *
 * <p>Only major compactions on request rewrite values in MOB files, because avoiding rewrites is
 * their purpose.
 *
 * <p>Closing stops the running compactions: their results must not take the place of files that
 * another server may have opened by then.
 */
final class Compactor {
  private final Store store;
  private final StoreFileWriter writer;
  private final ExpiredFiles expired;
  private final Clock clock;
  private final IndexRetries indexRetries;
  private final List<Run> runs = new ArrayList<>(); // guarded by this
  private int majorsWaiting; // guarded by this
  private volatile boolean stopping; // written under the lock

  Compactor(Store store, StoreFileWriter writer) {
    this.store = store;
    this.writer = writer;
    this.clock = store.context().clock();
    this.expired = new ExpiredFiles(store.context(), store.family());
    this.indexRetries = new IndexRetries(clock);
  }

  /** A compaction that runs. */
  private static final class Run {
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** True if it began while no other compaction ran. */
    final boolean isFirst;

    /** The files that no other compaction may take. Guarded by the compactor. */
    Set<StoreFile> claimed;

    volatile Optional<RunningCompaction> counts = Optional.empty();

    Run(boolean isFirst, Collection<StoreFile> claimed) {
      this.isFirst = isFirst;
      this.claimed = Set.copyOf(claimed);
    }
  }

  /** Tells whether a minor compaction that began now would have something to do. */
  synchronized boolean wantsToRun() {
    List<StoreFile> files = store.view().files();
    if (stopping) {
      return false;
    }
    if (!runs.isEmpty()) {
      return !selectBeside(files).isEmpty();
    }
    return !(select(files).isEmpty()
        && expired.candidates(files).isEmpty()
        && store.leftovers().isEmpty());
  }

  /** Tells whether a compaction would be large if it began now. */
  synchronized boolean isLarge(boolean major) {
    List<StoreFile> files = store.view().files();
    List<StoreFile> inputs =
        major || runs.isEmpty() ? in(files, range(files, major)) : selectBeside(files);
    long bytes = 0;
    for (StoreFile file : inputs) {
      bytes += file.length();
    }
    return bytes > store.context().settings().compactionThrottleBytes();
  }

  /**
   * Runs one compaction; false if there is nothing to do, or if it was stopped. While another one
   * runs, a minor one takes only newer files, and a major one waits.
   *
   * @param requester the user who asked for it; empty if the server began it
   */
  boolean compact(boolean major, Optional<String> requester, long oldestReadPoint)
      throws IOException {
    Optional<Run> begun = begin(major);
    if (begun.isEmpty()) {
      return false;
    }
    Run run = begun.get();
    try {
      boolean dropped = false;
      if (run.isFirst) {
        store.leftovers().remove();
        dropped = dropExpired(run);
      }
      return mergeSome(run, major, requester, oldestReadPoint) || dropped;
    } finally {
      end(run);
    }
  }

  /**
   * Begins a compaction. The first one claims all present files, so that others leave them alone
   * until it has made its choice. If a major one waits, it becomes the next first one.
   */
  private Optional<Run> begin(boolean major) {
    Optional<CompletableFuture<Void>> before = Optional.empty();
    while (true) {
      synchronized (this) {
        if (before.isPresent()) {
          majorsWaiting--;
        }
        if (stopping) {
          return Optional.empty();
        }
        boolean isFirst = runs.isEmpty();
        List<StoreFile> files = store.view().files();
        List<StoreFile> claim = isFirst ? files : selectBeside(files);
        if (isFirst ? major || majorsWaiting == 0 : !major && !claim.isEmpty()) {
          Run run = new Run(isFirst, claim);
          runs.add(run);
          return Optional.of(run);
        }
        if (!major) {
          return Optional.empty();
        }
        majorsWaiting++;
        before = Optional.of(runs.get(0).ended);
      }
      clock.join(before.get());
    }
  }

  private void end(Run run) {
    synchronized (this) {
      runs.remove(run);
    }
    run.ended.complete(null);
  }

  private boolean dropExpired(Run run) throws IOException {
    StoreView pinned = store.pin();
    try {
      List<StoreFile> gone = new ArrayList<>(expired.among(pinned.files(), store.finalPath("")));
      synchronized (this) {
        gone.retainAll(run.claimed);
      }
      if (gone.isEmpty()) {
        return false;
      }
      store.tracker().drop(gone.stream().map(StoreFile::name).collect(Collectors.toSet()));
      store.drop(Set.copyOf(gone));
      long bytes = gone.stream().mapToLong(StoreFile::length).sum();
      store
          .context()
          .listener()
          .expiredFilesDropped(store.region(), store.family().nameAsString(), gone.size(), bytes);
      return true;
    } finally {
      pinned.release();
    }
  }

  private boolean mergeSome(
      Run run, boolean major, Optional<String> requester, long oldestReadPoint) throws IOException {
    StoreView pinned;
    Inputs inputs;
    boolean hooked = run.isFirst && store.context().hook().choosesFiles();
    // A compaction shows its result before it gives up its claim. So a view that is taken under the
    // lock has no file that was replaced and is claimed no more.
    synchronized (this) {
      pinned = store.pin();
      inputs = run.isFirst ? choose(run, pinned.files(), major, hooked) : claimed(run, pinned);
    }
    try {
      if (hooked) {
        inputs = selected(run, inputs.files(), major, requester);
      }
      return !inputs.files().isEmpty() && merge(run, inputs, major, requester, oldestReadPoint);
    } finally {
      pinned.release();
    }
  }

  /**
   * The files of a compaction.
   *
   * @param files neighbours, by ascending sequence number
   * @param areAll whether there were no others when it began
   */
  private record Inputs(List<StoreFile> files, boolean areAll) {}

  /** Chooses the files of the first compaction, and gives up the claim to all others. */
  private Inputs choose(Run run, List<StoreFile> files, boolean major, boolean hooked) {
    int end = 0;
    while (end < files.size() && !isClaimedBeside(run, files.get(end))) {
      end++;
    }
    List<StoreFile> free = files.subList(0, end);
    if (hooked) {
      run.claimed = Set.copyOf(free); // the hook chooses of them, not under the lock
      return new Inputs(free, true);
    }
    List<StoreFile> chosen = in(free, range(free, major));
    run.claimed = Set.copyOf(chosen);
    return new Inputs(chosen, chosen.size() == free.size());
  }

  /** Lets the hook choose of the files that a compaction has claimed, and gives up the others. */
  private Inputs selected(Run run, List<StoreFile> free, boolean major, Optional<String> requester)
      throws IOException {
    List<StoreFile> chosen =
        new HookedSelection(store, free)
            .select(files -> in(files, range(files, major)), major, requester);
    synchronized (this) {
      run.claimed = Set.copyOf(chosen);
    }
    return new Inputs(chosen, chosen.size() == free.size());
  }

  private Inputs claimed(Run run, StoreView pinned) {
    return new Inputs(pinned.files().stream().filter(run.claimed::contains).toList(), false);
  }

  private boolean isClaimedBeside(Run own, StoreFile file) {
    for (Run run : runs) {
      if (run != own && run.claimed.contains(file)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the files after all claimed ones that a minor compaction merges. Nothing unless a first
   * one runs: otherwise minor ones would follow each other without end, and neither a major one nor
   * the older files would have their turn. Nothing if a hook chooses files, which would choose of
   * all that are free.
   */
  private List<StoreFile> selectBeside(List<StoreFile> files) {
    if (runs.stream().noneMatch(run -> run.isFirst) || store.context().hook().choosesFiles()) {
      return List.of();
    }
    int from = files.size();
    while (from > 0 && !isClaimedBeside(null, files.get(from - 1))) {
      from--;
    }
    List<StoreFile> free = files.subList(from, files.size());
    return in(free, selectByPolicy(free, clock.currentTimeMillis()));
  }

  private CompactionPolicy.Range range(List<StoreFile> files, boolean major) {
    return major ? new CompactionPolicy.Range(0, files.size()) : select(files);
  }

  private static List<StoreFile> in(List<StoreFile> files, CompactionPolicy.Range range) {
    return files.subList(range.from(), range.to());
  }

  /** Refuses new compactions, and makes the running ones give up. */
  synchronized void stop() {
    stopping = true;
  }

  /** Lets compactions begin again, because the closing that stopped them was cancelled. */
  synchronized void resume() {
    stopping = false;
  }

  /** Returns once no compaction runs, after {@link #stop}. */
  void awaitEnd() {
    List<Run> running;
    synchronized (this) {
      running = List.copyOf(runs);
    }
    running.forEach(run -> clock.join(run.ended));
  }

  private boolean merge(
      Run run, Inputs chosen, boolean mobValues, Optional<String> requester, long oldestReadPoint)
      throws IOException {
    EngineListener listener = store.context().listener();
    List<StoreFile> inputs = chosen.files();
    boolean major = chosen.areAll();
    String family = store.family().nameAsString();
    RunningCompaction counts = new RunningCompaction(clock, family, inputs, major);
    long bytes = counts.inputBytes();
    long begun = clock.nanoTime();
    run.counts = Optional.of(counts);
    listener.compactionBegun(store.region(), family, inputs.size(), bytes, major);
    boolean buildsIndex = inputs.stream().anyMatch(this::lacksIndex);
    try {
      Optional<StoreFile> result =
          writer.merge(
              inputs, major, mobValues, requester, oldestReadPoint, () -> stopping, counts);
      if (result.isEmpty()) {
        listener.compactionStopped(store.region(), family);
        return false;
      }
      if (buildsIndex && store.view().files().stream().noneMatch(this::lacksIndex)) {
        indexRetries.succeeded();
      }
      long length = result.get().length();
      result.get().release();
      listener.compactionEnded(
          store.region(), family, inputs.size(), major, bytes, length, clock.nanoTime() - begun);
      return true;
    } catch (IOException | RuntimeException e) {
      if (buildsIndex) {
        indexRetries.failed(e);
      }
      listener.compactionFailed(store.region(), family, e);
      throw e;
    }
  }

  /** Returns the progress of the running compactions. */
  synchronized List<CompactionProgress> progress() {
    return runs.stream()
        .flatMap(run -> run.counts.stream())
        .map(RunningCompaction::progress)
        .toList();
  }

  /**
   * References are rewritten, all together and before anything else: they hold up splits. Files
   * that lack an index come next, with the files between them: until then, scans cannot use the
   * index. If there are so many files that flushes wait, or if that has just failed, the policy
   * selects instead. If all files are due to be merged but exceed the limit of a compaction, as
   * many as it allows are merged first.
   */
  private CompactionPolicy.Range select(List<StoreFile> files) {
    StoreSettings settings = store.context().settings();
    long now = clock.currentTimeMillis();
    if (files.stream().anyMatch(StoreFile::isReference)
        || files.size() < settings.compactionMaxFiles()
            && new MajorCompactionTime(settings, store.family()).isDue(files, now)) {
      return new CompactionPolicy.Range(0, files.size());
    }
    CompactionPolicy.Range unindexed = unindexed(files);
    return unindexed.isEmpty()
            || files.size() >= settings.blockingFiles()
            || indexRetries.isResting()
        ? selectByPolicy(files, now)
        : unindexed;
  }

  /**
   * Returns the range from the first to the last file that lacks an index, at most as many as a
   * compaction merges.
   */
  private CompactionPolicy.Range unindexed(List<StoreFile> files) {
    int from = files.size();
    int to = 0;
    for (int i = 0; i < files.size(); i++) {
      if (lacksIndex(files.get(i))) {
        from = Math.min(from, i);
        to = i + 1;
      }
    }
    int most = store.context().settings().compactionMaxFiles();
    return new CompactionPolicy.Range(Math.min(from, to), Math.min(to, from + most));
  }

  private boolean lacksIndex(StoreFile file) {
    return !file.hasIndexes(store.context().indexed());
  }

  /** Returns why files still lack an index; empty if no compaction of such files has failed. */
  Optional<String> indexProblem() {
    return indexRetries.problem();
  }

  private CompactionPolicy.Range selectByPolicy(List<StoreFile> files, long now) {
    return new CompactionPolicy(store.context().settings())
        .select(files.stream().map(StoreFile::length).toList(), now);
  }
}
