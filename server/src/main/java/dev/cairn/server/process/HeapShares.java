package dev.cairn.server.process;

import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.UpkeepSettings;
import java.util.function.LongSupplier;

/**
 * How a heap is divided. Memstores and the block cache have the shares that their keys name. Calls
 * get what is left when the memstores are full and the cache keeps only an eighth of its share, so
 * the cache gives way to calls, down to that, while all together take more than the heap has.
 *
 * <pre>
 *   base | collector | memstores | cache, least | calls
 *                                |  cache, most ...  |
 * </pre>
 *
 * @param usableBytes what memstores, cache and calls may take together
 * @param cacheBytes what the cache may take while there is room
 * @param cacheBytesMin what the cache keeps in any case
 * @param callBytes what calls may take together
 */
record HeapShares(long usableBytes, long cacheBytes, long cacheBytesMin, long callBytes) {
  /** What a server without data, regions and calls takes. */
  private static final long BASE_BYTES = 32L << 20;

  /**
   * The collector's share, which also covers memory that no account counts, such as the buffers for
   * small cells. G1 needs contiguous room for a large array and cannot move large arrays: with an
   * eighth, cells of 8 MB ended a server of 256 MB while 70 MB were free.
   */
  private static final double COLLECTOR_SHARE = 0.2;

  private static final int CACHE_PARTS_MIN = 8;

  /** A heap whose keys leave less to calls is overbooked by as much. */
  private static final int CALL_PARTS_MIN = 16;

  /** Divides a heap as {@code config} says. */
  static HeapShares of(SiteConfig config, long heapBytes) {
    long memStores = (long) (config.get(UpkeepSettings.GLOBAL_MEMSTORE_SHARE) * heapBytes);
    long cache = (long) (config.get(EngineKeys.CACHE_SHARE) * heapBytes);
    long cacheMin = cache / CACHE_PARTS_MIN;
    long usable = heapBytes - BASE_BYTES - (long) (COLLECTOR_SHARE * heapBytes);
    long calls = Math.max(heapBytes / CALL_PARTS_MIN, usable - memStores - cacheMin);
    return new HeapShares(usable, cache, cacheMin, calls);
  }

  /** Returns how large the cache may be while memstores and calls take so much. */
  long cacheBytes(long memStoreBytes, long lentBytes) {
    long left = usableBytes - memStoreBytes - lentBytes;
    return Math.max(cacheBytesMin, Math.min(cacheBytes, left));
  }

  /**
   * Keeps the cache within what memstores and calls leave: whenever calls borrow much more or less,
   * and whenever {@link #run} is called, since memstores grow by themselves. Thread-safe.
   *
   * @param memStoreBytes what all memstores hold
   */
  record Balance(
      HeapShares shares, BlockCache cache, MemoryAccount account, LongSupplier memStoreBytes)
      implements Runnable {
    /** Begins to be called by the account. */
    void watch() {
      account.observe(this::resize);
    }

    @Override
    public void run() {
      resize(account.borrowedBytes());
    }

    private void resize(long lentBytes) {
      cache.limit(shares.cacheBytes(memStoreBytes.getAsLong(), lentBytes));
    }
  }
}
