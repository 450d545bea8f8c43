package dev.cairn.engine.hfile.cache;

import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the lookups of a cache by the kind of the block, in place of Caffeine's own count of all.
 * Thread-safe.
 */
final class LookupCounter {
  private final LongAdder[] hits = adders();
  private final LongAdder[] misses = adders();

  private static LongAdder[] adders() {
    LongAdder[] adders = new LongAdder[BlockKind.values().length];
    for (int i = 0; i < adders.length; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  void count(BlockKind kind, boolean isHit) {
    (isHit ? hits : misses)[kind.ordinal()].increment();
  }

  Map<BlockKind, BlockCache.Lookups> counts() {
    Map<BlockKind, BlockCache.Lookups> counts = new EnumMap<>(BlockKind.class);
    for (BlockKind kind : BlockKind.values()) {
      counts.put(
          kind, new BlockCache.Lookups(hits[kind.ordinal()].sum(), misses[kind.ordinal()].sum()));
    }
    return counts;
  }

  /** Counts evictions for Caffeine, and nothing else. Thread-safe. */
  static final class Evictions implements StatsCounter {
    private final LongAdder evictions = new LongAdder();

    @Override
    public void recordHits(int count) {}

    @Override
    public void recordMisses(int count) {}

    @Override
    public void recordLoadSuccess(long nanos) {}

    @Override
    public void recordLoadFailure(long nanos) {}

    @Override
    public void recordEviction(int weight, RemovalCause cause) {
      evictions.increment();
    }

    @Override
    public CacheStats snapshot() {
      return CacheStats.of(0, 0, 0, 0, 0, evictions.sum(), 0);
    }
  }
}
