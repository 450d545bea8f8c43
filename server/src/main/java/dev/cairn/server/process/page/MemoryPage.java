package dev.cairn.server.process.page;

import dev.cairn.server.page.Facts;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Value;
import dev.cairn.server.process.metrics.MemoryUsage;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;

/** The page of a region server's memory: calls, memstores, block cache, heap. Stateless. */
public final class MemoryPage {
  private MemoryPage() {}

  public static PageSource source(Supplier<MemoryUsage> usage) {
    return PageSource.of(
        PageInfo.of(
            "memory",
            "Memory and cache",
            MenuGroup.SERVER,
            "The memory of calls, memstores and cached blocks, the cache's hits, and the heap."),
        request -> page(usage.get()));
  }

  private static Page page(MemoryUsage usage) {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    long reads = usage.cache().hits() + usage.cache().misses();
    List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    return Page.of(
        "Memory and cache",
        new Tiles(
            "summary",
            List.of(
                new Fact("heapBytes", "Heap used", Value.bytes(used)),
                new Fact("heapMaxBytes", "Heap", Value.bytes(runtime.maxMemory())),
                new Fact("memStoreBytes", "Memstores", Value.bytes(usage.memStoreBytes())),
                new Fact("cacheBytes", "Block cache", Value.bytes(usage.cache().bytes())),
                new Fact("callBytes", "Calls", Value.bytes(usage.calls().borrowedBytes())),
                new Fact(
                    "hitRatio",
                    "Cache hits",
                    reads == 0 ? Value.NONE : Value.ratio((double) usage.cache().hits() / reads)))),
        new Facts(
            "cache",
            "Block cache",
            List.of(
                new Fact("blocks", "Blocks", Value.count(usage.cache().blocks())),
                new Fact("bytes", "Memory", Value.bytes(usage.cache().bytes())),
                new Fact("capacityBytes", "Room", Value.bytes(usage.cache().capacityBytes())),
                new Fact("hits", "Hits", Value.count(usage.cache().hits())),
                new Fact("misses", "Misses", Value.count(usage.cache().misses())),
                new Fact("evictions", "Evictions", Value.count(usage.cache().evictions())))),
        new Facts(
            "calls",
            "Memory of calls",
            List.of(
                new Fact("borrowedBytes", "Borrowed", Value.bytes(usage.calls().borrowedBytes())),
                new Fact("limitBytes", "Limit", Value.bytes(usage.calls().limitBytes())),
                new Fact(
                    "waiting",
                    "Calls that wait for memory",
                    usage.calls().waiting() == 0
                        ? Value.count(0)
                        : Value.state(Level.WARN, Long.toString(usage.calls().waiting()))),
                new Fact("refused", "Delayed or refused", Value.count(usage.calls().refused())))),
        new Facts(
            "collections",
            "Garbage collection",
            collectors.stream()
                .map(
                    one ->
                        new Fact(
                            "c" + one.getName().replaceAll("[^A-Za-z0-9]", ""),
                            one.getName() + ", " + one.getCollectionCount() + " times",
                            Value.millis(Math.max(0, one.getCollectionTime()))))
                .toList()));
  }
}
