package dev.cairn.engine.hfile;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Puts data blocks of a file that is being written into the cache, so that what was read from
 * memory before a compaction is read from memory after it. Otherwise its result is unknown to the
 * cache as a whole, and all that requests read has to be fetched from the file anew.
 *
 * <p>Whoever reads the file takes over the blocks when it opens the file ({@link
 * HFileReader#open(dev.cairn.engine.storage.Storage, String, WrittenBlocks,
 * dev.cairn.engine.cell.CellComparator)}). One thread.
 */
public final class WrittenBlocks {
  private final BlockCache.FileBlocks cache;
  private final BooleanSupplier wanted;
  private final BlockMemory.Reused memory = new BlockMemory.Reused();

  /**
   * Creates a place for the blocks of one file.
   *
   * @param wanted asked whenever a block is complete, whether it is worth keeping
   */
  public WrittenBlocks(BlockCache cache, BooleanSupplier wanted) {
    this.cache = cache.register();
    this.wanted = wanted;
  }

  /** Removes all blocks: the file will not be read. */
  public void discard() {
    cache.evict();
  }

  /** Tells whether the block that ends now is wanted. It is kept only if it pushes none out. */
  boolean isWanted() {
    return wanted.getAsBoolean() && cache.hasRoom();
  }

  /** Puts a copy of a block into the cache that has been written, and still has its cells. */
  void add(long offset, CompressedBlock block, boolean tags) throws IOException {
    ByteSink cells = block.cells();
    cache.putCopy(
        offset,
        DataBlock.index(cells.bytes(), 0, cells.size(), tags, true, memory)
            .stored(block.bodySize()));
  }

  BlockCache.FileBlocks cached() {
    return cache;
  }
}
