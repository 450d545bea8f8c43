package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.BlockReader;
import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.block.CachedBlock;
import dev.cairn.engine.hfile.block.CachedBlock.BloomChunk;
import dev.cairn.engine.hfile.block.CachedBlock.MetaContent;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.bloom.BloomFilter;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.cache.BlockKind;
import dev.cairn.engine.hfile.cache.CacheContents;
import dev.cairn.engine.hfile.cache.PinnedBlocks;
import dev.cairn.engine.hfile.cache.WrittenBlocks;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.DamageListener;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.storage.LostBlockException;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Reads a file that {@code HFileWriter} or HBase since 0.92 wrote. The top of the index and the
 * indexes of the Bloom filters stay in memory while it is open; everything else is read on demand
 * and goes through the cache. Thread-safe; close it when its last cursor is closed.
 *
 * <p>No byte of the file is trusted: damage leads to a {@link CorruptFileException}, an unsupported
 * feature to an {@link UnsupportedFileException}, from the method that finds it.
 */
public final class HFileReader implements Closeable {
  private final ReadableFile file;
  private final BlockReader blocks;
  private final BlockCache.FileBlocks cache;
  private final CellComparator comparator;
  private final LoadOnOpen loaded;
  private final IndexBlock root;
  private final HFileInfo info;
  private final DamageListener damage;

  /** The level of the index below its root. */
  private final PinnedBlocks<IndexBlock> secondLevel;

  private final BloomFilter.ChunkSource generalChunks;
  private final BloomFilter.ChunkSource deleteFamilyChunks;

  private HFileReader(
      ReadableFile file,
      BlockReader blocks,
      BlockCache.FileBlocks cache,
      CellComparator comparator,
      LoadOnOpen loaded,
      DamageListener damage) {
    this.file = file;
    this.damage = damage;
    this.blocks = blocks;
    this.cache = cache;
    this.comparator = comparator;
    this.loaded = loaded;
    this.root = hasRowsInByteOrder() ? loaded.root().withRowPrefixes() : loaded.root();
    this.info = loaded.info();
    this.secondLevel = new PinnedBlocks<>(cache, loaded.indexLevels() > 1 ? root.count() : 0);
    this.generalChunks = chunks(loaded.generalBloom());
    this.deleteFamilyChunks = chunks(loaded.deleteFamilyBloom());
  }

  /**
   * Opens a file.
   *
   * @param comparator the order that its cells must have
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static HFileReader open(
      Storage storage, String path, BlockCache cache, CellComparator comparator)
      throws IOException {
    return open(storage, path, cache, comparator, DamageListener.NONE);
  }

  /**
   * Opens a file.
   *
   * @param comparator the order that its cells must have
   * @param damage receives damage that is found after the opening
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static HFileReader open(
      Storage storage,
      String path,
      BlockCache cache,
      CellComparator comparator,
      DamageListener damage)
      throws IOException {
    return open(storage.open(path), cache.register(), comparator, damage);
  }

  /**
   * Opens a file, as {@link #open(Storage, String, BlockCache, CellComparator, DamageListener)}
   * does, if no part of it is known to be lost.
   *
   * @throws LostBlockException if reads of some part would fail
   */
  public static HFileReader openComplete(
      Storage storage,
      String path,
      BlockCache cache,
      CellComparator comparator,
      DamageListener damage)
      throws IOException {
    ReadableFile file = storage.open(path);
    try {
      file.requireBlocks();
    } catch (IOException | RuntimeException e) {
      closeAfter(e, file);
      throw e;
    }
    return open(file, cache.register(), comparator, damage);
  }

  /** Opens a file that has just been written. Some of its blocks are in the cache already. */
  public static HFileReader open(
      Storage storage,
      String path,
      WrittenBlocks written,
      CellComparator comparator,
      DamageListener damage)
      throws IOException {
    return open(storage.open(path), written.cached(), comparator, damage);
  }

