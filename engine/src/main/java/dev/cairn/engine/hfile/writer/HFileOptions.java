package dev.cairn.engine.hfile.writer;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.codec.Codec;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.BloomType;

/**
 * The options with which a file is written.
 *
 * @param blockSize the size before compression and encoding at which a data block is complete,
 *     bytes, at least 1
 * @param compression compression of blocks
 * @param encoding encoding of data blocks
 * @param bloomType type of the Bloom filter
 * @param bloomPrefixLength the length of row prefixes, at least 1 if the filter holds those
 * @param comparator the order of the cells
 * @param includesTags true if cells may have tags, which costs two bytes for each cell without tags
 * @param settings settings of all families of a server
 */
public record HFileOptions(
    int blockSize,
    Compression compression,
    DataBlockEncoding encoding,
    BloomType bloomType,
    int bloomPrefixLength,
    CellComparator comparator,
    boolean includesTags,
    HFileSettings settings) {
  /** Checks the numbers. */
  public HFileOptions {
    if (blockSize < 1) {
      throw new IllegalArgumentException("The block size must be positive: " + blockSize);
    }
    if (bloomType == BloomType.ROWPREFIX_FIXED_LENGTH && bloomPrefixLength < 1) {
      throw new IllegalArgumentException(
          "A Bloom filter over row prefixes needs their length, not " + bloomPrefixLength);
    }
  }

  /** Creates options with HBase's default settings, apart from these. */
  public HFileOptions(
      int blockSize,
      Compression compression,
      DataBlockEncoding encoding,
      BloomType bloomType,
      int bloomPrefixLength,
      CellComparator comparator,
      boolean includesTags,
      ChecksumType checksumType,
      int indexChunkSize,
      int bloomChunkSize) {
    this(
        blockSize,
        compression,
        encoding,
        bloomType,
        bloomPrefixLength,
        comparator,
        includesTags,
        HFileSettings.DEFAULTS
            .withChecksum(checksumType, HFileFormat.BYTES_PER_CHECKSUM)
            .withChunkSizes(indexChunkSize, bloomChunkSize));
  }

  /** As {@link #of(FamilySchema, CellComparator, HFileSettings)}, with HBase's defaults. */
  public static HFileOptions of(FamilySchema family, CellComparator comparator) {
    return of(family, comparator, HFileSettings.DEFAULTS);
  }

  /**
   * Returns the options of files that a flush of the family writes.
   *
   * @throws IllegalArgumentException naming the attribute that asks for something that cannot be
   *     had
   */
  public static HFileOptions of(
      FamilySchema family, CellComparator comparator, HFileSettings settings) {
    try {
      refuse(family, "ENCRYPTION", "NONE", "Encrypted store files");
      refuse(family, "INDEX_BLOCK_ENCODING", "NONE", "Encoded index blocks");
      compression(family, "COMPRESSION_COMPACT_MAJOR");
      compression(family, "COMPRESSION_COMPACT_MINOR");
      return new HFileOptions(
          family.blockSize(),
          Compression.of(family.compression()),
          DataBlockEncoding.of(family.dataBlockEncoding()),
          family.bloomType(),
          family.bloomType() == BloomType.ROWPREFIX_FIXED_LENGTH ? family.bloomPrefixLength() : 0,
          comparator,
          true,
          settings);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + ", in family " + family.nameAsString(), e);
    }
  }

  /**
   * Returns the options of a family for files of a compaction: as {@link #of}, with the compression
   * of its own attributes.
   *
   * @param major whether the compaction takes all files of the store
   */
  public static HFileOptions ofCompaction(
      FamilySchema family, CellComparator comparator, HFileSettings settings, boolean major) {
    HFileOptions options = of(family, comparator, settings);
    return options.withCompression(
        compression(family, major ? "COMPRESSION_COMPACT_MAJOR" : "COMPRESSION_COMPACT_MINOR"));
  }

  /** Returns the same with another compression. */
  public HFileOptions withCompression(Compression changed) {
    return new HFileOptions(
        blockSize,
        changed,
        encoding,
        bloomType,
        bloomPrefixLength,
        comparator,
        includesTags,
        settings);
  }

  /** Returns the same without a Bloom filter. */
  public HFileOptions withoutBloom() {
    return new HFileOptions(
        blockSize, compression, encoding, BloomType.NONE, 0, comparator, includesTags, settings);
  }

  /** Returns the same with or without tags. */
  public HFileOptions withTags(boolean changed) {
    return new HFileOptions(
        blockSize,
        compression,
        encoding,
        bloomType,
        bloomPrefixLength,
        comparator,
        changed,
        settings);
  }

  /** Returns the same with other settings. */
  public HFileOptions withSettings(HFileSettings changed) {
    return new HFileOptions(
        blockSize,
        compression,
        encoding,
        bloomType,
        bloomPrefixLength,
        comparator,
        includesTags,
        changed);
  }

  /** Returns a codec with buffers of its own for the file's compression. */
  Codec newCodec() {
    return compression.newCodec(settings.zstdFraming());
  }

  private static Compression compression(FamilySchema family, String attribute) {
    String otherwise =
        family
            .attribute("COMPRESSION_COMPACT")
            .filter(name -> !name.isBlank())
            .orElse(family.compression());
    return Compression.of(
        family.attribute(attribute).filter(name -> !name.isBlank()).orElse(otherwise));
  }

  private static void refuse(FamilySchema family, String key, String allowed, String what) {
    family
        .attribute(key)
        .map(String::trim)
        .filter(value -> !value.isEmpty() && !value.equalsIgnoreCase(allowed))
        .ifPresent(
            value -> {
              throw new IllegalArgumentException(
                  what + " are not supported: " + key + " is <" + value + ">");
            });
  }
}
