package dev.cairn.server.process;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.EngineKeys;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import java.util.function.LongSupplier;

/**
 * The division of a heap. Memstores and the block cache have the shares that their keys set. Calls
 * get the rest when the memstores are full and the cache keeps only an eighth of its share. So the
 * cache gives way to calls, down to that eighth, when all together exceed the heap.
 *
 * <pre>
 *   base | collector | gaps | memstores | cache, least | calls
 *                                       |  cache, most ...  |
 * </pre>
 *
 * @param usableBytes the bytes that memstores, cache and calls may take together
 * @param cacheBytes the most bytes of the cache, while memory is free
 * @param cacheBytesMin the bytes that the cache always keeps
 * @param callBytes the bytes that all calls may take together
 */
record HeapShares(long usableBytes, long cacheBytes, long cacheBytesMin, long callBytes) {
  /** The heap of a server without data, regions and calls. */
  private static final long BASE_BYTES = 32L << 20;

  /**
   * The collector's share, which also covers memory that no account counts, such as the buffers for
   * small cells. With an eighth, cells of 8 MB ended a server of 256 MB while 70 MB were free.
   */
  private static final double COLLECTOR_SHARE = 0.2;

  /**
   * The share of the gaps between large arrays, up to {@link #GAPS_BYTES_MAX}, with a Java whose G1
   * never moves them.
   */
  private static final double GAPS_SHARE = 1.0 / 6;

  private static final long GAPS_BYTES_MAX = 128L << 20;

  /** The first Java whose G1 moves large arrays when it needs contiguous room (JDK-8191565). */
  private static final int MOVES_LARGE_ARRAYS = 22;

  /**
   * The system property that {@code bin/cairn} sets if it chose a collector that moves all arrays.
   * Asking the JVM for its collector would take 30 to 90 ms of the start.
   */
  private static final String COMPACTED = "cairn.heap.compacted";

  private static final int CACHE_PARTS_MIN = 8;

  /**
   * Calls get at least 1/16 of the heap, even if the keys leave less; the heap is then overbooked.
   */
  private static final int CALL_PARTS_MIN = 16;

  /** Divides this process's heap by the shares in {@code config}. */
  static HeapShares of(SiteConfig config) {
    boolean movesLargeArrays =
        Runtime.version().feature() >= MOVES_LARGE_ARRAYS || Boolean.getBoolean(COMPACTED);
    return of(config, Runtime.getRuntime().maxMemory(), movesLargeArrays);
  }

  /**
   * Divides a heap by the shares in {@code config}.
   *
   * @param movesLargeArrays whether the collector leaves no gaps between large arrays
   */
  static HeapShares of(SiteConfig config, long heapBytes, boolean movesLargeArrays) {
    long memStores = (long) (config.get(MaintenanceSettings.GLOBAL_MEMSTORE_SHARE) * heapBytes);
    long cache = (long) (config.get(EngineKeys.CACHE_SHARE) * heapBytes);
    long cacheMin = cache / CACHE_PARTS_MIN;
    long gaps = movesLargeArrays ? 0 : (long) Math.min(GAPS_BYTES_MAX, GAPS_SHARE * heapBytes);
    long usable = heapBytes - BASE_BYTES - (long) (COLLECTOR_SHARE * heapBytes) - gaps;
    long calls = Math.max(heapBytes / CALL_PARTS_MIN, usable - memStores - cacheMin);
    return new HeapShares(usable, cache, cacheMin, calls);
  }

  /** Returns the allowed size of the cache for a usage by memstores and calls. */
  long cacheBytes(long memStoreBytes, long lentBytes) {
    long left = usableBytes - memStoreBytes - lentBytes;
    return Math.max(cacheBytesMin, Math.min(cacheBytes, left));
  }

  /**
   * Resizes the cache to the memory that memstores and calls leave free. Acts when the borrowed
   * memory changes much, and on each {@link #run}, because memstores do not borrow. Thread-safe.
   *
   * @param memStoreBytes the bytes that all memstores hold
   */
  record Balance(
      HeapShares shares, BlockCache cache, MemoryAccount account, LongSupplier memStoreBytes)
      implements Runnable {
    /** Registers with the account. */
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