  private static HFileReader open(
      ReadableFile file,
      BlockCache.FileBlocks cache,
      CellComparator comparator,
      DamageListener damage)
      throws IOException {
    try {
      LoadOnOpen loaded = LoadOnOpen.read(file, comparator);
      return new HFileReader(file, loaded.blocks(), cache, comparator, loaded, damage);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e, file);
      throw e;
    }
  }

  private static void closeAfter(Throwable failure, ReadableFile file) {
    try {
      file.close();
    } catch (IOException closing) {
      failure.addSuppressed(closing);
    }
  }

  /** Returns the file's metadata. */
  public HFileInfo info() {
    return info;
  }

  /** Returns the number of rows if a Bloom filter of rows tells it; otherwise 0. */
  public long rowCount() {
    return info.bloomType() == BloomType.ROW
        ? loaded.generalBloom().map(BloomFilter::keyCount).orElse(0L)
        : 0;
  }

  /** Returns the file's path. */
  public String path() {
    return file.path();
  }

  /** Returns the file's length in bytes. */
  public long length() {
    return file.length();
  }

  /**
   * Returns a cursor over all cells. They carry the sequence numbers that they are stored with, or
   * 0 if the file stores none.
   *
   * <p>If blocks are kept, the cells that the cursor has shown are never overwritten. If not, as
   * for a pass over all cells, each block is read into the memory of the previous one: a cell is
   * valid until the cursor moves on, and a caller that needs it longer takes a copy ({@link
   * Cell#copy}).
   *
   * @param cacheBlocks whether blocks that have to be read are kept in the cache
   */
  public CellCursor cursor(boolean cacheBlocks) {
    return cursor(cacheBlocks, ReadMetrics.unused());
  }

  /** As {@link #cursor(boolean)}, and counts its reads in {@code figures}. */
  public CellCursor cursor(boolean cacheBlocks, ReadMetrics figures) {
    BlockMemory memory = cacheBlocks ? BlockMemory.NEW : new BlockMemory.Reused();
    return new HFileCursor(this, cacheBlocks, memory, figures);
  }

  /** Tells whether there may be a cell in the row; without a filter that knows, there may. */
  public boolean mayContainRow(byte[] row, int offset, int length) throws IOException {
    return mayContainRow(row, offset, length, ReadMetrics.unused());
  }

  /** As {@link #mayContainRow(byte[], int, int)}, and counts its reads. */
  public boolean mayContainRow(byte[] row, int offset, int length, ReadMetrics figures)
      throws IOException {
    if (info.entryCount() == 0) {
      return false;
    }
    if (loaded.generalBloom().isEmpty() || info.bloomType() == BloomType.ROWCOL) {
      return true;
    }
    int known =
        info.bloomType() == BloomType.ROWPREFIX_FIXED_LENGTH
            ? Math.min(length, info.bloomPrefixLength())
            : length;
    return loaded
        .generalBloom()
        .get()
        .mayContainRow(row, offset, known, comparator, generalChunks, figures);
  }

  /**
   * Tells whether there may be a cell in the column, or a marker that deletes its whole family;
   * without a filter that knows, there may. Timestamp and type do not matter.
   */
  public boolean mayContainColumn(Cell column) throws IOException {
    return mayContainColumn(column, ReadMetrics.unused());
  }

  /** As {@link #mayContainColumn(Cell)}, and counts its reads. */
  public boolean mayContainColumn(Cell column, ReadMetrics figures) throws IOException {
    if (info.bloomType() != BloomType.ROWCOL || loaded.generalBloom().isEmpty()) {
      return mayContainRow(column.bytes(), column.rowOffset(), column.rowLength(), figures);
    }
    BloomFilter bloom = loaded.generalBloom().get();
    return bloom.mayContainColumn(
            column, column.qualifierLength(), comparator, generalChunks, figures)
        // Markers for the family are in the column without a name.
        || info.deleteFamilyCount() != 0
            && column.qualifierLength() > 0
            && bloom.mayContainColumn(column, 0, comparator, generalChunks, figures);
  }

  /** Tells whether there may be a marker in the row that deletes the family or versions of it. */
  public boolean mayContainDeleteFamily(byte[] row, int offset, int length) throws IOException {
    return mayContainDeleteFamily(row, offset, length, ReadMetrics.unused());
  }

  /** As {@link #mayContainDeleteFamily(byte[], int, int)}, and counts its reads. */
  public boolean mayContainDeleteFamily(byte[] row, int offset, int length, ReadMetrics figures)
      throws IOException {
    if (info.deleteFamilyCount() == 0) {
      return false;
    }
    return loaded.deleteFamilyBloom().isEmpty()
        || loaded
            .deleteFamilyBloom()
            .get()
            .mayContainRow(row, offset, length, comparator, deleteFamilyChunks, figures);
  }

  /**
   * Returns a row near the middle of the file: one that begins a block, or that lies between it and
   * the block before. Empty if the file has no cells.
   */
  public Optional<byte[]> midRow() throws IOException {
    IndexBlock root = loaded.root();
    if (root.count() == 0) {
      return Optional.empty();
    }
    Cell key = new Cell();
    if (loaded.midKey().isPresent()) {
      IndexBlock.MidKey middle = loaded.midKey().get();
      IndexBlock leaf =
          index(middle.leafOffset(), middle.leafSize(), true, true, ReadMetrics.unused());
      if (middle.entry() < 0 || middle.entry() >= leaf.count()) {
        throw told(
            blocks.corrupt(
                middle.leafOffset(), "index entry " + middle.entry(), leaf.count() + " entries"));
      }
      leaf.key(middle.entry(), key);
    } else {
      root.key(root.count() / 2, key);
    }
    return Optional.of(key.row());
  }

  /** Returns the names of the file's meta blocks, in the order of their bytes. */
  public List<String> metaBlockNames() {
    return IntStream.range(0, loaded.metaIndex().count())
        .mapToObj(i -> Bytes.utf8(loaded.metaIndex().name(i)))
        .toList();
  }

  /** Tells whether the file has a meta block of a name. Reads nothing. */
  public boolean hasMetaBlock(String name) {
    return loaded.metaIndex().indexOfName(Bytes.utf8(name)) >= 0;
  }

  /** Returns the content of a meta block; empty if there is none of that name. Caches nothing. */
  public Optional<byte[]> metaBlock(String name) throws IOException {
    return metaBlock(name, ReadMetrics.unused());
  }

  /** As {@link #metaBlock(String)}, and counts the read in {@code figures}. */
  public Optional<byte[]> metaBlock(String name, ReadMetrics figures) throws IOException {
    int i = loaded.metaIndex().indexOfName(Bytes.utf8(name));
    if (i < 0) {
      return Optional.empty();
    }
    int size = loaded.metaIndex().size(i);
    long start = figures.startOfRead();
    byte[] content = metaBlock(loaded.metaIndex().offset(i), size);
    figures.fromDisk(size, start);
    return Optional.of(content);
  }

  private byte[] metaBlock(long offset, int size) throws IOException {
    RawBlock block = raw(offset, size, BlockType.META);
    return Arrays.copyOfRange(block.bytes(), block.from(), block.to());
  }

  /**
   * Returns the content of a meta block at an offset, from the cache if it is there; otherwise it
   * is in the cache afterwards.
   *
   * @param form the class of the content
   * @param decoder makes the content from the bytes of the block
   */
  public <T extends MetaContent> T metaBlock(
      long offset, int size, Class<T> form, Function<byte[], T> decoder, ReadMetrics figures)
      throws IOException {
    CachedBlock cached = cache.get(offset, BlockKind.META);
    if (form.isInstance(cached)) {
      figures.fromCache(size);
      return form.cast(cached);
    }
    long start = figures.startOfRead();
    T content = decoder.apply(metaBlock(offset, size));
    figures.fromDisk(size, start);
    cache.put(offset, content);
    return content;
  }

  /** Returns the source of the chunks of a Bloom filter that are meta blocks. */
  public BloomFilter.ChunkSource metaChunks() {
    return (number, offset, size, figures) -> chunk(offset, size, BlockType.META, figures);
  }

  /**
   * Returns the share of the file's blocks that may have rows from {@code low} to {@code high}, as
   * the root of its index tells: from 0 to 1. An empty row is no limit. Reads nothing.
   */
  public double shareOfRows(byte[] low, byte[] high) {
    int count = root.count();
    if (count == 0) {
      return 0;
    }
    int from = low.length == 0 ? 0 : blockBefore(low);
    int to = high.length == 0 ? count - 1 : blockBefore(high);
    return (to - from + 1) / (double) count;
  }

  /** Returns the last entry of the root whose block begins before a row; 0 if none does. */
  private int blockBefore(byte[] row) {
    return Math.max(0, root.floor(Cell.firstOnRow(row), comparator, new Cell()));
  }

  /** Returns the cached blocks of this file. */
  public CacheContents.Blocks cached(CacheContents contents) {
    return cache.in(contents);
  }

  /** Removes the file's blocks from the cache; the next reads read them again. */
  public BlockCache.Eviction clearCache() {
    return cache.clear();
  }

  /**
   * Tells whether all data blocks are in the cache, so that reads need no I/O. Reads index blocks
   * that are not in memory. False if the file has no data blocks.
   */
  public boolean isCached() throws IOException {
    return root.count() > 0 && isCached(root, 1);
  }

  private boolean isCached(IndexBlock index, int depth) throws IOException {
    for (int i = 0; i < index.count(); i++) {
      boolean cached =
          depth == indexLevels()
              ? cache.contains(index.offset(i))
              : isCached(index(index, i, depth, ReadMetrics.unused()), depth + 1);
      if (!cached) {
        return false;
      }
    }
    return true;
  }

  /** Reads all index and Bloom filter blocks into the cache. */
  public void warmUp() throws IOException {
    readIndex(root, 1);
    if (loaded.generalBloom().isPresent()) {
      loaded.generalBloom().get().readAll(generalChunks);
    }
    if (loaded.deleteFamilyBloom().isPresent()) {
      loaded.deleteFamilyBloom().get().readAll(deleteFamilyChunks);
    }
  }

  /** Returns the offsets of the data blocks that are in the cache, ascending. */
  public long[] cachedData() {
    return cache.dataOffsets();
  }

  /**
   * Reads data blocks into the cache, in the order of the file, as if they had been in use.
   *
   * @param offsets the offsets of the blocks, ascending. Offsets at which no data block begins are
   *     ignored
   * @return how many of the blocks are in the cache
   */
  public int warmUp(long[] offsets, WarmUpPace pace) throws IOException {
    return offsets.length == 0 ? 0 : warmUp(root, 1, offsets, pace);
  }

  private int warmUp(IndexBlock index, int depth, long[] offsets, WarmUpPace pace)
      throws IOException {
    int blocks = 0;
    for (int i = 0; i < index.count(); i++) {
      if (depth < indexLevels()) {
        blocks += warmUp(index(index, i, depth, ReadMetrics.unused()), depth + 1, offsets, pace);
        continue;
      }
      long offset = index.offset(i);
      if (Arrays.binarySearch(offsets, offset) < 0) {
        continue;
      }
      if (!cache.contains(offset)) {
        if (!pace.mayRead(index.size(i))) {
          return blocks;
        }
        kept(offset, index.size(i));
      }
      cache.use(offset);
      blocks++;
    }
    return blocks;
  }

  private void readIndex(IndexBlock index, int depth) throws IOException {
    for (int i = 0; depth < indexLevels() && i < index.count(); i++) {
      readIndex(index(index, i, depth, ReadMetrics.unused()), depth + 1);
    }
  }

  /** Closes the file and drops its blocks from the cache. */
  @Override
  public void close() throws IOException {
    cache.evict();
    file.close();
  }

  /** Returns the order of the cells. */
  public CellComparator comparator() {
    return comparator;
  }

  IndexBlock root() {
    return root;
  }

  private boolean hasRowsInByteOrder() {
    return comparator == CellComparator.USER;
  }

  /** Returns the number of levels of the index, at least 1. */
  int indexLevels() {
    return loaded.indexLevels();
  }

  /**
   * Returns a block of the index below the root.
   *
   * @param above the block that names it, and {@code entry} where
   * @param depth how many levels lie above it, at least 1
   */
  public IndexBlock index(IndexBlock above, int entry, int depth, ReadMetrics figures)
      throws IOException {
    boolean pinnable = depth == 1;
    IndexBlock pinned = pinnable ? secondLevel.get(entry) : null;
    if (pinned != null) {
      figures.fromCache(above.size(entry));
      return pinned;
    }
    long offset = above.offset(entry);
    boolean leaf = depth == indexLevels() - 1;
    // Index blocks are kept whatever they are read for: they are few and everyone needs them.
    IndexBlock index = index(offset, above.size(entry), leaf, true, figures);
    if (pinnable && secondLevel.offer(entry, index)) {
      cache.remove(offset);
    }
    return index;
  }

  /** As the other method, of a block that the index places at {@code offset}. */
  public IndexBlock index(long offset, int size, boolean leaf, boolean keep, ReadMetrics figures)
      throws IOException {
    BlockKind kind = leaf ? BlockKind.LEAF_INDEX : BlockKind.INTERMEDIATE_INDEX;
    if (cache.get(offset, kind) instanceof IndexBlock index) {
      figures.fromCache(size);
      return index;
    }
    long start = figures.startOfRead();
    RawBlock raw = raw(offset, size, leaf ? BlockType.LEAF_INDEX : BlockType.INTERMEDIATE_INDEX);
    try {
      IndexBlock read = IndexBlock.below(raw.bytes(), raw.from(), raw.to());
      IndexBlock index = hasRowsInByteOrder() ? read.withRowPrefixes() : read;
      figures.fromDisk(size, start);
      if (keep) {
        cache.put(offset, index);
      }
      return index;
    } catch (IOException e) {
      throw told(blocks.corrupt(offset, "an index block", e));
    }
  }

  /**
   * Returns a decoded data block. It enters the cache, with a table of its rows, when it is asked
   * for again: if there are more blocks than room in the cache, most are not, and making the table
   * takes an eighth of the time of reading a block.
   */
  DataBlock data(long offset, int size, boolean keep, BlockMemory memory, ReadMetrics figures)
      throws IOException {
    if ((keep ? cache.get(offset, BlockKind.DATA) : cache.peek(offset)) instanceof DataBlock data) {
      figures.fromCache(size);
      return keep && hasRowsInByteOrder() && !data.hasRowPrefixes()
          ? cache.settle(offset, data)
          : data;
    }
    long start = figures.startOfRead();
    DataBlock data = keep ? kept(offset, size) : decoded(offset, size, memory);
    figures.fromDisk(size, start);
    return data;
  }

  /** Reads a block that goes into the cache. */
  private DataBlock kept(long offset, int size) throws IOException {
    Optional<BlockMemory.Reused> memory = cache.borrow();
    if (memory.isPresent()) {
      DataBlock read = decoded(offset, size, memory.get());
      DataBlock copy = cache.putCopy(offset, read);
      cache.giveBack(memory.get()); // of a damaged block it is not worth the trouble
      return copy;
    }
    DataBlock data = decoded(offset, size, BlockMemory.NEW);
    cache.put(offset, data);
    return data;
  }

  private DataBlock decoded(long offset, int size, BlockMemory memory) throws IOException {
    try {
      return loaded.dataBlockReader().read(offset, size, memory);
    } catch (CorruptFileException e) {
      throw told(e);
    } catch (LostBlockException e) {
      damage.lost(e);
      throw e;
    }
  }

  private RawBlock raw(long offset, int size, BlockType type) throws IOException {
    try {
      return blocks.read(offset, size, type);
    } catch (CorruptFileException e) {
      throw told(e);
    } catch (LostBlockException e) {
      damage.lost(e);
      throw e;
    }
  }

  private CorruptFileException told(CorruptFileException found) {
    damage.damaged(found);
    return found;
  }

  private BloomFilter.ChunkSource chunks(Optional<BloomFilter> bloom) {
    PinnedBlocks<BloomChunk> pinned =
        new PinnedBlocks<>(cache, bloom.map(BloomFilter::chunkCount).orElse(0));
    return (number, offset, size, figures) -> {
      BloomChunk kept = pinned.get(number);
      if (kept != null) {
        figures.fromCache(size);
        return kept;
      }
      BloomChunk chunk = chunk(offset, size, BlockType.BLOOM_CHUNK, figures);
      if (pinned.offer(number, chunk)) {
        cache.remove(offset);
      }
      return chunk;
    };
  }

  private BloomChunk chunk(long offset, int size, BlockType type, ReadMetrics figures)
      throws IOException {
    if (cache.get(offset, BlockKind.BLOOM_CHUNK) instanceof BloomChunk chunk) {
      figures.fromCache(size);
      return chunk;
    }
    long start = figures.startOfRead();
    RawBlock raw = raw(offset, size, type);
    int length = raw.to() - raw.from();
    if (length == 0 || length > Integer.MAX_VALUE / 8) {
      throw told(blocks.corrupt(offset, "a part of a Bloom filter", length + " bytes"));
    }
    BloomChunk chunk = new BloomChunk(raw.bytes(), raw.from(), raw.to());
    figures.fromDisk(size, start);
    cache.put(offset, chunk);
    return chunk;
  }
}
