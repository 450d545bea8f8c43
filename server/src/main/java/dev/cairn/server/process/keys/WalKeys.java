package dev.cairn.server.process.keys;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.WalRollPolicy;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalValueCompression;
import dev.cairn.engine.wal.split.CorruptWalPolicy;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.hadoop.HdfsLogSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The keys that govern the write-ahead log, and what the engine is handed instead of them. */
public final class WalKeys {
  /** A NameNode takes minutes to restart; no file can be created until then. */
  private static final WalRecovery REPLICATED =
      new WalRecovery(1_500, 200_000_000L, WalRecovery.DEFAULT.probeNanos());

  static final ConfigKey<Boolean> HSYNC =
      ConfigKey.flag(
          "hbase.wal.hsync",
          true,
          "Whether a write is acknowledged only after its log entry is on the device (on HDFS: on"
              + " the devices of all DataNodes of the file). If false, an entry in the memory of"
              + " the operating system or of the DataNodes suffices. Default: true on a local"
              + " disk, false on HDFS.");

  static final ConfigKey<Long> SLOW_SYNC_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.wal.slowsync.ms",
          100,
          0,
          3_600_000,
          "Duration above which a sync of a log on HDFS counts as slow, in milliseconds.");

  static final ConfigKey<Long> SLOW_SYNCS_MAX =
      ConfigKey.number(
          "hbase.regionserver.wal.slowsync.roll.threshold",
          100,
          0,
          Integer.MAX_VALUE,
          "Maximum slow syncs within hbase.regionserver.wal.slowsync.roll.interval.ms; after"
              + " more, a log on HDFS begins a new file, which may have other DataNodes.");

  static final ConfigKey<Long> SLOW_SYNC_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.wal.slowsync.roll.interval.ms",
          60_000,
          1,
          Integer.MAX_VALUE,
          "Time window over which slow syncs are counted, in milliseconds.");

  static final ConfigKey<Long> COPIES_MIN =
      ConfigKey.number(
          "hbase.regionserver.hlog.tolerable.lowreplication",
          3,
          1,
          512,
          "Minimum DataNodes that store the current log file on HDFS; with fewer, the log"
              + " begins a new file. Default: the replication of HDFS.");

  static final ConfigKey<Long> LOW_COPIES_ROLLS_MAX =
      ConfigKey.number(
          "hbase.regionserver.hlog.lowreplication.rolllimit",
          5,
          0,
          Integer.MAX_VALUE,
          "Maximum consecutive log files that begin because the previous one had too few"
              + " DataNodes. After that, no file begins for this reason until one has enough.");

  static final ConfigKey<Long> BLOCK_BYTES =
      ConfigKey.number(
          "hbase.regionserver.hlog.blocksize",
          256L << 20,
          1 << 16,
          1L << 40,
          "Base of the size of a log file, in bytes; see hbase.regionserver.logroll.multiplier.");

  static final ConfigKey<Double> ROLL_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.logroll.multiplier",
          "0.5",
          "more than 0 to 1",
          "Size at which a log file ends and the next one begins, as a fraction of"
              + " hbase.regionserver.hlog.blocksize.",
          Double::parseDouble,
          value -> value > 0 && value <= 1);

  static final ConfigKey<Long> FILES_MAX =
      ConfigKey.number(
          "hbase.regionserver.maxlogs",
          32,
          1,
          10_000,
          "Maximum log files; above it, the regions with entries in the oldest files are"
              + " flushed.");

  static final ConfigKey<Boolean> COMPRESSION =
      ConfigKey.flag(
          "hbase.regionserver.wal.enablecompression",
          false,
          "Whether log files replace repeated regions, rows, families and qualifiers by short"
              + " numbers.");

  static final ConfigKey<Boolean> TAG_COMPRESSION =
      ConfigKey.flag(
          "hbase.regionserver.wal.tags.enablecompression",
          true,
          "Whether log files compress tags, too. Needs"
              + " hbase.regionserver.wal.enablecompression.");

  static final ConfigKey<Boolean> VALUE_COMPRESSION =
      ConfigKey.flag(
          "hbase.regionserver.wal.value.enablecompression",
          false,
          "Whether log files compress values. Needs hbase.regionserver.wal.enablecompression.");

  static final ConfigKey<WalValueCompression> VALUE_COMPRESSION_TYPE =
      new ConfigKey<>(
          "hbase.regionserver.wal.value.compression.type",
          "GZ",
          "NONE, GZ, SNAPPY, LZ4, ZSTD or LZO",
          "Compression algorithm of values in log files.",
          WalValueCompression::of,
          value -> true);

  static final ConfigKey<Boolean> SKIP_DAMAGED =
      ConfigKey.flag(
          "hbase.hlog.split.skip.errors",
          false,
          "Whether recovery skips the entries after damage in a dead server's log file, and"
              + " moves the file to the folder corrupt. If false, recovery stops at the damage.");

  static final ConfigKey<Long> PROBE_MILLIS =
      ConfigKey.number(
          "cairn.wal.full.disk.probe.interval",
          1_000,
          10,
          3_600_000,
          "Time between two checks for free space while the log's disk is full, in"
              + " milliseconds.");

  private WalKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(
        HSYNC,
        SLOW_SYNC_MILLIS,
        SLOW_SYNCS_MAX,
        SLOW_SYNC_INTERVAL_MILLIS,
        COPIES_MIN,
        LOW_COPIES_ROLLS_MAX,
        BLOCK_BYTES,
        ROLL_SHARE,
        FILES_MAX,
        COMPRESSION,
        TAG_COMPRESSION,
        VALUE_COMPRESSION,
        VALUE_COMPRESSION_TYPE,
        SKIP_DAMAGED,
        PROBE_MILLIS);
  }

  /**
   * Returns how the log of {@code server} in {@code directory} is kept.
   *
   * @param replication how many machines hold its files ({@link Storage#replication})
   */
  public static WalConfig wal(
      SiteConfig config, int replication, String directory, String archive, ServerName server) {
    long rollBytes = (long) (config.get(BLOCK_BYTES) * config.get(ROLL_SHARE));
    WalConfig wal =
        new WalConfig(
                directory,
                archive,
                // As HBase names its files.
                URLEncoder.encode(server.toString(), StandardCharsets.UTF_8),
                config.find(HSYNC).orElse(replication == 0) ? SyncLevel.SYNCED : SyncLevel.FLUSHED,
                Math.max(1, rollBytes),
                config.get(FILES_MAX).intValue())
            .withCompression(compression(config))
            .withRecovery(recovery(config, replication));
    return replication == 0 ? wal : wal.withRollPolicy(rollPolicy(config, replication));
  }

  private static WalRecovery recovery(SiteConfig config, int replication) {
    WalRecovery usual = replication == 0 ? WalRecovery.DEFAULT : REPLICATED;
    return new WalRecovery(
        usual.tries(), usual.pauseNanos(), TimeUnit.MILLISECONDS.toNanos(config.get(PROBE_MILLIS)));
  }

  private static WalRollPolicy rollPolicy(SiteConfig config, int replication) {
    return new WalRollPolicy(
        TimeUnit.MILLISECONDS.toNanos(config.get(SLOW_SYNC_MILLIS)),
        config.get(SLOW_SYNCS_MAX).intValue(),
        TimeUnit.MILLISECONDS.toNanos(config.get(SLOW_SYNC_INTERVAL_MILLIS)),
        TimeUnit.MILLISECONDS.toNanos(config.get(HdfsLogSettings.ROLL_ON_SYNC_MILLIS)),
        config.find(COPIES_MIN).map(Long::intValue).orElse(replication),
        config.get(LOW_COPIES_ROLLS_MAX).intValue());
  }

  private static WalCompression compression(SiteConfig config) {
    if (!config.get(COMPRESSION)) {
      return WalCompression.NONE;
    }
    Optional<WalValueCompression> values =
        config.get(VALUE_COMPRESSION)
            ? Optional.of(config.get(VALUE_COMPRESSION_TYPE))
            : Optional.empty();
    return new WalCompression(true, config.get(TAG_COMPRESSION), values);
  }

  /** Returns the policy for damaged logs of dead servers. */
  public static CorruptWalPolicy damagedLogs(SiteConfig config) {
    return config.get(SKIP_DAMAGED) ? CorruptWalPolicy.SET_ASIDE : CorruptWalPolicy.REFUSED;
  }
}
