package dev.cairn.engine.hfile.writer;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.block.BlockWriter;
import dev.cairn.engine.hfile.bloom.BloomFilter;
import dev.cairn.engine.hfile.bloom.BloomWriter;
import dev.cairn.engine.hfile.cache.WrittenBlocks;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.CellTracker;
import dev.cairn.engine.hfile.format.FileInfo;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.Trailer;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;

/**
 * Writes a file from cells that come in order. The file appears under its name at once, but is
 * readable only after {@link #finish}; so write it where no reader looks, and rename it.
 *
 * <p>All cells belong to one family. Each is stored with its sequence number. One thread at a time.
 */
public final class HFileWriter implements Closeable {
  /** The maximum number of blocks that wait for compression: enough to keep two helpers busy. */
  private static final int BLOCKS_UNDER_WAY = 4;

  private final Storage storage;
  private final HFileOptions options;
  private final Clock clock;
  private final AppendFile file;
  private final BlockWriter blocks;
  private final IndexWriter index;
  private final Optional<BloomWriter> generalBloom;
  private final Optional<BloomWriter> deleteFamilyBloom;
  private final DataBlockBuilder data;
  private final Optional<CompressionQueue> queue;
  private final Optional<WrittenBlocks> kept;
  private final CellTracker tracker = new CellTracker();
  private final FileInfo info = new FileInfo();
  private final SortedMap<byte[], byte[]> metaBlocks = new TreeMap<>(Arrays::compareUnsigned);
  private final List<MetaBlockSource> metaSources = new ArrayList<>();
  private int metaBlockCount;
  private final ByteSink columnKey = new ByteSink(128);
  private long firstDataBlockOffset = -1;
  private long lastDataBlockOffset = -1;
  private boolean finished;
  private boolean closed;

  /**
   * Creates a file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  public HFileWriter(Storage storage, String path, HFileOptions options, Clock clock)
      throws IOException {
    this(storage, path, options, clock, Optional.empty());
  }

  /**
   * Creates a file.
   *
   * @param helpers compress blocks while the writer's thread fills the next ones; the file is the
   *     same with and without them
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  public HFileWriter(
      Storage storage, String path, HFileOptions options, Clock clock, Optional<Executor> helpers)
      throws IOException {
    this(storage, storage.create(path), options, clock, helpers, Optional.empty());
  }

  /**
   * Creates a writer for a new, empty file. The writer closes the file.
   *
   * @param storage holds the file
   * @param kept takes blocks that requests will probably read
   */
  public HFileWriter(
      Storage storage,
      AppendFile file,
      HFileOptions options,
      Clock clock,
      Optional<Executor> helpers,
      Optional<WrittenBlocks> kept)
      throws IOException {
    this.kept = kept;
    this.storage = storage;
    this.options = options;
    this.clock = clock;
    this.file = file;
    this.blocks = new BlockWriter(file, options.newCodec(), options.settings());
    this.index = new IndexWriter(blocks, options.settings().indexChunkSize());
    this.generalBloom =
        options.bloomType() == BloomType.NONE
            ? Optional.empty()
            : Optional.of(
                bloom(
                    options.bloomType() == BloomType.ROWCOL
                        ? options.comparator().storedName()
                        : ""));
    // A filter over columns answers for these markers, too.
    this.deleteFamilyBloom =
        options.bloomType() == BloomType.ROWCOL ? Optional.empty() : Optional.of(bloom(""));
    this.queue =
        helpers
            .filter(executor -> options.compression() != Compression.NONE)
            .map(executor -> new CompressionQueue(options, executor, BLOCKS_UNDER_WAY));
    this.data = new DataBlockBuilder(options, new CompressedBlock(options));
  }

