package dev.cairn.engine.hfile.format;

/**
 * A server's settings for the files that it writes, each with HBase's key.
 *
 * @param checksumType checksum algorithm of blocks ({@code hbase.hstore.checksum.algorithm})
 * @param bytesPerChecksum number of bytes that one checksum covers, at least 1 ({@code
 *     hbase.hstore.bytes.per.checksum})
 * @param indexChunkSize the size of a full block of the index, bytes, at least 1 ({@code
 *     hfile.index.block.max.size})
 * @param bloomChunkSize the size of a full part of a Bloom filter, bytes, at least 1 ({@code
 *     io.storefile.bloom.block.size})
 * @param bloomErrorRate false positive rate of a full Bloom filter, more than 0 and less than 1
 *     ({@code io.storefile.bloom.error.rate})
 * @param zstdFraming format in which Zstandard is written ({@code hbase.io.compress.zstd.codec});
 *     all formats are read
 */
public record HFileSettings(
    ChecksumType checksumType,
    int bytesPerChecksum,
    int indexChunkSize,
    int bloomChunkSize,
    double bloomErrorRate,
    ZstdFraming zstdFraming) {
  /** HBase's defaults. */
  public static final HFileSettings DEFAULTS =
      new HFileSettings(
          ChecksumType.CRC32C,
          HFileFormat.BYTES_PER_CHECKSUM,
          HFileFormat.CHUNK_SIZE,
          HFileFormat.CHUNK_SIZE,
          0.01,
          ZstdFraming.BARE);

  /** The formats that HBase's codecs for Zstandard write; none reads the other's. */
  public enum ZstdFraming {
    /** A frame and nothing else: Hadoop's own codec, HBase's default. */
    BARE,
    /** Frames in Hadoop's block framing: the codecs that come with HBase. */
    BLOCKS
  }

  /** Checks the numbers. */
  public HFileSettings {
    if (bytesPerChecksum < 1 || indexChunkSize < 1 || bloomChunkSize < 1) {
      throw new IllegalArgumentException(
          "Sizes must be positive: "
              + bytesPerChecksum
              + ", "
              + indexChunkSize
              + ", "
              + bloomChunkSize);
    }
    if (!(bloomErrorRate > 0 && bloomErrorRate < 1)) {
      throw new IllegalArgumentException(
          "The error rate of Bloom filters must be between 0 and 1, not " + bloomErrorRate);
    }
  }

  /** Returns the same with another way of protecting blocks. */
  public HFileSettings withChecksum(ChecksumType type, int bytes) {
    return new HFileSettings(
        type, bytes, indexChunkSize, bloomChunkSize, bloomErrorRate, zstdFraming);
  }

  /** Returns the same with other sizes of the parts of indexes and Bloom filters. */
  public HFileSettings withChunkSizes(int index, int bloom) {
    return new HFileSettings(
        checksumType, bytesPerChecksum, index, bloom, bloomErrorRate, zstdFraming);
  }

  /** Returns the same with another format for Zstandard. */
  public HFileSettings withZstdFraming(ZstdFraming framing) {
    return new HFileSettings(
        checksumType, bytesPerChecksum, indexChunkSize, bloomChunkSize, bloomErrorRate, framing);
  }
}
