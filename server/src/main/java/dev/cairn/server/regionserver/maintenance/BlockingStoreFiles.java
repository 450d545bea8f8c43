package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back flushes of regions that have too many store files already, until a compaction has
 * lowered their number, but no longer than a certain time: otherwise reads would have to look into
 * ever more files. Meanwhile the region's memory fills, until it accepts no more writes.
 * Thread-safe.
 */
public final class BlockingStoreFiles {
  private static final Logger LOG = LoggerFactory.getLogger(BlockingStoreFiles.class);

  private final Clock clock;
  private final long waitNanos;
  private final Compactions compactions;
  private final Map<String, Long> waitingSinceNanos = new ConcurrentHashMap<>();

  /**
   * Creates a backlog.
   *
   * @param waitMillis how long a flush waits at most
   * @param compactions gets a request for a compaction when a flush must wait
   */
  public BlockingStoreFiles(Clock clock, long waitMillis, Compactions compactions) {
    this.clock = clock;
    this.waitNanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    this.compactions = compactions;
  }

  /**
   * Delays a flush if the region has too many store files; the caller asks again later.
   *
   * @return whether the flush must wait
   */
  boolean holdBack(HostedRegion region) {
    String name = region.encodedName();
    if (region.info().table().isMeta() || !region.compactions().hasTooManyFiles()) {
      waitingSinceNanos.remove(name);
      return false;
    }
    long now = clock.nanoTime();
    Long since = waitingSinceNanos.putIfAbsent(name, now);
    if (since == null) {
      LOG.warn(
          "{} has too many store files; a flush waits for a compaction, at most {} ms",
          region,
          TimeUnit.NANOSECONDS.toMillis(waitNanos));
      compactions.request(region, false);
      return waitNanos > 0;
    }
    if (now - since < waitNanos) {
      return true;
    }
    waitingSinceNanos.remove(name);
    return false;
  }

  /** Forgets a region that is flushed now, or gone. */
  void forget(HostedRegion region) {
    waitingSinceNanos.remove(region.encodedName());
  }
}