  /**
   * Appends a copy of a cell.
   *
   * @throws IllegalStateException if it sorts before the one that was appended last
   * @throws IllegalArgumentException if it has tags and the file was not made for them
   */
  public void append(Cell cell) throws IOException {
    if (finished || closed) {
      throw new IllegalStateException("Store file " + path() + " is complete");
    }
    if (cell.tagsLength() > 0 && !options.includesTags()) {
      throw new IllegalArgumentException(
          "Store file " + path() + " was not made for cells with tags, such as " + cell);
    }
    Cell last = data.last();
    if (tracker.count() > 0 && options.comparator().compare(last, cell) > 0) {
      throw new IllegalStateException(
          "Store file " + path() + ": cell " + cell + " comes after " + last);
    }
    if (data.size() >= options.blockSize()) {
      endDataBlock();
    }
    addToBlooms(cell);
    tracker.include(cell);
    data.add(cell);
  }

  /** Returns the file's path. */
  public String path() {
    return file.path();
  }

  /** Returns the bytes of the file so far, with those that wait to be written, about. */
  public long byteSize() {
    return blocks.position() + data.size() + index.pendingBytes();
  }

  /** Returns the number of cells so far. */
  public long entryCount() {
    return tracker.count();
  }

  /**
   * Adds a name and a value to the file info. Neither is copied.
   *
   * @throws IllegalArgumentException if the name begins with {@code hfile.}
   */
  public void putFileInfo(byte[] key, byte[] value) {
    if (Bytes.utf8(key).startsWith(FileInfo.RESERVED_PREFIX)) {
      throw new IllegalArgumentException(
          "Names that begin with "
              + FileInfo.RESERVED_PREFIX
              + " are reserved: "
              + Bytes.toStringBinary(key));
    }
    info.put(key, value);
  }

  /**
   * Adds a named block, which is written after the cells. Neither array is copied.
   *
   * @throws IllegalArgumentException if there is one of that name
   */
  public void appendMetaBlock(String name, byte[] content) {
    if (metaBlocks.putIfAbsent(Bytes.utf8(name), content) != null) {
      throw new IllegalArgumentException(
          "Store file " + path() + " has a meta block " + name + " already");
    }
  }

  /**
   * Has blocks written after the cells, beside those of {@link #appendMetaBlock}.
   *
   * @param source writes the blocks when the file is finished; their names must differ from all
   *     others of the file
   */
  public void addMetaBlocks(MetaBlockSource source) {
    metaSources.add(source);
  }

  /** Says up to which sequence number of the log the file holds all writes to its store. */
  public void setMaxSequence(long sequence) {
    info.put(FileInfo.MAX_SEQUENCE, Bytes.ofLong(sequence));
  }

  /** Says whether the file is made from all files of its store. */
  public void setMajorCompaction(boolean major) {
    info.put(FileInfo.MAJOR_COMPACTION, new byte[] {(byte) (major ? -1 : 0)});
  }

  /**
   * Writes the rest: the last cells, index, Bloom filters, file info and trailer; then syncs the
   * file to its device and closes it.
   *
   * @return the file's length in bytes
   */
  public long finish() throws IOException {
    if (finished || closed) {
      throw new IllegalStateException("Store file " + path() + " is complete");
    }
    if (data.count() > 0) {
      endDataBlock();
    }
    if (queue.isPresent()) {
      queue.get().drain();
    }
    for (Optional<BloomWriter> bloom : Arrays.asList(generalBloom, deleteFamilyBloom)) {
      if (bloom.isPresent()) {
        bloom.get().writeLastChunk();
      }
    }
    ByteSink metaIndex = writeMetaBlocks();
    ByteSink root = index.finish();
    long loadOnOpenOffset = blocks.position();
    blocks.write(BlockType.ROOT_INDEX, root);
    blocks.write(BlockType.ROOT_INDEX, metaIndex);
    long fileInfoOffset = blocks.position();
    fillFileInfo();
    byte[] infoBytes = info.toBytes();
    blocks.write(BlockType.FILE_INFO, infoBytes, 0, infoBytes.length);
    writeBloomMeta(BlockType.GENERAL_BLOOM_META, generalBloom);
    writeBloomMeta(BlockType.DELETE_FAMILY_BLOOM_META, deleteFamilyBloom);
    blocks.drain();
    byte[] trailer = Trailer.toBytes(trailer(loadOnOpenOffset, fileInfoOffset));
    file.write(trailer, 0, trailer.length);
    long length = file.position();
    file.sync();
    file.close();
    finished = true;
    return length;
  }

