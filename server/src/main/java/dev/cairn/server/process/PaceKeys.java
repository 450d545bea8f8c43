package dev.cairn.server.process;

import dev.cairn.engine.store.CompactionPace;
import dev.cairn.engine.store.OffPeakHours;
import dev.cairn.engine.store.PressureAwarePace;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The keys that say how fast compactions may write. */
final class PaceKeys {
  private static final String PRESSURE_AWARE = "PressureAwareCompactionThroughputController";
  private static final String NO_LIMIT = "NoLimitThroughputController";

  static final ConfigKey<Boolean> LIMITED =
      new ConfigKey<>(
          "hbase.regionserver.throughput.controller",
          "org.apache.hadoop.hbase.regionserver.throttle." + PRESSURE_AWARE,
          "org.apache.hadoop.hbase.regionserver.throttle."
              + PRESSURE_AWARE
              + " or "
              + NO_LIMIT
              + " there",
          "Whether compactions are held up so that requests do not notice them.",
          PaceKeys::isLimited,
          value -> true);

  static final ConfigKey<Long> LOWEST =
      bytes(
          "hbase.hstore.compaction.throughput.lower.bound",
          PressureAwarePace.Limits.DEFAULTS.lowest(),
          "How many bytes a second all compactions together may write while no family has more store"
              + " files than hbase.hstore.compaction.min.");

  static final ConfigKey<Long> HIGHEST =
      bytes(
          "hbase.hstore.compaction.throughput.higher.bound",
          PressureAwarePace.Limits.DEFAULTS.highest(),
          "How many bytes a second they may write when a family has"
              + " hbase.hstore.blockingStoreFiles store files; in between the rate grows with their"
              + " number, and above nothing holds them up.");

  static final ConfigKey<Long> OFF_PEAK =
      bytes(
          "hbase.hstore.compaction.throughput.offpeak",
          PressureAwarePace.Limits.DEFAULTS.offPeak(),
          "How many bytes a second they may write at off-peak hours.");

  static final ConfigKey<Long> TUNE_MILLIS =
      ConfigKey.number(
          "hbase.hstore.compaction.throughput.tune.period",
          PressureAwarePace.Limits.DEFAULTS.tunePeriodMillis(),
          1,
          Integer.MAX_VALUE,
          "The milliseconds after which the rate is determined anew.");

  static final ConfigKey<Long> OFF_PEAK_START =
      hour("hbase.offpeak.start.hour", "The hour of the day at which off-peak hours begin.");

  static final ConfigKey<Long> OFF_PEAK_END =
      hour("hbase.offpeak.end.hour", "The hour of the day at which off-peak hours end.");

  private PaceKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(LIMITED, LOWEST, HIGHEST, OFF_PEAK, TUNE_MILLIS, OFF_PEAK_START, OFF_PEAK_END);
  }

  static CompactionPace pace(SiteConfig config, Clock clock) {
    if (!config.get(LIMITED)) {
      return CompactionPace.UNLIMITED;
    }
    try {
      return new PressureAwarePace(
          new PressureAwarePace.Limits(
              config.get(LOWEST),
              config.get(HIGHEST),
              config.get(OFF_PEAK),
              new OffPeakHours(
                  config.get(OFF_PEAK_START).intValue(), config.get(OFF_PEAK_END).intValue()),
              config.get(TUNE_MILLIS)),
          clock,
          ZoneId.systemDefault(),
          TimeUnit.NANOSECONDS::sleep);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    }
  }

  private static ConfigKey<Long> bytes(String name, long bytes, String sentence) {
    return ConfigKey.number(name, bytes, 1, Long.MAX_VALUE, sentence);
  }

  private static ConfigKey<Long> hour(String name, String sentence) {
    return ConfigKey.number(
        name, OffPeakHours.NOT_SET, OffPeakHours.NOT_SET, 23, sentence + " -1 for none.");
  }

  private static boolean isLimited(String controller) {
    String name = controller.substring(controller.lastIndexOf('.') + 1);
    return switch (name) {
      case PRESSURE_AWARE -> true;
      case NO_LIMIT -> false;
      default -> throw new IllegalArgumentException("an unknown controller");
    };
  }
}
