package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.FileInfo;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;

/**
 * The contents of a file's trailer and file info. The keys are views that are never moved; arrays
 * must not be changed.
 *
 * @param entryCount the number of cells
 * @param firstKey the key of the first cell, without value and sequence number; empty if there are
 *     no cells
 * @param lastKey the key of the last cell, likewise
 * @param maxSequence highest log sequence number up to which the file holds all writes; -1 if the
 *     file does not say, for example because it was made for bulk loading
 * @param maxMvcc the highest sequence number that is stored with a cell; 0 if none is stored
 * @param majorCompaction true if the file was made from all files of its store
 * @param minTimestamp lowest timestamp that the file affects: 0 if it holds a marker that deletes a
 *     column or a family
 * @param maxTimestamp the highest timestamp; {@link Long#MAX_VALUE} if the file does not say
 * @param earliestPut the lowest timestamp of a put; {@link Long#MAX_VALUE} if there is none
 * @param totalUncompressedBytes the size of all blocks before compression
 * @param deleteFamilyCount the number of markers that delete a family or a version of it; -1 if the
 *     file does not say
 * @param bloomType type of the Bloom filter
 * @param bloomPrefixLength the length of row prefixes, 0 if the filter does not hold those
 * @param compression compression of blocks
 * @param encoding encoding of data blocks
 * @param includesTags true if cells are stored with their tags, if they have any
 * @param createdMillis time of creation, milliseconds since 1970; 0 if unknown
 * @param fileInfo all names and values, including the writer's own
 */
