package dev.cairn.server.master.recovery;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.walsplit.LogPart;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tracks the recovery of a dead server's logs: the regions that can be opened already, and the file
 * that it waits for. A part that is complete stays complete if the recovery begins anew.
 * Thread-safe.
 */
public final class RecoveryProgress implements SealProgress {
  private final Clock clock;
  private final Runnable changed;
  private final AtomicBoolean told = new AtomicBoolean();

  // Guarded by this.
  private final Map<String, Long> sealing = new LinkedHashMap<>();
  private final Map<LogKind, Set<Integer>> missing = new EnumMap<>(LogKind.class);

  /**
   * Creates it.
   *
   * @param changed runs on any thread when more regions can be opened; then not again before {@link
   *     #heard}
   */
  public RecoveryProgress(Clock clock, Runnable changed) {
    this.clock = clock;
    this.changed = changed;
  }

  /** Lets the next change be reported again. */
  public void heard() {
    told.set(false);
  }

  /** Tells whether all entries of a region are recovered. */
  public synchronized boolean mayOpen(RegionInfo region) {
    boolean apart = region.table().isMeta() && missing.containsKey(LogKind.META);
    LogPart part = LogPart.of(apart ? LogKind.META : LogKind.REGIONS, region.encodedName());
    Set<Integer> left = missing.get(part.kind());
    return left != null && !left.contains(part.index());
  }

  /**
   * Tells whether all entries of {@code hbase:meta} are recovered. They have a log of their own,
   * but early versions wrote them to the log of all regions.
   *
   * @param mayHaveShared whether the server may have had {@code hbase:meta} open at its end. If so,
   *     and if it left no log for {@code hbase:meta}, the entries may be in the log of all regions
   */
  public synchronized boolean mayOpenMeta(boolean mayHaveShared) {
    return mayHaveShared || missing.containsKey(LogKind.META)
        ? mayOpen(RegionInfo.META)
        : !missing.isEmpty();
  }

  /** Returns the present step of the recovery, for administrators. */
  public synchronized String status() {
    Iterator<Map.Entry<String, Long>> waiting = sealing.entrySet().iterator();
    if (waiting.hasNext()) {
      Map.Entry<String, Long> first = waiting.next();
      long since = Duration.ofNanos(clock.nanoTime() - first.getValue()).toMillis();
      return "Waiting for %d ms until %s is taken away from its server (lease recovery)%s"
          .formatted(
              since,
              first.getKey(),
              sealing.size() == 1 ? "" : ", and " + (sealing.size() - 1) + " more files");
    }
    int all = missing.keySet().stream().mapToInt(LogPart::count).sum();
    int left = missing.values().stream().mapToInt(Set::size).sum();
    return "Splitting it by region: %d of %d parts are complete".formatted(all - left, all);
  }

  /** An attempt begins, with logs of some kinds. */
  synchronized void found(Set<LogKind> present) {
    present.forEach(kind -> missing.computeIfAbsent(kind, LogPart::all));
    sealing.clear();
  }

  /** Returns the indexes of the parts of a kind that are not complete. */
  synchronized Set<Integer> missing(LogKind kind) {
    return new TreeSet<>(missing.get(kind));
  }

  /** A part is complete: all its regions have their entries. */
  void completed(LogPart part) {
    synchronized (this) {
      missing.get(part.kind()).remove(part.index());
    }
    if (told.compareAndSet(false, true)) {
      changed.run();
    }
  }

  @Override
  public synchronized void sealing(String path) {
    sealing.put(path, clock.nanoTime());
  }

  @Override
  public synchronized void sealed(String path) {
    sealing.remove(path);
  }
}
