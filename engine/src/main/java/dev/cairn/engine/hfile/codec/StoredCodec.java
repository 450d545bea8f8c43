package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/** Leaves bytes as they are. */
final class StoredCodec implements Codec {
  @Override
  public void compress(byte[] source, int offset, int length, ByteSink target) {
    target.put(source, offset, length);
  }

  @Override
  public void decompress(byte[] source, int offset, int length, byte[] target) throws IOException {
    if (length != target.length) {
      throw new IOException(length + " bytes without compression");
    }
    System.arraycopy(source, offset, target, 0, length);
  }
}
