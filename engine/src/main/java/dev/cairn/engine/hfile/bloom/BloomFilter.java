package dev.cairn.engine.hfile.bloom;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.block.CachedBlock.BloomChunk;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.VarLong;
import java.io.IOException;
import java.util.Optional;

/**
 * A file's Bloom filter: the index of its chunks, in the format of {@link BloomWriter}. Chunks are
 * read on demand. Immutable; any number of threads.
 */
public final class BloomFilter {
  /** The only version of the meta block. */
  static final int VERSION = 3;

  private static final int FIXED_SIZE = 4 + 8 + 4 + 4 + 8 + 8 + 4 + 1;

  /** No filter computes more hashes than this. */
  static final int MAX_HASH_COUNT = 100;

  private final IndexBlock chunks;
  private final int hashCount;
  private final long keyCount;

  private BloomFilter(IndexBlock chunks, int hashCount, long keyCount) {
    this.chunks = chunks;
    this.hashCount = hashCount;
    this.keyCount = keyCount;
  }

  /**
   * Reads a meta block.
   *
   * @param cellKeys whether the chunks' first keys are cells' keys, not rows
   * @return empty if the filter has no keys, or was made with a hash function that is not known
   *     here: then nothing can be said about any key
   * @throws IOException naming the damage
   */
  public static Optional<BloomFilter> parse(RawBlock meta, boolean cellKeys) throws IOException {
    return parse(meta.bytes(), meta.from(), meta.to(), cellKeys);
  }

  /** As {@link #parse(RawBlock, boolean)}, of a part of an array. */
  public static Optional<BloomFilter> parse(byte[] bytes, int from, int to, boolean cellKeys)
      throws IOException {
    int at = from;
    if (to - at < FIXED_SIZE || Bytes.getInt(bytes, at) != VERSION) {
      throw new IOException("no Bloom filter of version " + VERSION);
    }
    int hashCount = Bytes.getInt(bytes, at + 12);
    int hashType = Bytes.getInt(bytes, at + 16);
    long keyCount = Bytes.getLong(bytes, at + 20);
    int count = Bytes.getInt(bytes, at + 36);
    at += FIXED_SIZE - 1;
    int nameLengthSize = VarLong.lengthOf(bytes[at]);
    long nameLength = to - at < nameLengthSize ? -1 : VarLong.read(bytes, at);
    at += nameLengthSize;
    if (hashCount <= 0 || hashCount > MAX_HASH_COUNT || nameLength < 0 || nameLength > to - at) {
      throw new IOException("a Bloom filter with " + hashCount + " hashes");
    }
    IndexBlock chunks = IndexBlock.root(bytes, at + (int) nameLength, to, count);
    if (chunks.end() != to) {
      throw new IOException(count + " chunks and " + (to - chunks.end()) + " bytes more");
    }
    if (cellKeys) {
      chunks.checkKeys();
    }
    return hashType == BloomHash.MURMUR && count > 0
        ? Optional.of(new BloomFilter(chunks, hashCount, keyCount))
        : Optional.empty();
  }

  /** Returns the number of keys that were added. */
  public long keyCount() {
    return keyCount;
  }

  /** Returns the number of chunks. */
  public int chunkCount() {
    return chunks.count();
  }

  /** Tells whether a row may have been added. */
  public boolean mayContainRow(
      byte[] row,
      int offset,
      int length,
      CellComparator order,
      ChunkSource source,
      ReadMetrics figures)
      throws IOException {
    int chunk = chunks.floorRow(row, offset, length, order);
    return chunk >= 0 && mayContain(chunk, row, offset, length, source, figures);
  }

  /** Tells whether a column may have been added, whatever its family. */
  public boolean mayContainColumn(
      Cell column,
      int qualifierLength,
      CellComparator order,
      ChunkSource source,
      ReadMetrics figures)
      throws IOException {
    ByteSink key = new ByteSink(Cell.KEY_OVERHEAD + column.rowLength() + qualifierLength);
    columnKey(column, qualifierLength, key);
    Cell cell = new Cell();
    cell.setKey(key.bytes(), 0, key.size());
    int chunk = chunks.floor(cell, order, new Cell());
    return chunk >= 0 && mayContain(chunk, key.bytes(), 0, key.size(), source, figures);
  }

  /**
   * Writes the key under which a column is added: without family, before all of its versions.
   *
   * @param qualifierLength that of the cell, or 0 for the column without a name in the cell's row
   */
  public static void columnKey(Cell cell, int qualifierLength, ByteSink target) {
    target.setSize(0);
    target.putShort(cell.rowLength());
    target.put(cell.bytes(), cell.rowOffset(), cell.rowLength());
    target.putByte(0);
    target.put(cell.bytes(), cell.qualifierOffset(), qualifierLength);
    target.putLong(Cell.LATEST_TIMESTAMP);
    target.putByte(0xFF);
  }

  private boolean mayContain(
      int chunk, byte[] key, int offset, int length, ChunkSource source, ReadMetrics figures)
      throws IOException {
    int hash1 = BloomHash.hash(key, offset, length, 0);
    int hash2 = BloomHash.hash(key, offset, length, hash1);
    return source
        .read(chunk, chunks.offset(chunk), chunks.size(chunk), figures)
        .mayContain(hash1, hash2, hashCount);
  }

  /** Reads all chunks once. */
  public void readAll(ChunkSource source) throws IOException {
    for (int i = 0; i < chunks.count(); i++) {
      source.read(i, chunks.offset(i), chunks.size(i), ReadMetrics.unused());
    }
  }

  /** Loads chunks. */
  @FunctionalInterface
  public interface ChunkSource {
    BloomChunk read(int chunk, long offset, int size, ReadMetrics figures) throws IOException;
  }
}
