package dev.cairn.engine.hfile;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blocks of store files on the heap, decompressed and decoded, the ones that are used most. Shared
 * by all files of a server. Thread-safe. Nothing is locked while a block is read: two threads that
 * miss the same block at once both read it.
 *
 * <p>Families that are {@code IN_MEMORY} have a share of their own ({@link #inMemory}): their
 * blocks make room for nobody else's. What the share does not need at the moment belongs to the
 * others.
 *
 * <p>A quarter of the cache at most is lent to open files for the blocks that nearly every read of
 * them needs, see {@link PinnedBlocks}.
 */
public final class BlockCache {
  /** HBase's default of {@code hbase.lru.blockcache.memory.percentage}. */
  private static final double IN_MEMORY_SHARE = 0.25;

  private final Shares shares;
  private final Share share;

  /** Creates a cache with HBase's default share for families that are in memory. */
  public BlockCache(long capacityBytes, Executor executor) {
    this(capacityBytes, IN_MEMORY_SHARE, executor);
  }

  /**
   * Creates a cache.
   *
   * @param capacityBytes the memory for blocks; with 0 nothing is kept
   * @param inMemoryShare how much of it families that are in memory may have for themselves, 0 to 1
   * @param executor runs the cache's upkeep
   */
  public BlockCache(long capacityBytes, double inMemoryShare, Executor executor) {
    this.shares = new Shares(capacityBytes, (long) (capacityBytes * inMemoryShare), executor);
    this.share = shares.usual;
  }

  private BlockCache(Shares shares, Share share) {
    this.shares = shares;
    this.share = share;
  }

  /** Returns the same cache, as files of families see it that are {@code IN_MEMORY}. */
  public BlockCache inMemory() {
    return new BlockCache(shares, shares.inMemory);
  }

  /** Returns what the cache has done and holds, both shares together. */
  public Statistics statistics() {
    CacheStats stats = shares.usual.blocks.stats().plus(shares.inMemory.blocks.stats());
    return new Statistics(
        stats.hitCount(),
        stats.missCount(),
        stats.evictionCount(),
        shares.usual.blocks.estimatedSize() + shares.inMemory.blocks.estimatedSize(),
        shares.usual.bytes() + shares.inMemory.bytes() + shares.lent.get(),
        shares.capacityBytes);
  }

  /** Removes the blocks of a file that is read no more. */
  public void evict(HFileReader file) {
    file.cachedBlocks().evict();
  }

  /** Returns an empty place for the blocks of one file that has been opened. */
  FileBlocks register() {
    return new FileBlocks(shares, share, shares.nextFile.getAndIncrement());
  }

  /**
   * What a cache has done since it was made, and holds now.
   *
   * @param hits how many blocks were found, without those that open files keep by themselves
   * @param misses how many were not
   * @param evictions how many had to make room
   * @param blocks how many are in the cache, about, again without those
   * @param bytes the memory that all take, also those
   * @param capacityBytes the memory they may take
   */
  public record Statistics(
      long hits, long misses, long evictions, long blocks, long bytes, long capacityBytes) {}

  private record Key(long file, long offset) {}

  /** A part of the cache, out of which only its own blocks are pushed. */
  private static final class Share {
    private final Cache<Key, CachedBlock> blocks;

    Share(long capacityBytes, Executor executor) {
      this.blocks =
          Caffeine.newBuilder()
              .maximumWeight(capacityBytes)
              .weigher(
                  (Key key, CachedBlock block) -> (int) Math.min(Integer.MAX_VALUE, block.weight()))
              .executor(executor)
              .recordStats()
              .build();
    }

    long bytes() {
      return eviction().weightedSize().orElse(0);
    }

    Policy.Eviction<Key, CachedBlock> eviction() {
      return blocks.policy().eviction().orElseThrow();
    }
  }

  /** Both parts, and the border between them. */
  private static final class Shares {
    /** The border moves by this part of the capacity, so that it seldom moves. */
    private static final int STEPS = 64;

    /** What part of the capacity is lent to open files at most, in their number. */
    private static final int LENT_PART = 4;

    private final long capacityBytes;
    private final long inMemoryBytes;
    private final Share usual;
    private final Share inMemory;
    private final AtomicLong nextFile = new AtomicLong();
    private final AtomicLong lent = new AtomicLong();
    private final AtomicLong border;

    Shares(long capacityBytes, long inMemoryBytes, Executor executor) {
      this.capacityBytes = capacityBytes;
      this.inMemoryBytes = inMemoryBytes;
      this.usual = new Share(capacityBytes, executor);
      this.inMemory = new Share(inMemoryBytes, executor);
      this.border = new AtomicLong(capacityBytes);
    }

    /** Leaves to the usual blocks what those in memory do not take, and what is not lent. */
    void moveBorder() {
      if (border.get() != left()) {
        synchronized (border) { // or of two moves the earlier might be the one that stays
          long left = left();
          if (border.getAndSet(left) != left) {
            usual.eviction().setMaximum(left);
          }
        }
      }
    }

    /** Tells whether so much is left to lend, for the moment. */
    boolean mayLend(long bytes) {
      return bytes <= capacityBytes / LENT_PART - lent.get();
    }

    boolean lend(long bytes) {
      long now = lent.get();
      while (bytes <= capacityBytes / LENT_PART - now) {
        if (lent.compareAndSet(now, now + bytes)) {
          moveBorder();
          return true;
        }
        now = lent.get();
      }
      return false;
    }

    void giveBack(long bytes) {
      lent.addAndGet(-bytes);
      moveBorder();
    }

    private long left() {
      long step = Math.max(1, capacityBytes / STEPS);
      long taken = (inMemory.bytes() + step - 1) / step * step;
      long gone = (lent.get() + step - 1) / step * step;
      return Math.max(0, capacityBytes - Math.min(inMemoryBytes, taken) - gone);
    }
  }

  /** The cached blocks of one open file. Thread-safe. */
  static final class FileBlocks {
    private final Shares shares;
    private final Share share;
    private final long file;

    /** Where blocks begin that were put in at some time; saves a walk over the whole cache. */
    private final Set<Long> offsets = ConcurrentHashMap.newKeySet();

    private long lent; // guarded by this, as is the next one
    private boolean closed;

    private FileBlocks(Shares shares, Share share, long file) {
      this.shares = shares;
      this.share = share;
      this.file = file;
    }

    /** Returns the block at {@code offset}, or null. */
    CachedBlock get(long offset) {
      return share.blocks.getIfPresent(new Key(file, offset));
    }

    /**
     * As {@link #get}, for one pass over a file: it counts neither as a use of the block nor as a
     * hit or miss, so that what a compaction reads says nothing about what requests read.
     */
    CachedBlock peek(long offset) {
      return share.blocks.policy().getIfPresentQuietly(new Key(file, offset));
    }

    void put(long offset, CachedBlock block) {
      if (shares.capacityBytes > 0) {
        offsets.add(offset);
        share.blocks.put(new Key(file, offset), block);
        if (share == shares.inMemory) {
          shares.moveBorder();
        }
      }
    }

    /** Removes a block, which the file keeps by itself from now on. */
    void remove(long offset) {
      share.blocks.invalidate(new Key(file, offset));
    }

    /** Puts another form of a block in its place, unless it has left the cache meanwhile. */
    void replace(long offset, CachedBlock block, CachedBlock better) {
      share.blocks.asMap().replace(new Key(file, offset), block, better);
    }

    /** Tells whether the file may keep so many bytes more by itself, until {@link #evict}. */
    boolean lend(long bytes) {
      // Where all is lent, each look at a block that would be kept asks in vain: without the lock.
      return shares.mayLend(bytes) && lendIfOpen(bytes);
    }

    private synchronized boolean lendIfOpen(long bytes) {
      boolean done = !closed && shares.lend(bytes);
      lent += done ? bytes : 0;
      return done;
    }

    synchronized void giveBack(long bytes) {
      if (!closed) {
        lent -= bytes;
        shares.giveBack(bytes);
      }
    }

    private synchronized void giveAllBack() {
      closed = true;
      shares.giveBack(lent);
      lent = 0;
    }

    /** Removes all blocks of the file, which is read no more. */
    void evict() {
      giveAllBack();
      for (Long offset : offsets) {
        share.blocks.invalidate(new Key(file, offset));
      }
      offsets.clear();
      if (share == shares.inMemory) {
        shares.moveBorder();
      }
    }
  }
}
