package dev.cairn.engine.hfile;

import java.io.IOException;

/** Reads the data blocks of one file and brings them into the form of {@link DataBlock}. */
record DataBlockReader(
    BlockReader blocks, DataBlockEncoding encoding, boolean tags, boolean sequences) {
  /** Reads the block that the index places at {@code offset}. */
  DataBlock read(long offset, int size) throws IOException {
    boolean plain = encoding == DataBlockEncoding.NONE;
    RawBlock raw = blocks.read(offset, size, plain ? BlockType.DATA : BlockType.ENCODED_DATA);
    try {
      return DataBlock.index(raw.bytes(), raw.from(), raw.to(), tags, sequences);
    } catch (IOException | IndexOutOfBoundsException e) {
      throw blocks.corrupt(offset, "cells", e);
    }
  }
}
