package dev.cairn.server.process;

import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import java.util.Locale;

/**
 * How the memory of a server is used.
 *
 * @param calls what calls, answers, connections and scanners have borrowed
 * @param cache the block cache
 * @param memStoreBytes what all memstores hold
 */
record MemoryFacts(MemoryAccount.Snapshot calls, BlockCache.Statistics cache, long memStoreBytes) {
  private static final double MEGA = 1 << 20;

  /** Returns it as one line for people. */
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
