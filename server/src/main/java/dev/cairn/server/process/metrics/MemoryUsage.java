package dev.cairn.server.process.metrics;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricRecord;
import java.util.Locale;

/**
 * The memory usage of a server.
 *
 * @param calls the memory that calls, responses, connections and scanners have borrowed
 * @param cache the block cache
 * @param memStoreBytes the bytes that all memstores hold
 */
public record MemoryUsage(
    MemoryAccount.Snapshot calls, BlockCache.Statistics cache, long memStoreBytes) {
  private static final double MEGA = 1 << 20;

  /** Adds the usage to the record of a region server's memory. */
  public void collect(MetricRecord.Builder to) {
    to.add(gauge("memStoreSize", "Memory of all memstores."), memStoreBytes)
        .add(gauge("memStoreOnHeapSize", "Memory of all memstores in the heap."), memStoreBytes)
        .add(gauge("memStoreOffHeapSize", "Memory of memstores off the heap."), 0)
        .add(gauge("blockCacheSize", "Memory of cached blocks."), cache.bytes())
        .add(gauge("blockCacheCapacitySize", "Memory for cached blocks."), cache.capacityBytes())
        .add(gauge("callSize", "Memory that calls have borrowed."), calls.borrowedBytes())
        .add(gauge("callCapacitySize", "Memory that calls may borrow."), calls.limitBytes())
        .add(Metric.gauge("waitingCalls", "Calls that wait for memory."), calls.waiting())
        .add(
            Metric.counter("delayedCallCount", "Calls that did not get memory at once."),
            calls.refused());
  }

  private static Metric gauge(String name, String help) {
    return Metric.gauge(name, Metric.Unit.BYTES, help);
  }

  /** Returns the usage as one line of text. */
  public String line() {
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
