package dev.cairn.server.process.health;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.process.metrics.MemoryUsage;
import java.util.function.Supplier;

/**
 * Checks that no call waits for memory.
 *
 * @param memory returns the present memory usage
 */
public record MemoryHealth(Supplier<MemoryUsage> memory) implements HealthCheck {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public HealthResult check() {
    MemoryUsage now = memory.get();
    return now.calls().waiting() == 0
        ? HealthResult.ok(now.line())
        : HealthResult.warn(
            "Calls wait for memory. Give the server a larger heap (HBASE_HEAPSIZE), or"
                + " send fewer or smaller calls: "
                + now.line());
  }
}
