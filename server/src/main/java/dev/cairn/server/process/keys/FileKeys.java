package dev.cairn.server.process.keys;

import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.format.HFileSettings.ZstdFraming;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Locale;

/** The keys that say how store files are written and cached. */
public final class FileKeys {
  private static final int MOST_BYTES = 1 << 30;

  static final ConfigKey<ChecksumType> CHECKSUM =
      new ConfigKey<>(
          "hbase.hstore.checksum.algorithm",
          "CRC32C",
          "NULL, CRC32 or CRC32C",
          "Checksum algorithm of store file blocks. With NULL, damage is not detected.",
          text -> ChecksumType.valueOf(text.toUpperCase(Locale.ROOT)),
          value -> true);

  static final ConfigKey<Long> BYTES_PER_CHECKSUM =
      ConfigKey.number(
          "hbase.hstore.bytes.per.checksum",
          16 * 1024,
          1,
          MOST_BYTES,
          "Bytes of a store file's block that one checksum covers.");

  static final ConfigKey<Long> INDEX_BLOCK_BYTES =
      ConfigKey.number(
          "hfile.index.block.max.size",
          128 * 1024,
          64,
          MOST_BYTES,
          "Size at which an index block of a store file is complete, in bytes.");

  static final ConfigKey<Long> BLOOM_BLOCK_BYTES =
      ConfigKey.number(
          "io.storefile.bloom.block.size",
          128 * 1024,
          16,
          1 << 27,
          "Size at which a Bloom filter chunk of a store file is complete, in bytes.");

  static final ConfigKey<Double> BLOOM_ERROR_RATE =
      new ConfigKey<>(
          "io.storefile.bloom.error.rate",
          "0.01",
          "a number from 0.000001 to 0.5",
          "Maximum false positive rate of a store file's Bloom filter.",
          Double::parseDouble,
          value -> value >= 0.000001 && value <= 0.5);

  static final ConfigKey<ZstdFraming> ZSTD_CODEC =
      new ConfigKey<>(
          "hbase.io.compress.zstd.codec",
          "org.apache.hadoop.io.compress.ZStandardCodec",
          "org.apache.hadoop.io.compress.ZStandardCodec, org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec"
              + " or org.apache.hadoop.hbase.io.compress.aircompressor.ZstdCodec",
          "HBase codec whose format ZSTD blocks are written in. Blocks of all three codecs"
              + " are read, and their classes are not needed.",
          FileKeys::zstdFraming,
          value -> true);

  public static final ConfigKey<Double> IN_MEMORY_SHARE =
      new ConfigKey<>(
          "hbase.lru.blockcache.memory.percentage",
          "0.25",
          "a number from 0 to 1",
          "Share of the block cache that is reserved for families with IN_MEMORY, as far as"
              + " they need it.",
          Double::parseDouble,
          value -> value >= 0 && value <= 1);

  private FileKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(
        CHECKSUM,
        BYTES_PER_CHECKSUM,
        INDEX_BLOCK_BYTES,
        BLOOM_BLOCK_BYTES,
        BLOOM_ERROR_RATE,
        ZSTD_CODEC,
        IN_MEMORY_SHARE);
  }

  static HFileSettings settings(SiteConfig config) {
    return new HFileSettings(
        config.get(CHECKSUM),
        config.get(BYTES_PER_CHECKSUM).intValue(),
        config.get(INDEX_BLOCK_BYTES).intValue(),
        config.get(BLOOM_BLOCK_BYTES).intValue(),
        config.get(BLOOM_ERROR_RATE),
        config.get(ZSTD_CODEC));
  }

  private static ZstdFraming zstdFraming(String codec) {
    return switch (codec) {
      case "org.apache.hadoop.io.compress.ZStandardCodec" -> ZstdFraming.BARE;
      case "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec",
          "org.apache.hadoop.hbase.io.compress.aircompressor.ZstdCodec" ->
          ZstdFraming.BLOCKS;
      default -> throw new IllegalArgumentException("an unknown codec");
    };
  }
}
