package dev.cairn.server.regionserver.assignment;

import dev.cairn.server.regionserver.hosted.RegionFactory.WarmRegion;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the files of regions that are expected here, which were opened ahead. After a minute,
 * closes those that no region has taken over. Thread-safe.
 */
public final class WarmRegions {
  private static final long KEPT_MILLIS = 60_000;

  private final Executor executor;
  private final ScheduledExecutorService timer;

  /** In the order in which they came, so that a simulated run repeats. */
  private final Set<WarmRegion> kept = Collections.synchronizedSet(new LinkedHashSet<>());

  /**
   * Creates it without regions.
   *
   * @param executor closes files
   */
  public WarmRegions(Executor executor, ScheduledExecutorService timer) {
    this.executor = executor;
    this.timer = timer;
  }

  /** Keeps the files of a region. */
  public void add(WarmRegion region) {
    kept.add(region);
    try {
      timer.schedule(
          () -> executor.execute(() -> close(region)), KEPT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      close(region);
    }
  }

  private void close(WarmRegion region) {
    if (kept.remove(region)) {
      region.close();
    }
  }

  /** Closes all files that no region has taken over. */
  public void close() {
    List.copyOf(kept).forEach(this::close);
  }
}
