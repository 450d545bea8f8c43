package dev.cairn.server.regionserver;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;

/**
 * When the server does what no client asks for.
 *
 * @param regionFlushBytes the memstore size at which a region is flushed
 * @param globalMemStoreBytes what all memstores may hold together
 * @param logRollMillis after what time a new log file is begun
 * @param compactionFiles from how many files of a family on a compaction is considered
 * @param reportMillis the time between two reports to the master
 * @param nonceMillis how long results of increments and appends are remembered
 */
public record UpkeepSettings(
    long regionFlushBytes,
    long globalMemStoreBytes,
    long logRollMillis,
    int compactionFiles,
    long reportMillis,
    long nonceMillis) {
  /** The size at which a region is flushed. */
  public static final ConfigKey<Long> REGION_FLUSH_BYTES =
      ConfigKey.number(
          "hbase.hregion.memstore.flush.size",
          128L * 1024 * 1024,
          1024,
          Long.MAX_VALUE,
          "The bytes of a region's memstore at which it is flushed.");

  /** The share of the heap that memstores may take. */
  public static final ConfigKey<Double> GLOBAL_MEMSTORE_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.global.memstore.size",
          "0.4",
          "more than 0 to 0.8",
          "The share of the heap that all memstores together may take.",
          Double::parseDouble,
          value -> value > 0 && value <= 0.8);

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

  /** When compactions are considered. */
  public static final ConfigKey<Long> COMPACTION_FILES =
      ConfigKey.number(
          "hbase.hstore.compaction.min",
          3,
          2,
          10_000,
          "The number of store files of a family from which on they are merged.");

  /** The time between reports. */
  public static final ConfigKey<Long> REPORT_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.msginterval",
          3_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds between two reports of a region server to the master.");

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
  public static UpkeepSettings of(SiteConfig config, long maxHeapBytes) {
    return new UpkeepSettings(
        config.get(REGION_FLUSH_BYTES),
        (long) (config.get(GLOBAL_MEMSTORE_SHARE) * maxHeapBytes),
        config.get(LOG_ROLL_MILLIS),
        Math.toIntExact(config.get(COMPACTION_FILES)),
        config.get(REPORT_MILLIS),
        config.get(NONCE_MILLIS));
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        REGION_FLUSH_BYTES,
        GLOBAL_MEMSTORE_SHARE,
        FLUSH_INTERVAL_MILLIS,
        LOG_ROLL_MILLIS,
        COMPACTION_FILES,
        REPORT_MILLIS,
        NONCE_MILLIS);
  }
}
