package dev.cairn.server.regionserver.maintenance;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the server's background work.
 *
 * @param regionFlushBytes the memstore size at which a region is flushed
 * @param globalMemStoreBytes maximum bytes of all memstores together
 * @param logRollMillis time after which a new log file begins
 * @param globalMemStoreLowerShare share of that maximum at which the largest regions are flushed
 * @param blockingWaitMillis maximum time that a flush waits for a compaction of a region with too
 *     many files
 * @param reportMillis the time between two reports to the master
 * @param compacts true if compactions are enabled at the start
 * @param nonceMillis time for which results of increments and appends are kept
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
          "Size of a region's memstore at which it is flushed, in bytes.");

  /** The memstore size from which a region is flushed before it closes. */
  public static final ConfigKey<Long> PRE_FLUSH_BYTES =
      ConfigKey.number(
          "hbase.hregion.preclose.flush.size",
          5L << 20,
          0,
          Long.MAX_VALUE,
          "Minimum memstore size, in bytes, at which a region is flushed while it still"
              + " serves, before it closes. The flush during the close is then short.");

  /** The switch for reading files before they are loaded in bulk. */
  public static final ConfigKey<Boolean> VERIFY_BULK_LOADS =
      ConfigKey.flag(
          "hbase.hstore.bulkload.verify",
          true,
          "Whether a bulk load reads every cell of a file before it loads the file. If false,"
              + " it checks only the first and last key. HBase's default is false.");

  /** The share of the heap that memstores may take. */
  public static final ConfigKey<Double> GLOBAL_MEMSTORE_SHARE =
      new ConfigKey<>(
              "hbase.regionserver.global.memstore.size",
              "0.4",
              "more than 0 to 0.8",
              "Maximum share of the heap for all memstores together. This and"
                  + " hfile.block.cache.size together may be at most 0.8.",
              Double::parseDouble,
              value -> value > 0 && value <= 0.8)
          .formerly("hbase.regionserver.global.memstore.upperLimit");

  /** The maximum time for which a write stays unflushed. */
  public static final ConfigKey<Long> FLUSH_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.optionalcacheflushinterval",
          3_600_000,
          Integer.MIN_VALUE,
          Integer.MAX_VALUE,
          "Maximum time until a write is flushed, in milliseconds; 0 or less means no limit.");

  /** The time after which a new log file begins. */
  public static final ConfigKey<Long> LOG_ROLL_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.logroll.period",
          3_600_000,
          1_000,
          Long.MAX_VALUE,
          "Maximum time after which the write-ahead log begins a new file, in milliseconds.");

  /** The share of the memory for memstores at which the largest are flushed. */
  public static final ConfigKey<Double> GLOBAL_MEMSTORE_LOWER_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.global.memstore.size.lower.limit",
          "0.95",
          "more than 0 to 1",
          "Share of hbase.regionserver.global.memstore.size at which the largest memstores"
              + " are flushed.",
          Double::parseDouble,
          value -> value > 0 && value <= 1);

  /** HBase's older key for {@link #GLOBAL_MEMSTORE_LOWER_SHARE}: a share of the heap. */
  public static final ConfigKey<Double> OLD_LOWER_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.global.memstore.lowerLimit",
          "0.38",
          "more than 0 to 0.8",
          "Share of the heap at which the largest memstores are flushed; used if"
              + " hbase.regionserver.global.memstore.size.lower.limit is not set.",
          Double::parseDouble,
          value -> value > 0 && value <= 0.8);

  /** The maximum time that a flush waits for a compaction. */
  public static final ConfigKey<Long> BLOCKING_WAIT_MILLIS =
      ConfigKey.number(
          "hbase.hstore.blockingWaitTime",
          90_000,
          0,
          Integer.MAX_VALUE,
          "Maximum time that a flush waits for a compaction, if a family has more than"
              + " hbase.hstore.blockingStoreFiles files, in milliseconds.");

  /** The time between reports. */
  public static final ConfigKey<Long> REPORT_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.msginterval",
          3_000,
          10,
          Integer.MAX_VALUE,
          "Time between two reports of a region server to the master, in milliseconds.");

  /** The switch for compactions at the start. */
  public static final ConfigKey<Boolean> COMPACTS =
      ConfigKey.flag(
          "hbase.regionserver.compaction.enabled",
          true,
          "Whether the server compacts stores. The shell's compaction_switch overrides it until the"
              + " next start.");

  /** The time for which nonces are kept. */
  public static final ConfigKey<Long> NONCE_MILLIS =
      ConfigKey.number(
          "hbase.server.hashNonce.gracePeriod",
          1_800_000,
          1_000,
          Long.MAX_VALUE,
          "Time for which the results of increments and appends are kept, so that clients can"
              + " repeat them, in milliseconds.");

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
        PRE_FLUSH_BYTES);
  }
}
