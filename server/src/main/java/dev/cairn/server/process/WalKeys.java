package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.CorruptWalPolicy;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalCompression;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalRecovery;
import dev.cairn.engine.wal.WalRollPolicy;
import dev.cairn.engine.wal.WalValueCompression;
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
final class WalKeys {
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
          "The milliseconds above which a sync of a log on HDFS counts as slow.");

  static final ConfigKey<Long> SLOW_SYNCS_MAX =
      ConfigKey.number(
          "hbase.regionserver.wal.slowsync.roll.threshold",
          100,
          0,
          Integer.MAX_VALUE,
          "A log on HDFS begins a new file after more slow syncs than this within"
              + " hbase.regionserver.wal.slowsync.roll.interval.ms. The new file may have other"
              + " DataNodes.");

  static final ConfigKey<Long> SLOW_SYNC_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.wal.slowsync.roll.interval.ms",
          60_000,
          1,
          Integer.MAX_VALUE,
          "The milliseconds over which slow syncs are counted.");

  static final ConfigKey<Long> COPIES_MIN =
      ConfigKey.number(
          "hbase.regionserver.hlog.tolerable.lowreplication",
          3,
          1,
          512,
          "A log on HDFS begins a new file if fewer DataNodes than this store the present one."
              + " Default: the replication of HDFS.");

  static final ConfigKey<Long> LOW_COPIES_ROLLS_MAX =
      ConfigKey.number(
          "hbase.regionserver.hlog.lowreplication.rolllimit",
          5,
          0,
          Integer.MAX_VALUE,
          "After this many log files in a row with too few DataNodes, the log does not begin"
              + " another one for that reason until a file has enough.");

  static final ConfigKey<Long> BLOCK_BYTES =
      ConfigKey.number(
          "hbase.regionserver.hlog.blocksize",
          256L << 20,
          1 << 16,
          1L << 40,
          "Bytes that a log file is thought to have room for; see hbase.regionserver.logroll.multiplier.");

  static final ConfigKey<Double> ROLL_SHARE =
      new ConfigKey<>(
          "hbase.regionserver.logroll.multiplier",
          "0.5",
          "more than 0 to 1",
          "The share of hbase.regionserver.hlog.blocksize at which a log file is ended and the next one begun.",
          Double::parseDouble,
          value -> value > 0 && value <= 1);

  static final ConfigKey<Long> FILES_MAX =
      ConfigKey.number(
          "hbase.regionserver.maxlogs",
          32,
          1,
          10_000,
          "How many log files may gather before the regions that keep the oldest are flushed.");

  static final ConfigKey<Boolean> COMPRESSION =
      ConfigKey.flag(
          "hbase.regionserver.wal.enablecompression",
          false,
          "Whether log files name regions, rows, families and qualifiers that came before by a number.");

  static final ConfigKey<Boolean> TAG_COMPRESSION =
      ConfigKey.flag(
          "hbase.regionserver.wal.tags.enablecompression",
          true,
          "Whether they do so with tags, too; only with hbase.regionserver.wal.enablecompression.");

  static final ConfigKey<Boolean> VALUE_COMPRESSION =
      ConfigKey.flag(
          "hbase.regionserver.wal.value.enablecompression",
          false,
          "Whether values in log files are compressed; only with hbase.regionserver.wal.enablecompression.");

  static final ConfigKey<WalValueCompression> VALUE_COMPRESSION_TYPE =
      new ConfigKey<>(
          "hbase.regionserver.wal.value.compression.type",
          "GZ",
          "NONE, GZ, SNAPPY, LZ4, ZSTD or LZO",
          "What values in log files are compressed with.",
          WalValueCompression::of,
          value -> true);

  static final ConfigKey<Boolean> SKIP_DAMAGED =
      ConfigKey.flag(
          "hbase.hlog.split.skip.errors",
          false,
          "Whether recovery gives up what stands behind damage in a dead server's log file, which then goes to"
              + " the folder corrupt; if not, recovery stops there.");

  static final ConfigKey<Long> PROBE_MILLIS =
      ConfigKey.number(
          "cairn.wal.full.disk.probe.interval",
          1_000,
          10,
          3_600_000,
          "How often the log looks for room while the disk is full, milliseconds.");

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
  static WalConfig wal(
      SiteConfig config, int replication, String directory, String archive, ServerName server) {
    long rollBytes = (long) (config.get(BLOCK_BYTES) * config.get(ROLL_SHARE));
    WalConfig wal =
        new WalConfig(
                directory,
                archive,
                // As HBase names its files.
                URLEncoder.encode(server.toString(), StandardCharsets.UTF_8),
                config.find(HSYNC).orElse(replication == 0)
                    ? Wal.SyncLevel.SYNCED
                    : Wal.SyncLevel.FLUSHED,
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

  /** Returns what happens to damaged logs of dead servers. */
  static CorruptWalPolicy damagedLogs(SiteConfig config) {
    return config.get(SKIP_DAMAGED) ? CorruptWalPolicy.SET_ASIDE : CorruptWalPolicy.REFUSED;
  }
}
