package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.HFileSettings.ZstdFraming;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.IOException;

/**
 * Zstandard. Two formats go by that name: a bare frame, which Hadoop's codec, HBase's default,
 * writes; and frames in Hadoop's block framing, which HBase's own codecs write when they are
 * configured. One of them is written, both are read: they begin with different bytes.
 */
final class ZstdCodec implements Codec {
  private static final int MAGIC_FIRST = 0x28;
  private static final int MAGIC_SECOND = 0xB5;

  private final ZstdCompressor compressor = new ZstdCompressor();
  private final ZstdDecompressor decompressor = new ZstdDecompressor();
  private final FramedCodec framed = new FramedCodec(new JavaChunks(compressor, decompressor));
  private final ZstdFraming framing;

  ZstdCodec(ZstdFraming framing) {
    this.framing = framing;
  }

  @Override
  public void compress(byte[] source, int offset, int length, ByteSink target) throws IOException {
    if (framing == ZstdFraming.BLOCKS) {
      framed.compress(source, offset, length, target);
      return;
    }
    int bound = compressor.maxCompressedLength(length);
    int at = target.reserve(bound);
    int written = compressor.compress(source, offset, length, target.bytes(), at, bound);
    target.setSize(at + written);
  }

  @Override
  public void decompress(byte[] source, int offset, int length, byte[] target) throws IOException {
    boolean bare =
        length >= 2
            && (source[offset] & 0xFF) == MAGIC_FIRST
            && (source[offset + 1] & 0xFF) == MAGIC_SECOND;
    if (!bare) {
      framed.decompress(source, offset, length, target);
      return;
    }
    int written = decompressor.decompress(source, offset, length, target, 0, target.length);
    if (written < target.length) {
      throw new IOException("a frame of " + written + " bytes");
    }
  }
}
