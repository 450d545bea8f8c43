package dev.cairn.server.process;

import dev.cairn.engine.hfile.reader.WarmUpPace;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.StoreKeys;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Limits the reading of hot blocks before a region opens.
 *
 * @param bytesPerSecond the rate for each region
 * @param cacheBytes returns the memory that cached blocks may take; one region gets a quarter of it
 */
record WarmUpLimits(long bytesPerSecond, LongSupplier cacheBytes) {
  private static final int CACHE_PART = 4;

  static WarmUpLimits of(SiteConfig config, LongSupplier cacheBytes) {
    return new WarmUpLimits(config.get(StoreKeys.WARM_UP_BYTES_PER_SECOND), cacheBytes);
  }

  /** Begins the reading of one region. */
  WarmUpPace pace(RegionContext context, Duration timeout) {
    return new WarmUpPace(
        context.stores().clock(),
        bytesPerSecond,
        cacheBytes.getAsLong() / CACHE_PART,
        timeout.toNanos());
  }
}
