package dev.cairn.engine.hfile.block;

import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import java.io.IOException;

/**
 * Walks over the blocks of a part of a file, one after another as they lie, whatever refers to
 * them. One thread.
 */
public final class BlockWalk {
  private final BlockReader blocks;
  private final long end;
  private long offset;

  /**
   * Creates a walk.
   *
   * @param from where the first block begins
   * @param to where a block begins that is not visited any more, or the blocks end
   */
  public BlockWalk(BlockReader blocks, long from, long to) {
    this.blocks = blocks;
    this.offset = from;
    this.end = to;
  }

  /** Returns where the next block begins. */
  public long offset() {
    return offset;
  }

  /** Tells whether there is another block. */
  public boolean hasNext() {
    return offset < end;
  }

  /**
   * Reads the next block and checks its checksums.
   *
   * @throws CorruptFileException if it is damaged; its length is then not known, and the walk ends
   */
  public RawBlock next() throws IOException {
    byte[] header = blocks.window(offset, blocks.headerSize());
    BlockType[] all = BlockType.values();
    int size = blocks.size(header, 0, offset, all);
    if (size > end - offset) {
      throw blocks.corrupt(offset, "a block before byte " + end, "one of " + size + " bytes");
    }
    RawBlock block = blocks.read(offset, size, all);
    offset += size;
    return block;
  }
}
