package dev.cairn.server.process.keys;

import dev.cairn.engine.store.OffPeakHours;
import dev.cairn.engine.store.PressureAwareController;
import dev.cairn.engine.store.PressureAwareController.Limits;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.ThroughputController;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The keys that say how fast flushes and compactions may write. */
public final class PaceKeys {
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.throttle.";
  private static final String PRESSURE_AWARE = "PressureAwareCompactionThroughputController";
  private static final String PRESSURE_AWARE_FLUSHES = "PressureAwareFlushThroughputController";
  private static final String NO_LIMIT = "NoLimitThroughputController";

  static final ConfigKey<Boolean> LIMITED =
      controller(
          "hbase.regionserver.throughput.controller",
          PRESSURE_AWARE,
          "Whether the write rate of compactions is limited, so that requests do not notice"
              + " them.");

  static final ConfigKey<Boolean> FLUSHES_LIMITED =
      controller(
          "hbase.regionserver.flush.throughput.controller",
          PRESSURE_AWARE_FLUSHES,
          "Whether the write rate of flushes is limited, so that requests do not notice them."
              + " HBase does not limit it by default.");

  static final ConfigKey<Long> FLUSHES_LOWEST =
      bytes(
          "hbase.hstore.flush.throughput.lower.bound",
          Limits.FLUSHES.lowest(),
          "Maximum write rate of all flushes together, in bytes per second, while memstores"
              + " are empty.");

  static final ConfigKey<Long> FLUSHES_HIGHEST =
      bytes(
          "hbase.hstore.flush.throughput.upper.bound",
          Limits.FLUSHES.highest(),
          "Maximum write rate of all flushes together, in bytes per second, when a region's"
              + " memstore has half of the size at which writes are refused, or all memstores"
              + " together the size at which the largest are flushed. The limit grows from"
              + " hbase.hstore.flush.throughput.lower.bound with these sizes; above them there"
              + " is none.");

  static final ConfigKey<Long> LOWEST =
      bytes(
          "hbase.hstore.compaction.throughput.lower.bound",
          Limits.COMPACTIONS.lowest(),
          "Maximum write rate of all compactions together, in bytes per second, while no"
              + " family has more store files than hbase.hstore.compaction.min.");

  static final ConfigKey<Long> HIGHEST =
      bytes(
          "hbase.hstore.compaction.throughput.higher.bound",
          Limits.COMPACTIONS.highest(),
          "Maximum write rate of all compactions together, in bytes per second, when a family"
              + " has hbase.hstore.blockingStoreFiles store files. The limit grows from"
              + " hbase.hstore.compaction.throughput.lower.bound with the number of files;"
              + " above that number there is none.");

  static final ConfigKey<Long> OFF_PEAK =
      bytes(
          "hbase.hstore.compaction.throughput.offpeak",
          Limits.COMPACTIONS.offPeak(),
          "Maximum write rate of all compactions together in off-peak hours, in bytes per"
              + " second.");

  static final ConfigKey<Long> TUNE_MILLIS =
      ConfigKey.number(
              "hbase.hstore.compaction.throughput.tune.period",
              Limits.COMPACTIONS.tunePeriodMillis(),
              1,
              Integer.MAX_VALUE,
              "Time between two adjustments of the compactions' write rate, in milliseconds.")
          .atRunTime();

  static final ConfigKey<Long> OFF_PEAK_START =
      hour("hbase.offpeak.start.hour", "Hour of the day at which off-peak hours begin");

  static final ConfigKey<Long> OFF_PEAK_END =
      hour("hbase.offpeak.end.hour", "Hour of the day at which off-peak hours end");

  private PaceKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(
        LIMITED,
        LOWEST,
        HIGHEST,
        OFF_PEAK,
        TUNE_MILLIS,
        OFF_PEAK_START,
        OFF_PEAK_END,
        FLUSHES_LIMITED,
        FLUSHES_LOWEST,
        FLUSHES_HIGHEST);
  }

  /** Returns the paces, whose limits follow the settings. */
  public static StoreContext.Paces paces(LiveConfig config, Clock clock) {
    return new StoreContext.Paces(
        pace(config.derive(PaceKeys::flushes), clock),
        pace(config.derive(PaceKeys::compactions), clock));
  }

  private static Limits flushes(SiteConfig config) {
    return config.get(FLUSHES_LIMITED) ? checked(() -> flushLimits(config)) : Limits.NONE;
  }

  private static Limits compactions(SiteConfig config) {
    return config.get(LIMITED) ? checked(() -> compactionLimits(config)) : Limits.NONE;
  }

  private static Limits checked(Supplier<Limits> limits) {
    try {
      return limits.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    }
  }

  private static Limits flushLimits(SiteConfig config) {
    Limits defaults = Limits.FLUSHES;
    return new Limits(
        config.get(FLUSHES_LOWEST),
        config.get(FLUSHES_HIGHEST),
        defaults.offPeak(),
        defaults.hours(),
        defaults.tunePeriodMillis());
  }

  private static Limits compactionLimits(SiteConfig config) {
    return new Limits(
        config.get(LOWEST),
        config.get(HIGHEST),
        config.get(OFF_PEAK),
        offPeak(config),
        config.get(TUNE_MILLIS));
  }

  /** Returns the off-peak hours. */
  static OffPeakHours offPeak(SiteConfig config) {
    return new OffPeakHours(
        config.get(OFF_PEAK_START).intValue(), config.get(OFF_PEAK_END).intValue());
  }

  private static ThroughputController pace(Supplier<Limits> limits, Clock clock) {
    return new PressureAwareController(
        limits, clock, ZoneId.systemDefault(), TimeUnit.NANOSECONDS::sleep);
  }

  private static ConfigKey<Long> bytes(String name, long bytes, String sentence) {
    return ConfigKey.number(name, bytes, 1, Long.MAX_VALUE, sentence).atRunTime();
  }

  private static ConfigKey<Long> hour(String name, String sentence) {
    return ConfigKey.number(
            name,
            OffPeakHours.NOT_SET,
            OffPeakHours.NOT_SET,
            23,
            sentence + "; -1 means no off-peak hours.")
        .atRunTime();
  }

  private static ConfigKey<Boolean> controller(String name, String limiting, String sentence) {
    return new ConfigKey<Boolean>(
            name,
            PACKAGE + limiting,
            PACKAGE + limiting + " or " + NO_LIMIT + " there",
            sentence,
            text -> {
              String simple = text.substring(text.lastIndexOf('.') + 1);
              if (!simple.equals(limiting) && !simple.equals(NO_LIMIT)) {
                throw new IllegalArgumentException("an unknown controller");
              }
              return simple.equals(limiting);
            },
            value -> true)
        .atRunTime();
  }
}
