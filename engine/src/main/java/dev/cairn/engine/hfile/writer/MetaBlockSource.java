package dev.cairn.engine.hfile.writer;

import java.io.IOException;

/** Writes meta blocks of a store file, one after another, so that they need not be in memory. */
@FunctionalInterface
public interface MetaBlockSource {
  /** Writes all blocks. */
  void write(Sink sink) throws IOException;

  /**
   * Where a block is.
   *
   * @param offset its offset in the file
   * @param size its size there, with its header
   */
  record Place(long offset, int size) {}

  /** Takes blocks. */
  interface Sink {
    /** Writes a block that readers find by its name. */
    void named(String name, byte[] content) throws IOException;

    /** Writes a block that readers find by its place alone. */
    Place unnamed(byte[] content) throws IOException;
  }
}
