package dev.cairn.engine.hfile.cache;

import java.util.Map;

/**
 * The cached blocks of each open file, at about one moment.
 *
 * @param files the blocks by the number that the cache has given to their file
 */
public record CacheContents(Map<Long, Blocks> files) {
  /**
   * Blocks in the cache, and blocks that an open file keeps by itself.
   *
   * @param dataBlocks the number of blocks with cells
   * @param dataBytes their memory
   * @param indexBytes the memory of cached blocks of indexes
   * @param bloomBytes the memory of cached parts of Bloom filters
   * @param keptBytes the memory of index and Bloom blocks that open files keep by themselves; it
   *     belongs to the cache, too
   */
  public record Blocks(
      long dataBlocks, long dataBytes, long indexBytes, long bloomBytes, long keptBytes) {
    /** No blocks. */
    public static final Blocks NONE = new Blocks(0, 0, 0, 0, 0);

    /** Returns the sum of both. */
    public Blocks plus(Blocks other) {
      return new Blocks(
          dataBlocks + other.dataBlocks,
          dataBytes + other.dataBytes,
          indexBytes + other.indexBytes,
          bloomBytes + other.bloomBytes,
          keptBytes + other.keptBytes);
    }

    /** Returns the memory of all, bytes. */
    public long bytes() {
      return dataBytes + indexBytes + bloomBytes + keptBytes;
    }
  }

  /** Copies the map. */
  public CacheContents {
    files = Map.copyOf(files);
  }
}
