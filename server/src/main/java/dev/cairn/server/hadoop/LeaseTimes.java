package dev.cairn.server.hadoop;

import java.time.Duration;

/**
 * The time limits for recovering a file's lease.
 *
 * @param timeout after this time, the recovery fails
 * @param requestPause the time between two requests for the recovery
 * @param lookPause the longest time between two checks whether the file is closed
 */
public record LeaseTimes(Duration timeout, Duration requestPause, Duration lookPause) {
  /** HBase's defaults. */
  public static final LeaseTimes DEFAULTS =
      new LeaseTimes(Duration.ofMinutes(15), Duration.ofSeconds(4), Duration.ofSeconds(1));
}
