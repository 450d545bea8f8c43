package dev.cairn.server.process;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import java.util.Locale;

/**
 * The memory usage of a server.
 *
 * @param calls the memory that calls, responses, connections and scanners have borrowed
 * @param cache the block cache
 * @param memStoreBytes the bytes that all memstores hold
 */
record MemoryUsage(MemoryAccount.Snapshot calls, BlockCache.Statistics cache, long memStoreBytes) {
  private static final double MEGA = 1 << 20;

  /** Returns the usage as one line of text. */
  String line() {
    return String.format(
        Locale.ROOT,
        "calls %.1f of %.1f MB (%d waiting, %d refused or delayed), memstores %.1f MB, block cache"
            + " %.1f of %.1f MB",
        calls.borrowedBytes() / MEGA,
        calls.limitBytes() / MEGA,
        calls.waiting(),
        calls.refused(),
        memStoreBytes / MEGA,
        cache.bytes() / MEGA,
        cache.capacityBytes() / MEGA);
  }
}
