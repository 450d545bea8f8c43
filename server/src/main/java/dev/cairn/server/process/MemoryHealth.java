package dev.cairn.server.process;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.util.function.Supplier;

/**
 * Tells what calls, memstores and the block cache take of the heap.
 *
 * @param memory how it is used now
 */
record MemoryHealth(Supplier<MemoryFacts> memory) implements HealthCheck {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public HealthResult check() {
    MemoryFacts now = memory.get();
    return now.calls().waiting() == 0
        ? HealthResult.ok(now.line())
        : HealthResult.warn(
            "Calls wait for memory; a larger heap (HBASE_HEAPSIZE) or fewer and smaller calls help: "
                + now.line());
  }
}
