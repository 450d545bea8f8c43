package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flushes regions in the background, each at most once at a time. Thread-safe. */
public final class Flushes {
  private static final Logger LOG = LoggerFactory.getLogger(Flushes.class);

  private final Executor executor;
  private final HookedWork hooked;
  private final SplitCheck splits;
  private final Compactions compactions;
  private final BlockingStoreFiles backlog;
  private final StorageRetries retries;
  private final Consumer<Throwable> fatal;
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  /**
   * Creates the flusher.
   *
   * @param hooked flushes regions with hooks
   * @param splits asks for a split of a region that should be split; called after each flush
   * @param compactions asked after a flush that led to no split, since it made files
   * @param backlog decides which have to wait, since there are too many files
   * @param retries decides about retries of a failed flush; until then memory and log keep its
   *     cells
   * @param fatal called for a failed flush without hope: then only the log has its cells
   */
  public Flushes(
      Executor executor,
      HookedWork hooked,
      SplitCheck splits,
      Compactions compactions,
      BlockingStoreFiles backlog,
      StorageRetries retries,
      Consumer<Throwable> fatal) {
    this.executor = executor;
    this.hooked = hooked;
    this.splits = splits;
    this.compactions = compactions;
    this.backlog = backlog;
    this.retries = retries;
    this.fatal = fatal;
  }

  /**
   * Asks for a flush of the families that the region's policy selects, unless a flush of the region
   * waits or runs.
   *
   * @return whether a flush waits or runs now; false if none can begin yet, because the last one
   *     failed a moment ago or the region has too many files
   */
  public boolean request(HostedRegion region, String reason) {
    return request(region, FlushScope.DUE, reason);
  }

  /** As {@link #request(HostedRegion, String)}, however many files there are. */
  public boolean requestUrgently(HostedRegion region, String reason) {
    if (isResting(region)) {
      return false;
    }
    backlog.forget(region);
    begin(region, FlushScope.DUE, reason);
    return true;
  }

  /** As {@link #request(HostedRegion, String)}, of certain families. */
  public boolean request(HostedRegion region, FlushScope scope, String reason) {
    if (isResting(region) || backlog.holdBack(region)) {
      return false;
    }
    begin(region, scope, reason);
    return true;
  }

  /** Tells whether the last flush failed a moment ago, so that another one would fail as well. */
  private boolean isResting(HostedRegion region) {
    return retries.isResting(region.encodedName());
  }

  private void begin(HostedRegion region, FlushScope scope, String reason) {
    if (!running.add(region.encodedName())) {
      return;
    }
    LOG.info("Flushing {}: {}", region, reason);
    Executor threads =
        region.isHooked() ? hooked.threads(HookedWork.Kind.FLUSH, region.info().table()) : executor;
    threads.execute(
        () -> {
          try {
            region.flushes().flush(scope);
            retries.succeeded(region.encodedName());
          } catch (RegionClosedException e) {
            LOG.info("{} is closing, and flushes itself", region);
          } catch (IOException | RuntimeException e) {
            failed(region, e);
          } finally {
            running.remove(region.encodedName());
          }
          if (!splits.requestIfDue(region)) {
            compactions.check(region);
          }
        });
  }

  private void failed(HostedRegion region, Exception cause) {
    OptionalLong pause = retries.failed(region.encodedName(), cause);
    if (pause.isPresent()) {
      LOG.info( // the engine's listener has warned
          "Cannot flush {}; will try again after {} ms: {}",
          region,
          pause.getAsLong(),
          cause.getMessage());
    } else {
      LOG.warn("Cannot flush {}, and the server cannot go on without it", region, cause);
      fatal.accept(cause);
    }
  }

  /** Tells whether hooks hold up flushes of a region's table. */
  boolean isHeld(HostedRegion region) {
    return region.isHooked() && hooked.isHeld(HookedWork.Kind.FLUSH, region.info().table());
  }

  /** Returns how many flushes are waiting or running. */
  public int pending() {
    return running.size();
  }
}