public record HFileInfo(
    long entryCount,
    Optional<Cell> firstKey,
    Optional<Cell> lastKey,
    long maxSequence,
    long maxMvcc,
    boolean majorCompaction,
    long minTimestamp,
    long maxTimestamp,
    long earliestPut,
    long totalUncompressedBytes,
    long deleteFamilyCount,
    BloomType bloomType,
    int bloomPrefixLength,
    Compression compression,
    DataBlockEncoding encoding,
    boolean includesTags,
    long createdMillis,
    SortedMap<byte[], byte[]> fileInfo) {
  private static final byte[] PROTOBUF_MAGIC = Bytes.utf8("PBUF");
  private static final int KEY_VALUE_VERSION_WITH_SEQUENCE = 1;

  /**
   * Combines trailer, index and file info.
   *
   * @throws UnsupportedFileException if the file uses something that cannot be read here
   * @throws IOException saying which value is impossible
   */
  static HFileInfo of(
      String path,
      FileTrailerProto trailer,
      Compression compression,
      IndexBlock root,
      FileInfo info)
      throws IOException {
    String indexEncoding = info.getText(FileInfo.INDEX_BLOCK_ENCODING, "NONE");
    if (!indexEncoding.equals("NONE")) {
      throw new UnsupportedFileException(path, "its index has the encoding " + indexEncoding);
    }
    String encodingName = info.getText(FileInfo.DATA_BLOCK_ENCODING, "NONE");
    DataBlockEncoding encoding;
    try {
      encoding = DataBlockEncoding.of(encodingName);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFileException(path, e.getMessage());
    }
    boolean sequences =
        info.getInt(FileInfo.KEY_VALUE_VERSION, 0) == KEY_VALUE_VERSION_WITH_SEQUENCE;
    long[] range = timeRange(info);
    return new HFileInfo(
        trailer.getEntryCount(),
        firstKey(root),
        lastKey(info),
        info.getLong(FileInfo.MAX_SEQUENCE, -1),
        sequences ? info.getLong(FileInfo.MAX_CELL_SEQUENCE, 0) : 0,
        info.getFlag(FileInfo.MAJOR_COMPACTION),
        range[0],
        range[1],
        info.getLong(FileInfo.EARLIEST_PUT, Long.MAX_VALUE),
        trailer.getTotalUncompressedBytes(),
        info.getLong(FileInfo.DELETE_FAMILY_COUNT, -1),
        bloomType(info),
        info.getInt(FileInfo.BLOOM_PARAMETER, 0),
        compression,
        encoding,
        info.get(FileInfo.MAX_TAGS_LENGTH).isPresent(),
        info.getLong(FileInfo.CREATION_TIME, 0),
        info.values());
  }

  /** Tells whether some cell may have tags; if not, none has. */
  public boolean mayHaveTags() {
    byte[] longest = fileInfo.get(Bytes.utf8(FileInfo.MAX_TAGS_LENGTH));
    return includesTags && (longest.length != Integer.BYTES || Bytes.getInt(longest, 0) != 0);
  }

  /** Returns the length of the largest cell, bytes; 0 if the file does not say. */
  public long biggestCellBytes() {
    byte[] length = fileInfo.get(Bytes.utf8(FileInfo.BIGGEST_CELL_LENGTH));
    return length != null && length.length == Long.BYTES
        ? Math.max(0, Bytes.getLong(length, 0))
        : 0;
  }

  /** Returns the average length of keys: row, family, qualifier, and 12 bytes; 0 if unknown. */
  public long averageKeyBytes() {
    return average(FileInfo.AVERAGE_KEY_LENGTH);
  }

  /** Returns the average length of values, bytes; 0 if unknown. */
  public long averageValueBytes() {
    return average(FileInfo.AVERAGE_VALUE_LENGTH);
  }

  private long average(String name) {
    byte[] length = fileInfo.get(Bytes.utf8(name));
    return length != null && length.length == Integer.BYTES
        ? Math.max(0, Bytes.getInt(length, 0))
        : 0;
  }

  /** Tells whether the tags of encoded blocks are compressed. */
  boolean compressedTags() {
    byte[] flag = fileInfo.get(Bytes.utf8(FileInfo.TAGS_COMPRESSED));
    return flag != null && flag.length == 1 && flag[0] != 0;
  }

  /** Tells whether cells are stored with their sequence numbers. */
  boolean includesSequences() {
    byte[] version = fileInfo.get(Bytes.utf8(FileInfo.KEY_VALUE_VERSION));
    return version != null
        && version.length == Integer.BYTES
        && Bytes.getInt(version, 0) == KEY_VALUE_VERSION_WITH_SEQUENCE;
  }

  private static Optional<Cell> firstKey(IndexBlock root) {
    if (root.count() == 0) {
      return Optional.empty();
    }
    Cell key = new Cell();
    root.key(0, key);
    return Optional.of(key.copy());
  }

  private static Optional<Cell> lastKey(FileInfo info) throws IOException {
    Optional<byte[]> bytes = info.get(FileInfo.LAST_KEY);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    byte[] key = bytes.get();
    IndexBlock.checkKey(key, 0, key.length);
    Cell cell = new Cell();
    cell.setKey(key, 0, key.length);
    return Optional.of(cell.copy());
  }

  private static BloomType bloomType(FileInfo info) {
    String name = info.getText(FileInfo.BLOOM_TYPE, "NONE");
    // A filter of a kind that came later cannot be asked, which is always allowed.
    return Arrays.stream(BloomType.values())
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElse(BloomType.NONE);
  }

  /**
   * Two numbers side by side, followed by buffer contents in files of HBase before version 1; since
   * HBase 2, a message with the same numbers.
   */
  private static long[] timeRange(FileInfo info) throws IOException {
    byte[] bytes = info.get(FileInfo.TIME_RANGE).orElse(Bytes.EMPTY);
    int magic = PROTOBUF_MAGIC.length;
    if (bytes.length >= magic && Arrays.equals(bytes, 0, magic, PROTOBUF_MAGIC, 0, magic)) {
      HBaseProtos.TimeRangeTracker message =
          HBaseProtos.TimeRangeTracker.parser().parseFrom(bytes, magic, bytes.length - magic);
      return new long[] {message.getFrom(), message.getTo()};
    }
    return bytes.length >= 2 * Long.BYTES
        ? new long[] {Bytes.getLong(bytes, 0), Bytes.getLong(bytes, Long.BYTES)}
        : new long[] {0, Long.MAX_VALUE};
  }
}