  /** Closes the file; one that is not finished is deleted. */
  @Override
  public void close() throws IOException {
    if (finished || closed) {
      return;
    }
    closed = true;
    queue.ifPresent(CompressionQueue::clear);
    try {
      file.close();
    } finally {
      storage.delete(file.path());
    }
  }

  private BloomWriter bloom(String comparatorName) {
    return new BloomWriter(blocks, comparatorName, options.settings());
  }

  private void addToBlooms(Cell cell) {
    if (generalBloom.isPresent()) {
      BloomWriter bloom = generalBloom.get();
      switch (options.bloomType()) {
        case ROWCOL -> {
          BloomFilter.columnKey(cell, cell.qualifierLength(), columnKey);
          bloom.add(columnKey.bytes(), 0, columnKey.size());
        }
        case ROWPREFIX_FIXED_LENGTH ->
            bloom.add(
                cell.bytes(),
                cell.rowOffset(),
                Math.min(cell.rowLength(), options.bloomPrefixLength()));
        default -> bloom.add(cell.bytes(), cell.rowOffset(), cell.rowLength());
      }
    }
    if (deleteFamilyBloom.isPresent() && CellTracker.isDeleteFamily(cell.typeCode())) {
      deleteFamilyBloom.get().add(cell.bytes(), cell.rowOffset(), cell.rowLength());
    }
  }

  private void endDataBlock() throws IOException {
    byte[] indexKey = data.indexKey();
    CompressedBlock block = data.block();
    Optional<BloomWriter.Chunk> chunk = generalBloom.flatMap(BloomWriter::takeFullChunk);
    Optional<BloomWriter.Chunk> deletes = deleteFamilyBloom.flatMap(BloomWriter::takeFullChunk);
    boolean keep = kept.isPresent() && kept.get().isWanted();
    if (queue.isPresent()) {
      data.begin(queue.get().newBlock());
      queue
          .get()
          .add(
              block,
              packed -> {
                long offset = blocks.position();
                int size =
                    blocks.writeCompressed(packed.type(), packed.packed(), packed.bodySize());
                keep(keep, offset, packed);
                arrive(indexKey, size, chunk, deletes);
              });
    } else {
      long offset = blocks.position();
      int size = blocks.write(block.type(), block.encode());
      keep(keep, offset, block);
      arrive(indexKey, size, chunk, deletes);
      data.begin(block);
    }
  }

  private void keep(boolean keep, long offset, CompressedBlock block) throws IOException {
    if (keep) {
      kept.get().add(offset, block.cells(), block.bodySize(), options.includesTags());
    }
  }

  /** Adds a data block that was written to the index, and writes the blocks that follow it. */
  private void arrive(
      byte[] indexKey,
      int size,
      Optional<BloomWriter.Chunk> chunk,
      Optional<BloomWriter.Chunk> deletes)
      throws IOException {
    long offset = blocks.position() - size;
    if (firstDataBlockOffset < 0) {
      firstDataBlockOffset = offset;
    }
    lastDataBlockOffset = offset;
    index.add(indexKey, offset, size);
    if (chunk.isPresent()) {
      generalBloom.orElseThrow().write(chunk.get());
    }
    if (deletes.isPresent()) {
      deleteFamilyBloom.orElseThrow().write(deletes.get());
    }
  }

