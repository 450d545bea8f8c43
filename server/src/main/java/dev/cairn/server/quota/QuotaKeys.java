package dev.cairn.server.quota;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys about quotas. */
public final class QuotaKeys {
  /** Whether there are quotas. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.quota.enabled",
          false,
          "Whether there are quotas: throttles, which lie in hbase:quota, and the limits that"
              + " namespaces set on their tables and regions, and limits on space.");

  /** The time between two comparisons with limits on space. */
  public static final ConfigKey<Long> OBSERVER_MILLIS =
      ConfigKey.number(
          "hbase.master.quotas.observer.chore.period",
          60_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds between two comparisons of tables with their limits on space.");

  /** The time between two measurements of snapshots. */
  public static final ConfigKey<Long> SNAPSHOT_MILLIS =
      ConfigKey.number(
          "hbase.master.quotas.snapshot.chore.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds between two measurements of the snapshots of tables with limits on"
              + " space.");

  /** How many regions must have reported. */
  public static final ConfigKey<Double> REPORTED =
      ConfigKey.fraction(
          "hbase.master.quotas.observer.report.percent",
          "0.95",
          "The part of a table's regions whose sizes must be known before the table is compared with"
              + " its limit on space.");

  /** The time between two reports of sizes. */
  public static final ConfigKey<Long> REPORT_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.quotas.fs.utilization.chore.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds between two reports of a region server about the sizes of its regions.");

  /** The time between two looks at limits on space. */
  public static final ConfigKey<Long> POLICY_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.quotas.policy.refresher.chore.period",
          60_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds after which a region server enforces an exceeded limit on space.");

  /** The time between two looks at the settings. */
  public static final ConfigKey<Long> REFRESH_MILLIS =
      ConfigKey.number(
          "hbase.quota.refresh.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds after which a changed throttle is in force, at most.");

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
