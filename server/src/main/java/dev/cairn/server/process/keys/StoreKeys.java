package dev.cairn.server.process.keys;

import dev.cairn.engine.store.OffPeakRatio;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import java.time.ZoneId;
import java.util.List;

/** The keys that govern stores and their compactions. A table or a family may set them, too. */
public final class StoreKeys {
  /** The rate at which hot blocks are read before a region opens. */
  public static final ConfigKey<Long> WARM_UP_BYTES_PER_SECOND =
      ConfigKey.number(
          "cairn.regionserver.warmup.bytes.per.second",
          100L << 20,
          1,
          Long.MAX_VALUE,
          "Maximum rate at which a region server reads the hot blocks of a region that will move"
              + " to it, in bytes per second.");

  static final ConfigKey<Long> MIN_FILES =
      ConfigKey.number(
              StoreSettings.MIN_FILES_KEY,
              3,
              0,
              Integer.MAX_VALUE,
              "Minimum store files of a family for a minor compaction; values below 2 mean 2.")
          .atRunTime();

  static final ConfigKey<Long> OLD_MIN_FILES =
      ConfigKey.number(
              StoreSettings.OLD_MIN_FILES_KEY,
              3,
              0,
              Integer.MAX_VALUE,
              "Older name of hbase.hstore.compaction.min; used if that is not set.")
          .atRunTime();

  static final ConfigKey<Long> MAX_FILES =
      ConfigKey.number(
              StoreSettings.MAX_FILES_KEY,
              10,
              2,
              Integer.MAX_VALUE,
              "Maximum store files that a minor compaction merges.")
          .atRunTime();

  static final ConfigKey<Double> RATIO =
      new ConfigKey<>(
              StoreSettings.RATIO_KEY,
              "1.2",
              "a number from 0.1 to 100",
              "Maximum size of a store file in a minor compaction, relative to the total size"
                  + " of the other files.",
              Double::parseDouble,
              value -> value >= 0.1 && value <= 100)
          .atRunTime();

  static final ConfigKey<Double> OFF_PEAK_RATIO =
      new ConfigKey<>(
              OffPeakRatio.KEY,
              "5.0",
              "a number from 0.1 to 100",
              "Replaces hbase.hstore.compaction.ratio in off-peak hours"
                  + " (hbase.offpeak.start.hour).",
              Double::parseDouble,
              value -> value >= 0.1 && value <= 100)
          .atRunTime();

  static final ConfigKey<Long> MIN_BYTES =
      ConfigKey.number(
              StoreSettings.MIN_BYTES_KEY,
              128L << 20,
              0,
              Long.MAX_VALUE,
              "Total size of store files below which a minor compaction takes them whatever"
                  + " their ratio, in bytes.")
          .atRunTime();

  static final ConfigKey<Long> MAX_BYTES =
      ConfigKey.number(
              StoreSettings.MAX_BYTES_KEY,
              Long.MAX_VALUE,
              1,
              Long.MAX_VALUE,
              "Maximum size of a store file in minor compactions, in bytes; larger files are"
                  + " left to major compactions.")
          .atRunTime();

  static final ConfigKey<Long> THROTTLE_BYTES =
      ConfigKey.number(
              StoreSettings.THROTTLE_KEY,
              StoreSettings.THROTTLE_BYTES,
              0,
              Long.MAX_VALUE,
              "Maximum bytes that a small compaction merges. Compactions of more bytes are"
                  + " large and run on the threads of"
                  + " hbase.regionserver.thread.compaction.large; all others run on those of"
                  + " hbase.regionserver.thread.compaction.small.")
          .atRunTime();

  static final ConfigKey<Long> PURGE_DELETES_MILLIS =
      ConfigKey.number(
              StoreSettings.PURGE_DELETES_KEY,
              0,
              0,
              Long.MAX_VALUE,
              "Time for which compactions keep delete markers after their timestamp, in"
                  + " milliseconds.")
          .atRunTime();

  static final ConfigKey<Long> MAJOR_PERIOD_MILLIS =
      ConfigKey.number(
              StoreSettings.MAJOR_PERIOD_KEY,
              604_800_000,
              0,
              Long.MAX_VALUE,
              "Time between two automatic major compactions of a family, in milliseconds; 0"
                  + " means none.")
          .atRunTime();

  static final ConfigKey<Double> MAJOR_JITTER =
      new ConfigKey<>(
              StoreSettings.MAJOR_JITTER_KEY,
              "0.50",
              "a number from 0 to 1",
              "Random deviation from hbase.hregion.majorcompaction in both directions, as a"
                  + " fraction of it.",
              Double::parseDouble,
              value -> value >= 0 && value <= 1)
          .atRunTime();

  static final ConfigKey<Long> BLOCKING_FILES =
      ConfigKey.number(
              StoreSettings.BLOCKING_FILES_KEY,
              16,
              1,
              Integer.MAX_VALUE,
              "Maximum store files of a family; above it, flushes wait for a compaction, up"
                  + " to hbase.hstore.blockingWaitTime.")
          .atRunTime();

  static final ConfigKey<Boolean> DELETE_EXPIRED =
      ConfigKey.flag(
              StoreSettings.DELETE_EXPIRED_KEY,
              true,
              "Whether store files whose cells are all past their TTL are deleted without"
                  + " being read.")
          .atRunTime();

  private StoreKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(
        WARM_UP_BYTES_PER_SECOND,
        MIN_FILES,
        OLD_MIN_FILES,
        MAX_FILES,
        RATIO,
        OFF_PEAK_RATIO,
        MIN_BYTES,
        MAX_BYTES,
        THROTTLE_BYTES,
        PURGE_DELETES_MILLIS,
        MAJOR_PERIOD_MILLIS,
        MAJOR_JITTER,
        BLOCKING_FILES,
        DELETE_EXPIRED);
  }

  public static StoreSettings settings(SiteConfig config) {
    long minFiles = config.find(MIN_FILES).orElseGet(() -> config.get(OLD_MIN_FILES));
    try {
      return new StoreSettings(
          (int) Math.max(StoreSettings.MIN_FILES_LEAST, minFiles),
          config.get(MAX_FILES).intValue(),
          config.get(RATIO),
          new OffPeakRatio(
              config.get(OFF_PEAK_RATIO), PaceKeys.offPeak(config), ZoneId.systemDefault()),
          config.get(MIN_BYTES),
          config.get(MAX_BYTES),
          config.get(THROTTLE_BYTES),
          config.get(PURGE_DELETES_MILLIS),
          config.get(MAJOR_PERIOD_MILLIS),
          config.get(MAJOR_JITTER),
          config.get(BLOCKING_FILES).intValue(),
          config.get(DELETE_EXPIRED),
          config.get(MaintenanceSettings.NONCE_MILLIS),
          FileKeys.settings(config),
          StoreFileTracking.of(config.get(EngineKeys.FILE_TRACKER)));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    }
  }
}
