package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.codec.FramedCodec.ChunkCodec;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.HFileSettings.ZstdFraming;
import io.airlift.compress.bzip2.BZip2HadoopStreams;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.lzo.LzoCompressor;
import io.airlift.compress.lzo.LzoDecompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The compression algorithms of block bodies, in the formats of HBase's codecs. */
public enum Compression {
  /** No compression. */
  NONE(2),
  /** A gzip stream. */
  GZ(1),
  /** Snappy in Hadoop's block framing. */
  SNAPPY(3),
  /** LZ4 in Hadoop's block framing. */
  LZ4(4),
  /** A Zstandard frame, bare or in Hadoop's block framing. */
  ZSTD(6),
  /** LZO1X in Hadoop's block framing. */
  LZO(0),
  /** A bzip2 stream. */
  BZIP2(5);

  /** HBase's other algorithms. */
  private static final Set<String> NEEDS_LIBRARY = Set.of("LZMA", "BROTLI");

  private final int code;

  Compression(int code) {
    this.code = code;
  }

  /**
   * Returns the compression that HBase calls {@code name}, in any case.
   *
   * @throws IllegalArgumentException if there is none of this name; the message lists all names
   */
  public static Compression of(String name) {
    String upper = name.trim().toUpperCase(Locale.ROOT);
    for (Compression compression : values()) {
      if (compression.name().equals(upper)) {
        return compression;
      }
    }
    throw new IllegalArgumentException(
        "Compression <"
            + name
            + "> is not supported"
            + (NEEDS_LIBRARY.contains(upper) ? ", because it needs a native library" : "")
            + "; there are "
            + Arrays.toString(values()));
  }

  /** Returns the compression with the code of a trailer, or null if it is not supported. */
  public static Compression ofCode(int code) {
    for (Compression compression : values()) {
      if (compression.code == code) {
        return compression;
      }
    }
    return null;
  }

  /** Returns the code by which a file's trailer names the compression. */
  public int code() {
    return code;
  }

  /** Returns a codec with buffers of its own, to read with; it takes either framing. */
  public Codec newCodec() {
    return newCodec(ZstdFraming.BARE);
  }

  /** Returns a codec with buffers of its own. */
  public Codec newCodec(ZstdFraming framing) {
    return switch (this) {
      case NONE -> new StoredCodec();
      case GZ ->
          new StreamCodec(
              GZIPInputStream::new,
              // Small blocks gain nothing from a large buffer.
              out -> new GZIPOutputStream(out, 4096));
      case SNAPPY -> new FramedCodec(NativeSnappy.load() ? new NativeSnappy() : javaSnappy());
      case LZ4 -> new FramedCodec(new JavaChunks(new Lz4Compressor(), new Lz4Decompressor()));
      case ZSTD -> new ZstdCodec(framing);
      case LZO -> new FramedCodec(new JavaChunks(new LzoCompressor(), new LzoDecompressor()));
      case BZIP2 ->
          new StreamCodec(
              in -> new BZip2HadoopStreams().createInputStream(in),
              out -> new BZip2HadoopStreams().createOutputStream(out));
    };
  }

  /** Returns Snappy for where its native library cannot be had. */
  static ChunkCodec javaSnappy() {
    return new JavaChunks(new SnappyCompressor(), new SnappyDecompressor());
  }

  /** Leaves bytes as they are. */
  private static final class StoredCodec implements Codec {
    @Override
    public void compress(byte[] source, int offset, int length, ByteSink target) {
      target.put(source, offset, length);
    }

    @Override
    public void decompress(byte[] source, int offset, int length, byte[] target)
        throws IOException {
      if (length != target.length) {
        throw new IOException(length + " bytes without compression");
      }
      System.arraycopy(source, offset, target, 0, length);
    }
  }
}
