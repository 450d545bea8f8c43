package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.bloom.BloomFilter;
import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Tells which values the index of a column in a store file may have: not more than the greatest
 * one, and no single value that the Bloom filter excludes. Thread-safe.
 */
final class IndexedValues {
  private final byte[] greatest;
  private final Optional<BloomFilter> bloom;
  private final BloomFilter.ChunkSource chunks;

  private IndexedValues(
      byte[] greatest, Optional<BloomFilter> bloom, BloomFilter.ChunkSource chunks) {
    this.greatest = greatest;
    this.bloom = bloom;
    this.chunks = chunks;
  }

  /**
   * Reads what a file tells about the values of a column.
   *
   * @return empty if it tells nothing
   * @throws DamagedIndexException if the block is damaged
   * @throws IndexOutOfBoundsException likewise
   */
  static Optional<IndexedValues> open(HFileReader file, byte[] qualifier, ReadMetrics figures)
      throws IOException {
    Optional<byte[]> block = file.metaBlock(FileIndexFormat.values(qualifier), figures);
    if (block.isEmpty()) {
      return Optional.empty();
    }
    byte[] bytes = block.get();
    EntryDecoder in = new EntryDecoder(bytes);
    byte[] greatest = in.array();
    try {
      boolean cellKeys = false; // they are values
      Optional<BloomFilter> bloom = BloomFilter.parse(bytes, in.position(), bytes.length, cellKeys);
      return Optional.of(new IndexedValues(greatest, bloom, file.metaChunks()));
    } catch (IOException e) {
      throw new DamagedIndexException(file.path(), e);
    }
  }

  /** Tells whether no value is as great as {@code low}. */
  boolean areBelow(byte[] low) {
    return Arrays.compareUnsigned(greatest, low) < 0;
  }

  /** Tells whether there is a Bloom filter. */
  boolean haveBloomFilter() {
    return bloom.isPresent();
  }

  /** Tells whether the Bloom filter may have a value. Reads a chunk that is not in the cache. */
  boolean mayContain(byte[] value, ReadMetrics figures) throws IOException {
    return bloom.isEmpty()
        || bloom.get().mayContainRow(value, 0, value.length, CellComparator.USER, chunks, figures);
  }
}
