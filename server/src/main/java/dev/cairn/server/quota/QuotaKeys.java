package dev.cairn.server.quota;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys about quotas. */
public final class QuotaKeys {
  /** The switch for quotas. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.quota.enabled",
          false,
          "Whether quotas are in force: throttles (in the table hbase:quota), limits of"
              + " namespaces on their tables and regions, and space quotas.");

  /** The time between two comparisons with limits on space. */
  public static final ConfigKey<Long> OBSERVER_MILLIS =
      ConfigKey.number(
          "hbase.master.quotas.observer.chore.period",
          60_000,
          10,
          Integer.MAX_VALUE,
          "Time between two comparisons of tables with their space quotas, in milliseconds.");

  /** The time between two measurements of snapshots. */
  public static final ConfigKey<Long> SNAPSHOT_MILLIS =
      ConfigKey.number(
          "hbase.master.quotas.snapshot.chore.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "Time between two measurements of the snapshots of tables with space quotas, in"
              + " milliseconds.");

  /** The share of regions that must have reported. */
  public static final ConfigKey<Double> REPORTED =
      ConfigKey.fraction(
          "hbase.master.quotas.observer.report.percent",
          "0.95",
          "Minimum share of a table's regions whose sizes must be known before the table is"
              + " compared with its space quota.");

  /** The time between two reports of sizes. */
  public static final ConfigKey<Long> REPORT_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.quotas.fs.utilization.chore.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "Time between two reports of a region server on the sizes of its regions, in"
              + " milliseconds.");

  /** The time between two looks at limits on space. */
  public static final ConfigKey<Long> POLICY_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.quotas.policy.refresher.chore.period",
          60_000,
          10,
          Integer.MAX_VALUE,
          "Maximum time until a region server enforces an exceeded space quota, in"
              + " milliseconds.");

  /** The time between two looks at the settings. */
  public static final ConfigKey<Long> REFRESH_MILLIS =
      ConfigKey.number(
          "hbase.quota.refresh.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "Maximum time until a changed throttle is in force, in milliseconds.");

  private QuotaKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        ENABLED,
        REFRESH_MILLIS,
        OBSERVER_MILLIS,
        SNAPSHOT_MILLIS,
        REPORTED,
        REPORT_MILLIS,
        POLICY_MILLIS);
  }
}
