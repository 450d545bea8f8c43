package dev.cairn.server.quota;

import dev.cairn.server.config.SiteConfig;
import java.time.Duration;

/**
 * The master's settings for quotas.
 *
 * @param enabled true if quotas are in force
 * @param observation time between two comparisons of tables with their space quotas
 * @param snapshots the time between two measurements of snapshots
 * @param reported share of a table's regions whose sizes must be known before its size counts, from
 *     0 to 1
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
