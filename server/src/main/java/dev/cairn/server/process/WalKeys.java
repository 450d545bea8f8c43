package dev.cairn.server.process;

import dev.cairn.engine.wal.CorruptWalPolicy;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalCompression;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalRecovery;
import dev.cairn.engine.wal.WalValueCompression;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The keys that govern the write-ahead log, and what the engine is handed instead of them. */
final class WalKeys {
  static final ConfigKey<Boolean> HSYNC =
      ConfigKey.flag(
          "hbase.wal.hsync",
          true,
          "Whether a write is acknowledged after its log entry is on the device; if not, after it is in the"
              + " operating system's page cache.");

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

  /** Returns how the log of {@code server} in {@code directory} is kept. */
  static WalConfig wal(SiteConfig config, String directory, String archive, ServerName server) {
    long rollBytes = (long) (config.get(BLOCK_BYTES) * config.get(ROLL_SHARE));
    return new WalConfig(
            directory,
            archive,
            // As HBase names its files.
            URLEncoder.encode(server.toString(), StandardCharsets.UTF_8),
            config.get(HSYNC) ? Wal.SyncLevel.SYNCED : Wal.SyncLevel.FLUSHED,
            Math.max(1, rollBytes),
            config.get(FILES_MAX).intValue())
        .withCompression(compression(config))
        .withRecovery(recovery(config));
  }

  private static WalRecovery recovery(SiteConfig config) {
    WalRecovery usual = WalRecovery.DEFAULT;
    return new WalRecovery(
        usual.tries(), usual.pauseNanos(), TimeUnit.MILLISECONDS.toNanos(config.get(PROBE_MILLIS)));
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
