package dev.cairn.engine.hfile.format;

/**
 * Numbers that writer and reader share.
 *
 * <pre>
 *   file:    data blocks, with leaf index blocks and Bloom chunks among them | meta blocks |
 *            intermediate index | load-on-open: root index, meta index, file info, Bloom metas |
 *            {@link Trailer}
 *   block:   magic[8] | int onDiskSize | int uncompressedSize | long offset of the previous block of
 *            the type | byte checksumType | int bytesPerChecksum | int onDiskDataSize | data |
 *            int checksum per started bytesPerChecksum bytes of header and data
 * </pre>
 *
 * <p>{@code onDiskSize} is without the header and with the checksums, {@code onDiskDataSize} with
 * the header and without the checksums, {@code uncompressedSize} without either.
 *
 * <p>Format: the reference guide's appendix on HFile, versions 2 and 3.
 */
public final class HFileFormat {
  static final int MAJOR_VERSION = 3;
  static final int MINOR_VERSION = 3;

  /** The length of a block's header, bytes. */
  public static final int HEADER_SIZE = 33;

  /** The offset of {@code onDiskSize} in the header. */
  public static final int ON_DISK_SIZE_AT = 8;

  /** The offset of {@code uncompressedSize} in the header. */
  public static final int UNCOMPRESSED_SIZE_AT = 12;

  /** The offset of the previous block's offset in the header. */
  public static final int PREVIOUS_OFFSET_AT = 16;

  /** The offset of {@code checksumType} in the header. */
  public static final int CHECKSUM_TYPE_AT = 24;

  /** The offset of {@code bytesPerChecksum} in the header. */
  public static final int BYTES_PER_CHECKSUM_AT = 25;

  /** The offset of {@code onDiskDataSize} in the header. */
  public static final int ON_DISK_DATA_SIZE_AT = 29;

  /** HBase's default of {@code hbase.hstore.bytes.per.checksum}. */
  public static final int BYTES_PER_CHECKSUM = 16 * 1024;

  /** The length of a trailer of version 3, bytes. */
  public static final int TRAILER_SIZE = 4096;

  /** The size at which a part of an index or of a Bloom filter becomes a block of its own. */
  static final int CHUNK_SIZE = 128 * 1024;

  /**
   * No block is larger than this once it is decompressed; a header with a larger size is damaged.
   */
  public static final int MAX_BLOCK_SIZE = 512 * 1024 * 1024;

  /**
   * The largest size, in bytes, that a block may claim for its decompressed or decoded form before
   * the claim is checked against other numbers. Small enough to allocate.
   */
  public static final int HARMLESS_SIZE = 64 * 1024 * 1024;

  /** No index is deeper than this; four levels are enough for petabytes. */
  public static final int MAX_INDEX_LEVELS = 16;

  private HFileFormat() {}
}
