package dev.cairn.server.process.health;

import dev.cairn.engine.wal.Wal;
import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.regionserver.logs.ServerLogs;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Checks that the write-ahead logs accept entries, and that their disk is not too slow.
 *
 * @param logs the region server's logs
 */
public record LogHealth(ServerLogs logs) implements HealthCheck {
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(10);

  @Override
  public String name() {
    return "log";
  }

  @Override
  public HealthResult check() {
    try {
      for (Wal log : logs.all()) {
        log.checkWritable();
      }
    } catch (IOException e) {
      return HealthResult.fail("Writes are refused: " + e.getMessage());
    }
    long nanos = logs.all().stream().mapToLong(Wal::commitNanos).max().orElse(0);
    String waiting =
        "The write-ahead log has been waiting for its disk for "
            + TimeUnit.NANOSECONDS.toSeconds(nanos)
            + " s, and writes wait for it. Check the disk of the log.";
    if (nanos >= STALLED_NANOS) {
      return HealthResult.fail(waiting);
    }
    return nanos >= SLOW_NANOS
        ? HealthResult.warn(waiting)
        : HealthResult.ok("The write-ahead log accepts writes.");
  }
}