  /** Writes the meta blocks and returns the body of their index, which is like that of a root. */
  private ByteSink writeMetaBlocks() throws IOException {
    SortedMap<byte[], MetaBlockSource.Place> written = new TreeMap<>(Arrays::compareUnsigned);
    for (Map.Entry<byte[], byte[]> meta : metaBlocks.entrySet()) {
      written.put(meta.getKey(), writeMetaBlock(meta.getValue()));
    }
    for (MetaBlockSource source : metaSources) {
      source.write(new MetaBlocks(written));
    }
    metaBlockCount = written.size();
    ByteSink metaIndex = new ByteSink(64);
    for (Map.Entry<byte[], MetaBlockSource.Place> block : written.entrySet()) {
      metaIndex.putLong(block.getValue().offset());
      metaIndex.putInt(block.getValue().size());
      metaIndex.putVarArray(block.getKey());
    }
    return metaIndex;
  }

  private MetaBlockSource.Place writeMetaBlock(byte[] content) throws IOException {
    long offset = blocks.position();
    return new MetaBlockSource.Place(
        offset, blocks.write(BlockType.META, content, 0, content.length));
  }

  /** Takes the blocks of a source. */
  private final class MetaBlocks implements MetaBlockSource.Sink {
    private final Map<byte[], MetaBlockSource.Place> written;

    MetaBlocks(Map<byte[], MetaBlockSource.Place> written) {
      this.written = written;
    }

    @Override
    public void named(String name, byte[] content) throws IOException {
      if (written.put(Bytes.utf8(name), writeMetaBlock(content)) != null) {
        throw new IllegalArgumentException(
            "Store file " + path() + " has a meta block " + name + " already");
      }
    }

    @Override
    public MetaBlockSource.Place unnamed(byte[] content) throws IOException {
      return writeMetaBlock(content);
    }
  }

  private void fillFileInfo() {
    info.put(FileInfo.CREATION_TIME, Bytes.ofLong(clock.currentTimeMillis()));
    tracker.putInto(info, options.includesTags());
    if (tracker.count() > 0) {
      info.put(FileInfo.LAST_KEY, data.lastKey());
    }
    if (options.encoding() != DataBlockEncoding.NONE) {
      info.put(FileInfo.DATA_BLOCK_ENCODING, Bytes.utf8(options.encoding().name()));
    }
    if (generalBloom.isPresent() && !generalBloom.get().isEmpty()) {
      info.put(FileInfo.BLOOM_TYPE, Bytes.utf8(options.bloomType().name()));
      info.put(FileInfo.LAST_BLOOM_KEY, generalBloom.get().lastKey());
      if (options.bloomType() == BloomType.ROWPREFIX_FIXED_LENGTH) {
        info.put(FileInfo.BLOOM_PARAMETER, Bytes.ofInt(options.bloomPrefixLength()));
      }
    }
  }

  private void writeBloomMeta(BlockType type, Optional<BloomWriter> bloom) throws IOException {
    if (bloom.isPresent() && !bloom.get().isEmpty()) {
      blocks.write(type, bloom.get().meta());
    }
  }

  private FileTrailerProto trailer(long loadOnOpenOffset, long fileInfoOffset) {
    return FileTrailerProto.newBuilder()
        .setFileInfoOffset(fileInfoOffset)
        .setLoadOnOpenDataOffset(loadOnOpenOffset)
        .setUncompressedDataIndexSize(index.uncompressedBytes())
        .setTotalUncompressedBytes(blocks.uncompressedBytes() + HFileFormat.TRAILER_SIZE)
        .setDataIndexCount(index.rootCount())
        .setMetaIndexCount(metaBlockCount)
        .setEntryCount(tracker.count())
        .setNumDataIndexLevels(index.levels())
        .setFirstDataBlockOffset(firstDataBlockOffset)
        .setLastDataBlockOffset(lastDataBlockOffset)
        .setComparatorClassName(Trailer.comparatorName(options.comparator()))
        .setCompressionCodec(options.compression().code())
        .build();
  }
}
