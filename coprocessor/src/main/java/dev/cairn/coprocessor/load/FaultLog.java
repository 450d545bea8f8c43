package dev.cairn.coprocessor.load;

import dev.cairn.engine.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs unexpected exceptions of coprocessors with their stacks, for each class at most once a
 * minute: a hook may fail with every call. Thread-safe.
 */
public final class FaultLog {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Clock clock;
  private final Map<String, Logged> last = new ConcurrentHashMap<>();

  /** The last message on a class, and the failures since. */
  private record Logged(long nanos, long skipped) {}

  /** Creates it. */
  public FaultLog(Clock clock) {
    this.clock = clock;
  }

  /** Logs a failure of a class, unless another one has been logged within the last minute. */
  public void failed(Class<?> coprocessor, String message, Throwable failure) {
    long now = clock.nanoTime();
    long[] skipped = {-1};
    last.compute(
        coprocessor.getName(),
        (name, before) -> {
          if (before != null && now - before.nanos() < PAUSE_NANOS) {
            return new Logged(before.nanos(), before.skipped() + 1);
          }
          skipped[0] = before == null ? 0 : before.skipped();
          return new Logged(now, 0);
        });
    if (skipped[0] == 0) {
      LOG.error("{}", message, failure);
    } else if (skipped[0] > 0) {
      LOG.error("{} (and {} more failures of the class before)", message, skipped[0], failure);
    }
  }
}
