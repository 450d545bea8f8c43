package dev.cairn.shell.command;

import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.MobCompactPartitionPolicy;
import org.apache.hadoop.hbase.exceptions.HBaseException;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.IndexBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/** Creates column families from the hashes of {@code create} and {@code alter}. */
final class FamilyOptions {
  /** The constants of a family. */
  static final List<String> NAMES =
      List.of(
          "NAME",
          "VERSIONS",
          "MIN_VERSIONS",
          "TTL",
          "COMPRESSION",
          "COMPRESSION_COMPACT",
          "COMPRESSION_COMPACT_MAJOR",
          "COMPRESSION_COMPACT_MINOR",
          "BLOOMFILTER",
          "BLOCKSIZE",
          "BLOCKCACHE",
          "IN_MEMORY",
          "IN_MEMORY_COMPACTION",
          "KEEP_DELETED_CELLS",
          "DATA_BLOCK_ENCODING",
          "INDEX_BLOCK_ENCODING",
          "REPLICATION_SCOPE",
          "CACHE_DATA_ON_WRITE",
          "CACHE_INDEX_ON_WRITE",
          "CACHE_BLOOMS_ON_WRITE",
          "EVICT_BLOCKS_ON_CLOSE",
          "PREFETCH_BLOCKS_ON_OPEN",
          "COMPRESS_TAGS",
          "NEW_VERSION_BEHAVIOR",
          "IS_MOB",
          "MOB_THRESHOLD",
          "MOB_COMPACT_PARTITION_POLICY",
          "STORAGE_POLICY",
          "DFS_REPLICATION",
          "ENCRYPTION",
          "ENCRYPTION_KEY",
          "CONFIGURATION",
          "METADATA");

  private FamilyOptions() {}

  /**
   * Applies options to a family and removes them. The caller has removed NAME.
   *
   * @throws ShellException if a value is invalid, or an option does not apply to families
   */
  static ColumnFamilyDescriptor apply(ColumnFamilyDescriptorBuilder family, Options options) {
    for (String name : options.names()) {
      if (name.equals("CONFIGURATION")) {
        options.texts(name).forEach(family::setConfiguration);
      } else if (name.equals("METADATA")) {
        options.texts(name).forEach(family::setValue);
      } else if (NAMES.contains(name)) {
        options.letters(name).ifPresent(value -> set(family, name, value.trim()));
      }
    }
    TableOptions.requireNoMore(options, "The family " + family.getNameAsString());
    return family.build();
  }

  private static void set(ColumnFamilyDescriptorBuilder family, String name, String value) {
    try {
      switch (name) {
        case "VERSIONS" -> family.setMaxVersions(integer(name, value));
        case "MIN_VERSIONS" -> family.setMinVersions(integer(name, value));
        case "TTL" -> family.setTimeToLive(value);
        case "BLOCKSIZE" -> family.setBlocksize(value);
        case "COMPRESSION" -> family.setCompressionType(compression(name, value));
        case "COMPRESSION_COMPACT" -> family.setCompactionCompressionType(compression(name, value));
        case "COMPRESSION_COMPACT_MAJOR" ->
            family.setMajorCompactionCompressionType(compression(name, value));
        case "COMPRESSION_COMPACT_MINOR" ->
            family.setMinorCompactionCompressionType(compression(name, value));
        case "BLOOMFILTER" -> family.setBloomFilterType(named(name, value, BloomType.class));
        case "BLOCKCACHE" -> family.setBlockCacheEnabled(bool(name, value));
        case "IN_MEMORY" -> family.setInMemory(bool(name, value));
        case "IN_MEMORY_COMPACTION" ->
            family.setInMemoryCompaction(named(name, value, MemoryCompactionPolicy.class));
        case "KEEP_DELETED_CELLS" ->
            family.setKeepDeletedCells(named(name, value, KeepDeletedCells.class));
        case "DATA_BLOCK_ENCODING" ->
            family.setDataBlockEncoding(named(name, value, DataBlockEncoding.class));
        case "INDEX_BLOCK_ENCODING" ->
            family.setIndexBlockEncoding(named(name, value, IndexBlockEncoding.class));
        case "REPLICATION_SCOPE" -> family.setScope(integer(name, value));
        case "CACHE_DATA_ON_WRITE" -> family.setCacheDataOnWrite(bool(name, value));
        case "CACHE_INDEX_ON_WRITE" -> family.setCacheIndexesOnWrite(bool(name, value));
        case "CACHE_BLOOMS_ON_WRITE" -> family.setCacheBloomsOnWrite(bool(name, value));
        case "EVICT_BLOCKS_ON_CLOSE" -> family.setEvictBlocksOnClose(bool(name, value));
        case "PREFETCH_BLOCKS_ON_OPEN" -> family.setPrefetchBlocksOnOpen(bool(name, value));
        case "COMPRESS_TAGS" -> family.setCompressTags(bool(name, value));
        case "NEW_VERSION_BEHAVIOR" -> family.setNewVersionBehavior(bool(name, value));
        case "IS_MOB" -> family.setMobEnabled(bool(name, value));
        case "MOB_THRESHOLD" -> family.setMobThreshold(number(name, value));
        case "MOB_COMPACT_PARTITION_POLICY" ->
            family.setMobCompactPartitionPolicy(
                named(name, value, MobCompactPartitionPolicy.class));
        case "STORAGE_POLICY" -> family.setStoragePolicy(value.toUpperCase(Locale.ROOT));
        case "DFS_REPLICATION" -> family.setDFSReplication((short) integer(name, value));
        case "ENCRYPTION" -> family.setEncryptionType(value);
        default -> throw new ShellException(name + " is not supported yet");
      }
    } catch (HBaseException e) {
      throw new ShellException(name + " => '" + value + "': " + e.getMessage(), e);
    }
  }

  private static int integer(String name, String value) {
    return Conversions.integer(Text.of(value), name);
  }

  private static long number(String name, String value) {
    return Conversions.number(Text.of(value), name);
  }

  private static boolean bool(String name, String value) {
    return Conversions.bool(Text.of(value), name);
  }

  private static Compression.Algorithm compression(String name, String value) {
    return named(name, value, Compression.Algorithm.class);
  }

  private static <E extends Enum<E>> E named(String name, String value, Class<E> type) {
    try {
      return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ShellException(
          name + " must be one of " + Arrays.toString(type.getEnumConstants()) + ", not " + value,
          e);
    }
  }
}
