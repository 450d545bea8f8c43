package dev.cairn.server.metrics;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;

/** The keys of {@code hbase-site.xml} about metrics. */
public final class MetricKeys {
  /** {@code cairn.metrics.histograms}. */
  public static final ConfigKey<Boolean> HISTOGRAMS =
      ConfigKey.flag(
          "cairn.metrics.histograms",
          true,
          "Whether the servers record histograms of the times and sizes of calls. If false,"
              + " the metrics of calls are only counters.");

  /** {@code hbase.regionserver.enable.table.latencies}. */
  public static final ConfigKey<Boolean> TABLE_LATENCIES =
      ConfigKey.flag(
          "hbase.regionserver.enable.table.latencies",
          true,
          "Whether a region server records call times for each table and method. If false, it"
              + " does not record them for each method over all tables either. No effect if"
              + " cairn.metrics.histograms is false.");

  /** {@code hbase.ipc.slow.metric.time}. */
  public static final ConfigKey<Long> SLOW_MILLIS =
      ConfigKey.number(
          "hbase.ipc.slow.metric.time",
          1_000,
          0,
          Integer.MAX_VALUE,
          "Duration above which an operation counts as slow in the metrics, in milliseconds."
              + " No effect if the times of operations on tables are not recorded.");

  private MetricKeys() {}

  /** Tells whether the times of operations on tables are recorded. */
  public static boolean timesTables(SiteConfig config) {
    return config.get(HISTOGRAMS) && config.get(TABLE_LATENCIES);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(HISTOGRAMS, TABLE_LATENCIES, SLOW_MILLIS);
  }
}
