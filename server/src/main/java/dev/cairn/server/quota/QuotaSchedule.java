package dev.cairn.server.quota;

import dev.cairn.server.config.SiteConfig;
import java.time.Duration;

/**
 * What the master does about quotas.
 *
 * @param enabled whether there are quotas
 * @param observation the time between two comparisons of tables with their limits on space
 * @param snapshots the time between two measurements of snapshots
 * @param reported the part of a table's regions whose sizes must be known before its size counts,
 *     from 0 to 1
 */
public record QuotaSchedule(
    boolean enabled, Duration observation, Duration snapshots, double reported) {
  /** No quotas. */
  public static final QuotaSchedule OFF =
      new QuotaSchedule(false, Duration.ofMinutes(1), Duration.ofMinutes(5), 1);

  /** Reads the settings. */
  public static QuotaSchedule of(SiteConfig config) {
    return new QuotaSchedule(
        config.get(QuotaKeys.ENABLED),
        Duration.ofMillis(config.get(QuotaKeys.OBSERVER_MILLIS)),
        Duration.ofMillis(config.get(QuotaKeys.SNAPSHOT_MILLIS)),
        config.get(QuotaKeys.REPORTED));
  }
}
