package dev.cairn.engine.hfile.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.block.BlockWalk;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.Trailer;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.hfile.format.VarLong;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.reader.LoadOnOpen;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;

/**
 * Shows how a store file is built, for tools: trailer, index, Bloom filters, block headers, beside
 * the cells. The order of the cells is taken from the file itself. One thread.
 */
public final class HFileInspector implements Closeable {
  private static final long CACHE_SIZE = 8 << 20;
  private static final int FIRST_BYTES = 32;

  private final ReadableFile file;
  private final Trailer trailer;
  private final LoadOnOpen loaded;
  private final HFileReader reader;

  private HFileInspector(
      ReadableFile file, Trailer trailer, LoadOnOpen loaded, HFileReader reader) {
    this.file = file;
    this.trailer = trailer;
    this.loaded = loaded;
    this.reader = reader;
  }

  /**
   * Opens a file.
   *
   * @throws CorruptFileException if it is damaged
   * @throws UnsupportedFileException if it is whole and cannot be read here
   */
  public static HFileInspector open(Storage storage, String path) throws IOException {
    ReadableFile file = storage.open(path);
    try {
      Trailer trailer = Trailer.read(file);
      CellComparator order = order(trailer);
      LoadOnOpen loaded = LoadOnOpen.read(file, order);
      BlockCache cache = new BlockCache(CACHE_SIZE, Runnable::run);
      return new HFileInspector(
          file, trailer, loaded, HFileReader.open(storage, path, cache, order));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Returns the order that a trailer names; that of user tables if it names another one. */
  static CellComparator order(Trailer trailer) {
    String name = trailer.message().getComparatorClassName();
    return Trailer.isComparator(name, CellComparator.META)
        ? CellComparator.META
        : CellComparator.USER;
  }

  /** Returns the file's cells, and its metadata. */
  public HFileReader reader() {
    return reader;
  }

  /** Returns the order of the file's cells. */
  public CellComparator comparator() {
    return reader.comparator();
  }

  /** Returns the trailer. */
  public TrailerFields trailer() {
    FileTrailerProto message = trailer.message();
    return new TrailerFields(
        trailer.major(),
        trailer.minor(),
        message.getFileInfoOffset(),
        message.getLoadOnOpenDataOffset(),
        message.getDataIndexCount(),
        message.getMetaIndexCount(),
        message.getTotalUncompressedBytes(),
        message.getEntryCount(),
        loaded.info().compression(),
        message.getUncompressedDataIndexSize(),
        message.getNumDataIndexLevels(),
        message.getFirstDataBlockOffset(),
        message.getLastDataBlockOffset());
  }

  /** Returns the memory that the top of the index takes here, bytes. */
  public long rootIndexWeight() {
    return loaded.root().weight();
  }

  /** Returns the entries of the index's root: data blocks, or the next level of the index. */
  public List<IndexEntry> rootIndex() {
    List<IndexEntry> entries = new ArrayList<>();
    Cell key = new Cell();
    for (int i = 0; i < loaded.root().count(); i++) {
      loaded.root().key(i, key);
      entries.add(new IndexEntry(key.copy(), loaded.root().offset(i), loaded.root().size(i)));
    }
    return entries;
  }

  /** Returns the key of the block in the middle of the file; empty if there are no cells. */
  public Optional<Cell> midKey() throws IOException {
    IndexBlock index = loaded.root();
    int entry = index.count() / 2;
    if (index.count() == 0) {
      return Optional.empty();
    }
    if (loaded.midKey().isPresent()) {
      IndexBlock.MidKey middle = loaded.midKey().get();
      index =
          reader.index(middle.leafOffset(), middle.leafSize(), true, true, ReadMetrics.unused());
      entry = middle.entry();
      if (entry < 0 || entry >= index.count()) {
        throw loaded
            .blocks()
            .corrupt(middle.leafOffset(), "index entry " + entry, index.count() + " entries");
      }
    }
    Cell key = new Cell();
    index.key(entry, key);
    return Optional.of(key.copy());
  }

  /** Returns the metadata of the filter over rows or columns; empty if there is none. */
  public Optional<BloomFields> generalBloom() throws IOException {
    return bloom(BlockType.GENERAL_BLOOM_META);
  }

  /** Returns the metadata of the filter over rows with markers for the family. */
  public Optional<BloomFields> deleteFamilyBloom() throws IOException {
    return bloom(BlockType.DELETE_FAMILY_BLOOM_META);
  }

  /**
   * Shows the blocks from the first to the last data block, as they lie in the file: data, and what
   * index blocks and parts of Bloom filters lie among it. Their checksums are checked.
   */
  public void blocks(Consumer<BlockFields> visitor) throws IOException {
    if (loaded.root().count() == 0) {
      return;
    }
    long last = trailer.message().getLastDataBlockOffset();
    BlockWalk walk =
        new BlockWalk(
            loaded.blocks(),
            trailer.message().getFirstDataBlockOffset(),
            trailer.message().getLoadOnOpenDataOffset());
    while (walk.hasNext() && walk.offset() <= last) {
      RawBlock block = walk.next();
      byte[] header = loaded.blocks().window(block.fileOffset(), loaded.blocks().headerSize());
      byte[] next = loaded.blocks().window(walk.offset(), loaded.blocks().headerSize());
      visitor.accept(fields(block, header, next));
    }
  }

  private BlockFields fields(RawBlock block, byte[] header, byte[] next) {
    boolean checksums = trailer.blocks().checksums();
    ChecksumType type =
        checksums ? ChecksumType.of(header[HFileFormat.CHECKSUM_TYPE_AT]) : ChecksumType.NULL;
    int headerSize = trailer.blocks().headerSize();
    return new BlockFields(
        block.type().name(),
        block.fileOffset(),
        headerSize,
        block.onDiskSize() - headerSize,
        block.to() - block.from(),
        Bytes.getLong(header, HFileFormat.PREVIOUS_OFFSET_AT),
        type,
        checksums ? Bytes.getInt(header, HFileFormat.BYTES_PER_CHECKSUM_AT) : 0,
        checksums ? Bytes.getInt(header, HFileFormat.ON_DISK_DATA_SIZE_AT) : block.onDiskSize(),
        Arrays.copyOfRange(
            block.bytes(), block.from(), Math.min(block.to(), block.from() + FIRST_BYTES)),
        next.length < headerSize
            ? -1
            : Bytes.getInt(next, HFileFormat.ON_DISK_SIZE_AT) + headerSize);
  }

  private Optional<BloomFields> bloom(BlockType type) throws IOException {
    BlockWalk walk =
        new BlockWalk(
            loaded.blocks(), trailer.message().getLoadOnOpenDataOffset(), trailer.offset());
    while (walk.hasNext()) {
      RawBlock block = walk.next();
      if (block.type() == type) {
        return Optional.of(BloomFields.parse(block));
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    try (HFileReader closing = reader) {
      file.close();
    }
  }

  /**
   * A trailer.
   *
   * @param majorVersion the version of the format
   * @param fileInfoOffset where the file info begins
   * @param loadOnOpenOffset where the part begins that is read when the file is opened
   * @param dataIndexCount entries of the index's root
   * @param metaIndexCount meta blocks
   * @param totalUncompressedBytes the size of all blocks before compression
   * @param entryCount cells
   * @param uncompressedDataIndexSize bytes of the whole index
   * @param indexLevels levels of the index, at least 1
   * @param firstDataBlockOffset where it begins, -1 if there is none
   * @param lastDataBlockOffset likewise
   */
  public record TrailerFields(
      int majorVersion,
      int minorVersion,
      long fileInfoOffset,
      long loadOnOpenOffset,
      int dataIndexCount,
      int metaIndexCount,
      long totalUncompressedBytes,
      long entryCount,
      Compression compression,
      long uncompressedDataIndexSize,
      int indexLevels,
      long firstDataBlockOffset,
      long lastDataBlockOffset) {}

  /**
   * An entry of an index.
   *
   * @param key at or before the first key of the block that it refers to
   * @param offset where the block begins
   * @param size how many bytes of the file the block takes
   */
  public record IndexEntry(Cell key, long offset, int size) {}

  /**
   * A block.
   *
   * @param type its type, by HBase's name
   * @param offset where it begins
   * @param headerSize bytes of its header
   * @param onDiskSizeWithoutHeader bytes of the file after the header, checksums included
   * @param uncompressedSize bytes of the body before compression
   * @param previousOffset where the previous block of the type begins, -1 if it is the first
   * @param checksumType how it is checked
   * @param bytesPerChecksum how many bytes each checksum covers
   * @param onDiskDataSize bytes of header and body
   * @param firstBytes the first bytes of the body, decompressed
   * @param nextOnDiskSize size in the file of the next block, -1 if unknown
   */
  public record BlockFields(
      String type,
      long offset,
      int headerSize,
      int onDiskSizeWithoutHeader,
      int uncompressedSize,
      long previousOffset,
      ChecksumType checksumType,
      int bytesPerChecksum,
      int onDiskDataSize,
      byte[] firstBytes,
      int nextOnDiskSize) {}

  /**
   * A Bloom filter.
   *
   * @param byteSize the size of its bits
   * @param keyCount the keys in it
   * @param keyCountMax the keys that it was made for
   * @param chunkCount its parts
   * @param comparatorName the class of its keys' order; empty if its keys are rows
   */
  public record BloomFields(
      long byteSize, long keyCount, long keyCountMax, int chunkCount, String comparatorName) {
    private static final int FIXED_SIZE = 40;

    static BloomFields parse(RawBlock meta) throws IOException {
      byte[] bytes = meta.bytes();
      int at = meta.from();
      int nameAt = at + FIXED_SIZE;
      if (meta.to() - nameAt < 1 || meta.to() - nameAt < VarLong.lengthOf(bytes[nameAt])) {
        throw new IOException("A Bloom filter of " + (meta.to() - at) + " bytes");
      }
      long nameLength = VarLong.read(bytes, nameAt);
      nameAt += VarLong.lengthOf(bytes[nameAt]);
      if (nameLength < 0 || nameLength > meta.to() - nameAt) {
        throw new IOException("A Bloom filter with a name of " + nameLength + " bytes");
      }
      return new BloomFields(
          Bytes.getLong(bytes, at + 4),
          Bytes.getLong(bytes, at + 20),
          Bytes.getLong(bytes, at + 28),
          Bytes.getInt(bytes, at + 36),
          Bytes.utf8(Arrays.copyOfRange(bytes, nameAt, nameAt + (int) nameLength)));
    }
  }
}
