package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.BlockReader;
import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.encoding.BlockEncoding;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.BlockType;
import java.io.IOException;
import java.util.Optional;

/** Reads the data blocks of one file and brings them into the form of {@link DataBlock}. */
public final class DataBlockReader {
  private final BlockReader blocks;
  private final DataBlockEncoding encoding;
  private final Optional<BlockEncoding> decoder;
  private final boolean tags;
  private final boolean sequences;

  DataBlockReader(BlockReader blocks, HFileInfo info) {
    this.blocks = blocks;
    this.encoding = info.encoding();
    this.decoder = encoding.newEncoding(info.compressedTags());
    this.tags = info.includesTags();
    this.sequences = info.includesSequences();
  }

  /** Reads the block that the index places at {@code offset}. */
  public DataBlock read(long offset, int size, BlockMemory memory) throws IOException {
    RawBlock raw =
        blocks.read(
            offset, size, memory, decoder.isPresent() ? BlockType.ENCODED_DATA : BlockType.DATA);
    try {
      DataBlock block =
          decoder.isPresent() ? decode(raw, decoder.get(), memory) : index(raw, memory);
      return block.stored(raw.to() - raw.from());
    } catch (IOException | IndexOutOfBoundsException e) {
      throw blocks.corrupt(offset, "cells", e);
    }
  }

  private DataBlock index(RawBlock raw, BlockMemory memory) throws IOException {
    return DataBlock.index(raw.bytes(), raw.from(), raw.to(), tags, sequences, memory);
  }

  private DataBlock decode(RawBlock raw, BlockEncoding decoding, BlockMemory memory)
      throws IOException {
    int id = raw.to() - raw.from() < 2 ? -1 : Bytes.getUnsignedShort(raw.bytes(), raw.from());
    if (id != encoding.id()) {
      throw new IOException("a block in encoding " + id + " instead of " + encoding.id());
    }
    return decoding.decode(raw.bytes(), raw.from() + 2, raw.to(), tags, sequences, memory);
  }
}
