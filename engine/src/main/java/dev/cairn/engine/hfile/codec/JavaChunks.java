package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.codec.FramedCodec.ChunkCodec;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;

/** A codec of aircompressor's, which is Java alone. */
final class JavaChunks implements ChunkCodec {
  private final Compressor compressor;
  private final Decompressor decompressor;

  JavaChunks(Compressor compressor, Decompressor decompressor) {
    this.compressor = compressor;
    this.decompressor = decompressor;
  }

  @Override
  public int maxCompressedLength(int length) {
    return compressor.maxCompressedLength(length);
  }

  @Override
  public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
    int room = maxCompressedLength(length);
    return compressor.compress(source, offset, length, target, targetOffset, room);
  }

  @Override
  public int decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int room) {
    return decompressor.decompress(source, offset, length, target, targetOffset, room);
  }
}
