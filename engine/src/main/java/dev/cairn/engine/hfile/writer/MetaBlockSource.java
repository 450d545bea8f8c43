package dev.cairn.engine.hfile.writer;

import java.io.IOException;

/** Writes named blocks of a store file, one after another, so that they need not be in memory. */
@FunctionalInterface
public interface MetaBlockSource {
  /** Writes all blocks. */
  void write(Sink sink) throws IOException;

  /** Takes blocks. */
  @FunctionalInterface
  interface Sink {
    /** Writes a block. */
    void block(String name, byte[] content) throws IOException;
  }
}
