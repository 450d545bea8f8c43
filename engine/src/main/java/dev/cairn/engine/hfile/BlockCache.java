package dev.cairn.engine.hfile;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blocks of store files on the heap, decompressed and decoded, the ones that are used most. Shared
 * by all files of a server. Thread-safe. Nothing is locked while a block is read: two threads that
 * miss the same block at once both read it.
 */
public final class BlockCache {
  private final Cache<Key, CachedBlock> blocks;
  private final AtomicLong nextFile = new AtomicLong();
  private final long capacityBytes;

  /**
   * Creates a cache.
   *
   * @param capacityBytes the memory for blocks; with 0 nothing is kept
   * @param executor runs the cache's upkeep
   */
  public BlockCache(long capacityBytes, Executor executor) {
    this.capacityBytes = capacityBytes;
    this.blocks =
        Caffeine.newBuilder()
            .maximumWeight(capacityBytes)
            .weigher(
                (Key key, CachedBlock block) -> (int) Math.min(Integer.MAX_VALUE, block.weight()))
            .executor(executor)
            .recordStats()
            .build();
  }

  /** Returns what the cache has done and holds. */
  public Statistics statistics() {
    CacheStats stats = blocks.stats();
    long bytes = blocks.policy().eviction().orElseThrow().weightedSize().orElse(0);
    return new Statistics(
        stats.hitCount(),
        stats.missCount(),
        stats.evictionCount(),
        blocks.estimatedSize(),
        bytes,
        capacityBytes);
  }

  /** Removes the blocks of a file that is read no more. */
  public void evict(HFileReader file) {
    file.cachedBlocks().evict();
  }

  /** Returns an empty place for the blocks of one file that has been opened. */
  FileBlocks register() {
    return new FileBlocks(nextFile.getAndIncrement());
  }

  /**
   * What a cache has done since it was made, and holds now.
   *
   * @param hits how many blocks were found
   * @param misses how many were not
   * @param evictions how many had to make room
   * @param blocks how many are in the cache, about
   * @param bytes the memory they take
   * @param capacityBytes the memory they may take
   */
  public record Statistics(
      long hits, long misses, long evictions, long blocks, long bytes, long capacityBytes) {}

  private record Key(long file, long offset) {}

  /** The cached blocks of one open file. Thread-safe. */
  final class FileBlocks {
    private final long file;

    /** Where blocks begin that were put in at some time; saves a walk over the whole cache. */
    private final Set<Long> offsets = ConcurrentHashMap.newKeySet();

    private FileBlocks(long file) {
      this.file = file;
    }

    /** Returns the block at {@code offset}, or null. */
    CachedBlock get(long offset) {
      return blocks.getIfPresent(new Key(file, offset));
    }

    void put(long offset, CachedBlock block) {
      if (capacityBytes > 0) {
        offsets.add(offset);
        blocks.put(new Key(file, offset), block);
      }
    }

    void evict() {
      for (Long offset : offsets) {
        blocks.invalidate(new Key(file, offset));
      }
      offsets.clear();
    }
  }
}
