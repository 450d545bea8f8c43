package dev.cairn.server.process.metrics;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.cache.BlockKind;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import java.util.List;
import java.util.Locale;

/** Adds the block cache to the record of a region server, as HBase names it. Stateless. */
public final class CacheMetrics {
  private static final Metric FOUND =
      counter("HitCount", "Lookups of blocks of a kind that found the block.")
          .as("block_cache_kind_hits");

  private static final Metric MISSED =
      counter("MissCount", "Lookups of blocks of a kind that did not find the block.")
          .as("block_cache_kind_misses");

  private CacheMetrics() {}

  /** Returns the scope of a kind of blocks; HBase's metrics are such as blockCacheDataHitCount. */
  private static Scope kind(BlockKind kind) {
    String name =
        switch (kind) {
          case DATA -> "Data";
          case LEAF_INDEX -> "LeafIndex";
          case INTERMEDIATE_INDEX -> "IntermediateIndex";
          case BLOOM_CHUNK -> "BloomChunk";
          case META -> "Meta";
        };
    return new Scope(
        "blockCache" + name, List.of(new Label("kind", kind.name().toLowerCase(Locale.ROOT))));
  }

  /** Adds the values. */
  public static void collect(BlockCache.Statistics cache, MetricRecord.Builder to) {
    long free = Math.max(0, cache.capacityBytes() - cache.bytes());
    long lookups = cache.hits() + cache.misses();
    double hitRatio = lookups == 0 ? 0 : (double) cache.hits() / lookups;
    double missRatio = lookups == 0 ? 0 : 1 - hitRatio;
    to.add(gauge("blockCacheSize", Unit.BYTES, "Memory of cached blocks."), cache.bytes())
        .add(gauge("blockCacheFreeSize", Unit.BYTES, "Memory for more blocks."), free)
        .add(gauge("blockCacheCount", Unit.NONE, "Cached blocks."), cache.blocks())
        .add(counter("blockCacheHitCount", "Blocks that were found."), cache.hits())
        .add(counter("blockCacheMissCount", "Blocks that were not found."), cache.misses())
        .add(counter("blockCacheEvictionCount", "Blocks that made room."), cache.evictions())
        .addDecimal(
            gauge("blockCacheCountHitPercent", Unit.PERCENT, "The part of lookups that hit.")
                .as("block_cache_hit"),
            hitRatio * 100)
        .add(gauge("l1CacheSize", Unit.BYTES, "Same as blockCacheSize."), cache.bytes())
        .add(gauge("l1CacheFreeSize", Unit.BYTES, "Same as blockCacheFreeSize."), free)
        .add(gauge("l1CacheCount", Unit.NONE, "Same as blockCacheCount."), cache.blocks())
        .add(counter("l1CacheEvictionCount", "Same as blockCacheEvictionCount."), cache.evictions())
        .add(counter("l1CacheHitCount", "Same as blockCacheHitCount."), cache.hits())
        .add(counter("l1CacheMissCount", "Same as blockCacheMissCount."), cache.misses())
        .addDecimal(gauge("l1CacheHitRatio", Unit.NONE, "The part of lookups that hit."), hitRatio)
        .addDecimal(
            gauge("l1CacheMissRatio", Unit.NONE, "The part of lookups that miss."), missRatio);
    cache
        .lookups()
        .forEach(
            (kind, counted) -> {
              Scope scope = kind(kind);
              to.add(FOUND, scope, counted.hits()).add(MISSED, scope, counted.misses());
            });
  }

  private static Metric gauge(String name, Unit unit, String help) {
    return Metric.gauge(name, unit, help);
  }

  private static Metric counter(String name, String help) {
    return Metric.counter(name, help);
  }
}
