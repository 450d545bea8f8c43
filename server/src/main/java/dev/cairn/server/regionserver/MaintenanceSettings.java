package dev.cairn.server.regionserver;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Optional;

/**
 * When the server does what no client asks for.
 *
 * @param regionFlushBytes the memstore size at which a region is flushed
 * @param globalMemStoreBytes what all memstores may hold together
 * @param logRollMillis after what time a new log file is begun
 * @param globalMemStoreLowerShare the share of that at which the largest regions are flushed
 * @param blockingWaitMillis how long a flush waits for a compaction of a region with too many files
 * @param reportMillis the time between two reports to the master
 * @param compacts whether compactions are enabled at the start
 * @param nonceMillis how long results of increments and appends are remembered
 */
public record MaintenanceSettings(
    long regionFlushBytes,
    long globalMemStoreBytes,
    double globalMemStoreLowerShare,
    long blockingWaitMillis,
    long logRollMillis,
    long reportMillis,
    boolean compacts,
    long nonceMillis) {
  /** The size at which a region is flushed. */
  public static final ConfigKey<Long> REGION_FLUSH_BYTES =
      ConfigKey.number(
          "hbase.hregion.memstore.flush.size",
          128L * 1024 * 1024,
          1024,
          Long.MAX_VALUE,
          "The bytes of a region's memstore at which it is flushed.");

  /** Whether files are read before they are loaded in bulk. */
  public static final ConfigKey<Boolean> VERIFY_BULK_LOADS =
      ConfigKey.flag(
          "hbase.hstore.bulkload.verify",
          true,
          "Whether every cell of a file is read before the file is loaded in bulk. If not, only its"
              + " first and last key are checked. HBase's default is false.");

  /** The share of the heap that memstores may take. */
  public static final ConfigKey<Double> GLOBAL_MEMSTORE_SHARE =
      new ConfigKey<>(
              "hbase.regionserver.global.memstore.size",
              "0.4",
              "more than 0 to 0.8",
              "The share of the heap that all memstores together may take. With hfile.block.cache.size"
                  + " at most 0.8.",
              Double::parseDouble,
              value -> value > 0 && value <= 0.8)
          .formerly("hbase.regionserver.global.memstore.upperLimit");

  /** How long a write stays unflushed. */
  public static final ConfigKey<Long> FLUSH_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.optionalcacheflushinterval",
          3_600_000,
          Integer.MIN_VALUE,
          Integer.MAX_VALUE,
          "The milliseconds after which a write goes to a store file in any case; 0 or less turns"
              + " that off.");

  /** When a new log file is begun. */
  public static final ConfigKey<Long> LOG_ROLL_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.logroll.period",
          3_600_000,
          1_000,
          Long.MAX_VALUE,
          "The milliseconds after which the write-ahead log begins a new file in any case.");

  /** The share of the memory for memstores at which the largest are flushed. */
  public static final ConfigKey<Double> GLOBAL_MEMSTORE_LOWER_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.global.memstore.size.lower.limit",
          "0.95",
          "more than 0 to 1",
          "The share of hbase.regionserver.global.memstore.size at which the largest regions are"
              + " flushed.",
          Double::parseDouble,
          value -> value > 0 && value <= 1);

  /** HBase's older key for {@link #GLOBAL_MEMSTORE_LOWER_SHARE}: a share of the heap. */
  public static final ConfigKey<Double> OLD_LOWER_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.global.memstore.lowerLimit",
          "0.38",
          "more than 0 to 0.8",
          "The share of the heap at which the largest regions are flushed, for where"
              + " hbase.regionserver.global.memstore.size.lower.limit is not set.",
          Double::parseDouble,
          value -> value > 0 && value <= 0.8);

  /** How long a flush waits for a compaction. */
  public static final ConfigKey<Long> BLOCKING_WAIT_MILLIS =
      ConfigKey.number(
          "hbase.hstore.blockingWaitTime",
          90_000,
          0,
          Integer.MAX_VALUE,
          "The milliseconds for which a flush of a region with more than"
              + " hbase.hstore.blockingStoreFiles files in a family waits for a compaction.");

  /** The time between reports. */
  public static final ConfigKey<Long> REPORT_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.msginterval",
          3_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds between two reports of a region server to the master.");

  /** Whether compactions are enabled at the start. */
  public static final ConfigKey<Boolean> COMPACTS =
      ConfigKey.flag(
          "hbase.regionserver.compaction.enabled",
          true,
          "Whether the server compacts stores. The shell's compaction_switch overrides it until the"
              + " next start.");

  /** How long nonces are remembered. */
  public static final ConfigKey<Long> NONCE_MILLIS =
      ConfigKey.number(
          "hbase.server.hashNonce.gracePeriod",
          1_800_000,
          1_000,
          Long.MAX_VALUE,
          "The milliseconds for which the results of increments and appends are remembered, so"
              + " that a client may repeat them.");

  /**
   * Reads the settings of a server.
   *
   * @param maxHeapBytes the heap that shares are of
   */
  public static MaintenanceSettings of(SiteConfig config, long maxHeapBytes) {
    return new MaintenanceSettings(
        config.get(REGION_FLUSH_BYTES),
        (long) (config.get(GLOBAL_MEMSTORE_SHARE) * maxHeapBytes),
        lowerShare(config),
        config.get(BLOCKING_WAIT_MILLIS),
        config.get(LOG_ROLL_MILLIS),
        config.get(REPORT_MILLIS),
        config.get(COMPACTS),
        config.get(NONCE_MILLIS));
  }

  /** Returns the share of the memstores' memory at which the largest are flushed. */
  private static double lowerShare(SiteConfig config) {
    Optional<Double> old = config.find(OLD_LOWER_SHARE);
    if (old.isEmpty() || config.find(GLOBAL_MEMSTORE_LOWER_SHARE).isPresent()) {
      return config.get(GLOBAL_MEMSTORE_LOWER_SHARE);
    }
    return Math.min(1, old.get() / config.get(GLOBAL_MEMSTORE_SHARE));
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        REGION_FLUSH_BYTES,
        VERIFY_BULK_LOADS,
        GLOBAL_MEMSTORE_SHARE,
        FLUSH_INTERVAL_MILLIS,
        GLOBAL_MEMSTORE_LOWER_SHARE,
        OLD_LOWER_SHARE,
        BLOCKING_WAIT_MILLIS,
        LOG_ROLL_MILLIS,
        REPORT_MILLIS,
        COMPACTS,
        NONCE_MILLIS,
        RegionCloser.PRE_FLUSH_BYTES);
  }
}
