package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/** Compresses and decompresses the bodies of blocks. One thread at a time. */
public interface Codec {
  /** Appends the compressed form of {@code length} bytes at {@code offset}. */
  void compress(byte[] source, int offset, int length, ByteSink target) throws IOException;

  /**
   * Decompresses {@code length} bytes at {@code offset} into {@code target}.
   *
   * @throws IOException if they are damaged, or are more or less than fits
   */
  void decompress(byte[] source, int offset, int length, byte[] target) throws IOException;
}
