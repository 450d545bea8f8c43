package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.format.ByteSink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** One compressed stream per block. */
final class StreamCodec implements Codec {
  private final Wrapper<InputStream> decompressor;
  private final Wrapper<OutputStream> compressor;

  StreamCodec(Wrapper<InputStream> decompressor, Wrapper<OutputStream> compressor) {
    this.decompressor = decompressor;
    this.compressor = compressor;
  }

  @Override
  public void compress(byte[] source, int offset, int length, ByteSink target) throws IOException {
    try (OutputStream out = compressor.around(new SinkStream(target))) {
      out.write(source, offset, length);
    }
  }

  @Override
  public void decompress(byte[] source, int offset, int length, byte[] target) throws IOException {
    if (target.length == 0) {
      // HBase's codecs write a stream without content here, which not every decompressor likes.
      return;
    }
    try (InputStream in = decompressor.around(new ByteArrayInputStream(source, offset, length))) {
      int read = in.readNBytes(target, 0, target.length);
      if (read < target.length) {
        throw new IOException("a stream of " + read + " bytes");
      }
      if (in.read() >= 0) {
        throw new IOException("a stream of more bytes");
      }
    }
  }

  /** Puts a stream around another one. */
  @FunctionalInterface
  interface Wrapper<T> {
    T around(T stream) throws IOException;
  }

  private static final class SinkStream extends OutputStream {
    private final ByteSink target;

    SinkStream(ByteSink target) {
      this.target = target;
    }

    @Override
    public void write(int b) {
      target.putByte(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      target.put(bytes, offset, length);
    }
  }
}
