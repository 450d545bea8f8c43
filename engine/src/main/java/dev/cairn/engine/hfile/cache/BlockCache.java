package dev.cairn.engine.hfile.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.BlockSlabs;
import dev.cairn.engine.hfile.block.CachedBlock;
import dev.cairn.engine.hfile.block.CachedBlock.BloomChunk;
import dev.cairn.engine.hfile.block.DataBlock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blocks of store files on the heap, decompressed and decoded, the ones that are used most. Shared
 * by all files of a server. Thread-safe. Nothing is locked while a block is read: two threads that
 * miss the same block at once both read it.
 *
 * <p>Families that are {@code IN_MEMORY} have their own share ({@link #inMemory}): their blocks are
 * never evicted for others. The unused part of the share belongs to the others.
 *
 * <p>A quarter of the cache at most is lent to open files for the blocks that nearly every read of
 * them needs, see {@link PinnedBlocks}.
 */
public final class BlockCache {
  /** HBase's default of {@code hbase.lru.blockcache.memory.percentage}. */
  private static final double IN_MEMORY_SHARE = 0.25;

  private static final long SLAB_BYTES_MIN = 2 << 20;
  private static final long SLAB_BYTES_MAX = 32 << 20;
  private static final int ARRAY_HEADER_BYTES = 16;

  /** The uses that a block gets that is read ahead of them. */
  private static final int USES_AHEAD = 3;

  /** The border between shares moves by this part of the capacity, so that it seldom moves. */
  private static final int STEPS = 64;

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
   * @param executor runs the cache's maintenance
   */
  public BlockCache(long capacityBytes, double inMemoryShare, Executor executor) {
    this(capacityBytes, inMemoryShare, 0, executor);
  }

  /**
   * Creates a cache whose blocks lie in slabs once they are used again, if it holds enough of them.
   *
   * @param slabBytes the length of a slab, see {@link #slabBytes}; 0 for none
   */
  public BlockCache(long capacityBytes, double inMemoryShare, int slabBytes, Executor executor) {
    this.shares =
        new Shares(capacityBytes, (long) (capacityBytes * inMemoryShare), slabBytes, executor);
    this.share = shares.usual;
  }

  /**
   * Returns how long slabs should be in a heap of that size. G1 divides a heap into about 2,048
   * regions, of a power of two from 1 to 32 MB; an array that takes more than half of one has
   * regions of its own and is never copied, and with its header it should fill them.
   */
  public static int slabBytes(long heapBytes) {
    long regions = Math.min(SLAB_BYTES_MAX, Math.max(SLAB_BYTES_MIN, heapBytes / 2048));
    return (int) Long.highestOneBit(2 * regions - 1) - ARRAY_HEADER_BYTES;
  }

  private BlockCache(Shares shares, Share share) {
    this.shares = shares;
    this.share = share;
  }

  /** Returns the same cache, as files of families see it that are {@code IN_MEMORY}. */
  public BlockCache inMemory() {
    return new BlockCache(shares, shares.inMemory);
  }

  /**
   * Limits the cache to {@code bytes} until the next call. Blocks of {@code IN_MEMORY} families and
   * blocks in use by open files stay even if they exceed the limit. A value above the capacity
   * means "no limit". May evict blocks on the calling thread.
   */
  public void limit(long bytes) {
    shares.limit(bytes);
  }

  /** Returns the counters and sizes of the cache, both shares together. */
  public Statistics statistics() {
    CacheStats stats = shares.usual.blocks.stats().plus(shares.inMemory.blocks.stats());
    return new Statistics(
        shares.lookups.counts(),
        stats.evictionCount(),
        shares.usual.blocks.estimatedSize() + shares.inMemory.blocks.estimatedSize(),
        shares.usual.bytes() + shares.inMemory.bytes() + shares.lent.get(),
        Math.min(shares.capacityBytes, shares.allowedBytes));
  }

  /**
   * Returns the cached blocks of each file. Walks over all blocks (some milliseconds for 100,000)
   * without a lock; counts no use of them.
   */
  public CacheContents contents() {
    Map<Long, CacheContents.Blocks> files = new HashMap<>();
    for (Share one : List.of(shares.usual, shares.inMemory)) {
      one.blocks
          .asMap()
          .forEach((key, block) -> files.merge(key.file, one(block), CacheContents.Blocks::plus));
    }
    return new CacheContents(files);
  }

  private static CacheContents.Blocks one(CachedBlock block) {
    long bytes = block.weight();
    if (block instanceof DataBlock) {
      return new CacheContents.Blocks(1, bytes, 0, 0, 0);
    }
    return block instanceof BloomChunk
        ? new CacheContents.Blocks(0, 0, 0, bytes, 0)
        : new CacheContents.Blocks(0, 0, bytes, 0, 0);
  }

  /** Returns the memory that slabs take, gaps included, bytes. */
  long slabMemory() {
    return shares.slabs.bytes();
  }

  /** Returns an empty place for the blocks of one file that has been opened. */
  public FileBlocks register() {
    return new FileBlocks(shares, share, shares.nextFile.getAndIncrement());
  }

  /**
   * The counters of a cache since its creation, and its current contents.
   *
   * @param lookups the lookups by the kind of the block; open files keep blocks of other kinds
   *     themselves
   * @param evictions blocks that were evicted to make room
   * @param blocks approximate number of blocks in the cache, without the kinds that open files keep
   * @param bytes memory of all blocks, including those that open files keep
   * @param capacityBytes maximum memory of all blocks at this time
   */
  public record Statistics(
      Map<BlockKind, Lookups> lookups,
      long evictions,
      long blocks,
      long bytes,
      long capacityBytes) {
    /** Returns how many blocks were found. */
    public long hits() {
      return lookups.values().stream().mapToLong(Lookups::hits).sum();
    }

    /** Returns how many blocks were not found. */
    public long misses() {
      return lookups.values().stream().mapToLong(Lookups::misses).sum();
    }
  }

  /**
   * The lookups of one kind of blocks.
   *
   * @param hits how many found the block
   * @param misses how many did not
   */
  public record Lookups(long hits, long misses) {}

  /**
   * The result of a requested removal from a cache.
   *
   * @param blocks the number of blocks
   * @param bytes the memory that they took
   */
  public record Eviction(long blocks, long bytes) {
    /** The result if nothing was removed. */
    public static final Eviction NONE = new Eviction(0, 0);

    /** Returns the sum of both. */
    public Eviction plus(Eviction other) {
      return new Eviction(blocks + other.blocks, bytes + other.bytes);
    }
  }

  private record Key(long file, long offset) {}

  /** A part of the cache; only its own blocks are evicted from it. */
  private static final class Share {
    private final Cache<Key, CachedBlock> blocks;

    /**
     * True if, at the last change, more room was free than concurrently added blocks take. A cached
     * flag, because asking the cache takes its lock and readers must not.
     */
    private volatile boolean roomy;

    Share(long capacityBytes, BlockSlabs slabs, Executor executor) {
      this.blocks =
          Caffeine.newBuilder()
              .maximumWeight(capacityBytes)
              .weigher(
                  (Key key, CachedBlock block) -> (int) Math.min(Integer.MAX_VALUE, block.weight()))
              .removalListener((Key key, CachedBlock block, RemovalCause why) -> left(slabs, block))
              .executor(executor)
              .recordStats(LookupCounter.Evictions::new)
              .build();
      this.roomy = capacityBytes > 0;
    }

    private static void left(BlockSlabs slabs, CachedBlock block) {
      if (block instanceof DataBlock data) {
        slabs.release(data.slice());
      }
    }

    /** Looks anew whether there is room. */
    void look() {
      Policy.Eviction<Key, CachedBlock> eviction = eviction();
      long most = eviction.getMaximum();
      roomy = most - eviction.weightedSize().orElse(most) > most / STEPS;
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
    /** Open files may borrow this fraction of the capacity: a quarter. */
    private static final int LENT_PART = 4;

    private final long capacityBytes;
    private final long inMemoryBytes;
    private final BlockSlabs slabs;
    private final LookupCounter lookups = new LookupCounter();
    private final BlockMemory.Spares readings = new BlockMemory.Spares();
    private final Share usual;
    private final Share inMemory;
    private final AtomicLong nextFile = new AtomicLong();
    private final AtomicLong lent = new AtomicLong();
    private final AtomicLong border;
    private volatile long allowedBytes = Long.MAX_VALUE;

    Shares(long capacityBytes, long inMemoryBytes, int slabBytes, Executor executor) {
      this.capacityBytes = capacityBytes;
      this.inMemoryBytes = inMemoryBytes;
      this.slabs = new BlockSlabs(slabBytes, capacityBytes);
      this.usual = new Share(capacityBytes, slabs, executor);
      this.inMemory = new Share(inMemoryBytes, slabs, executor);
      this.border = new AtomicLong(capacityBytes);
    }

    /** Gives the usual blocks all capacity that in-memory blocks and loans do not use. */
    void moveBorder() {
      if (border.get() != left()) {
        synchronized (border) { // or of two moves the earlier might be the one that stays
          long left = left();
          if (border.getAndSet(left) != left) {
            usual.eviction().setMaximum(left);
            usual.look();
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

    void limit(long bytes) {
      allowedBytes = bytes;
      moveBorder();
    }

    private long left() {
      long step = Math.max(1, capacityBytes / STEPS);
      long taken = (inMemory.bytes() + step - 1) / step * step;
      long gone = (lent.get() + step - 1) / step * step;
      long allowed = allowedBytes >= capacityBytes ? capacityBytes : allowedBytes / step * step;
      return Math.max(0, allowed - Math.min(inMemoryBytes, taken) - gone);
    }
  }

  /** The cached blocks of one open file. Thread-safe. */
  public static final class FileBlocks {
    private final Shares shares;
    private final Share share;
    private final long file;

    /** The offsets of all blocks ever put in; they save a walk over the whole cache. */
    private final Set<Long> offsets = ConcurrentHashMap.newKeySet();

    private long lent; // guarded by this, as is the next one
    private boolean closed;

    private FileBlocks(Shares shares, Share share, long file) {
      this.shares = shares;
      this.share = share;
      this.file = file;
    }

    /** Returns the block at {@code offset}, or null. Its kind must be {@code kind}. */
    public CachedBlock get(long offset, BlockKind kind) {
      CachedBlock block = share.blocks.getIfPresent(new Key(file, offset));
      shares.lookups.count(kind, block != null);
      return block;
    }

    /**
     * As {@link #get}, for one pass over a file, such as a compaction: it counts neither as a use
     * of the block nor as a hit or miss.
     */
    public CachedBlock peek(long offset) {
      return share.blocks.policy().getIfPresentQuietly(new Key(file, offset));
    }

    /**
     * Returns the offsets of the data blocks that are in the cache, ascending. Not a use of them.
     */
    public long[] dataOffsets() {
      return offsets.stream()
          .mapToLong(Long::longValue)
          .filter(offset -> peek(offset) instanceof DataBlock)
          .sorted()
          .toArray();
    }

    /**
     * Counts some uses of a block that has been read ahead of them, but no hits. A full cache would
     * evict a block without uses at once.
     */
    public void use(long offset) {
      for (int i = 0; i < USES_AHEAD; i++) {
        share.blocks.getIfPresent(new Key(file, offset));
      }
    }

    /** Puts the block at {@code offset} of the file into the cache. */
    public void put(long offset, CachedBlock block) {
      if (shares.capacityBytes > 0) {
        offsets.add(offset);
        share.blocks.put(new Key(file, offset), block);
        if (share == shares.inMemory) {
          shares.moveBorder();
        }
        if (shares.slabs.exist()) {
          share.look();
          shares.slabs.tidy();
        }
      }
    }

    /** Removes a block, which the file itself keeps from now on. */
    public void remove(long offset) {
      share.blocks.invalidate(new Key(file, offset));
    }

    /**
     * Returns memory for a block that is to be read and copied into the cache ({@link #putCopy}).
     * Empty if the block should have its own arrays: if there are no slabs, or if it would evict
     * another block; then it goes into a slab only when it is asked for again. The caller must give
     * it back ({@link #giveBack}).
     */
    public Optional<BlockMemory.Reused> borrow() {
      return hasRoom() ? Optional.of(shares.readings.borrow()) : Optional.empty();
    }

    /** Tells whether there are slabs, and a block that comes there pushes no other one out. */
    boolean hasRoom() {
      return shares.slabs.exist() && share.roomy;
    }

    /** Gives back memory from {@link #borrow}. */
    public void giveBack(BlockMemory.Reused memory) {
      shares.readings.giveBack(memory);
    }

    /** Puts a copy of a block into the cache, in a slab if it fits into one, and returns it. */
    public DataBlock putCopy(long offset, DataBlock block) {
      DataBlock copy = copy(offset, block);
      put(offset, copy);
      return copy;
    }

    /**
     * Returns a block that is in the cache as one that is used, with a table of its rows, and in a
     * slab if there are any and the cache has room; and puts it in its place, unless it has left
     * the cache meanwhile. Nothing else is moved, and the cache's maintenance is not waited for:
     * network threads do this, too.
     */
    public DataBlock settle(long offset, DataBlock block) {
      boolean moves = block.slice() == BlockSlabs.Slice.NONE && hasRoom();
      if (!moves) {
        shares.slabs.retain(block.slice()); // which two blocks share until one replaces the other
      }
      DataBlock there = moves ? copy(offset, block) : block;
      DataBlock better = there.withRowPrefixes();
      replace(offset, block, better);
      return better;
    }

    private DataBlock copy(long offset, DataBlock block) {
      int length = block.cellBytes();
      return block.movedTo(
          shares.slabs.takes(length)
              ? shares.slabs.reserve(slab -> moveFrom(slab, offset), length)
              : BlockSlabs.alone(length));
    }

    /**
     * Moves a block out of a slab, if it is in one. In a full cache it gets an array of its own:
     * slabs have gaps again and again there, and it would move each time.
     */
    private void moveFrom(BlockSlabs.Slab slab, long offset) {
      if (peek(offset) instanceof DataBlock block && block.slice().slab() == slab) {
        DataBlock moved =
            hasRoom()
                ? copy(offset, block)
                : block.movedTo(BlockSlabs.alone(block.slice().length()));
        replace(offset, block, block.hasRowPrefixes() ? moved.withRowPrefixes() : moved);
      }
    }

    private void replace(long offset, DataBlock block, DataBlock better) {
      if (!share.blocks.asMap().replace(new Key(file, offset), block, better)) {
        shares.slabs.release(better.slice());
      }
    }

    /** Tells whether the file itself may keep so many more bytes, until {@link #evict}. */
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

    /** Returns the cached blocks of this file, including those that the file keeps by itself. */
    public CacheContents.Blocks in(CacheContents contents) {
      CacheContents.Blocks cached = contents.files().getOrDefault(file, CacheContents.Blocks.NONE);
      synchronized (this) {
        return cached.plus(new CacheContents.Blocks(0, 0, 0, 0, lent));
      }
    }

    /** Tells whether a block is in the cache; not a use of the block. */
    public boolean contains(long offset) {
      return peek(offset) != null;
    }

    /**
     * Removes the blocks of the file, which can still be read. Blocks that the open file keeps by
     * itself stay.
     */
    public Eviction clear() {
      long blocks = 0;
      long bytes = 0;
      for (Long offset : offsets) {
        CachedBlock removed = share.blocks.asMap().remove(new Key(file, offset));
        if (removed != null) {
          blocks++;
          bytes += removed.weight();
        }
        offsets.remove(offset);
      }
      madeRoom();
      return new Eviction(blocks, bytes);
    }

    /** Removes all blocks of the file, which is not read any more. */
    public void evict() {
      giveAllBack();
      for (Long offset : offsets) {
        share.blocks.invalidate(new Key(file, offset));
      }
      offsets.clear();
      madeRoom();
    }

    private void madeRoom() {
      if (share == shares.inMemory) {
        shares.moveBorder();
      }
      if (shares.slabs.exist()) {
        share.look();
      }
    }
  }
}
