package dev.cairn.engine.wal.file;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.lzo.LzoCompressor;
import io.airlift.compress.lzo.LzoDecompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.util.Arrays;
import java.util.Locale;

/**
 * The compression of values in a log, in the formats of HBase's codecs. Each value stands for
 * itself: HBase ends the compressed stream with every value and begins a new one.
 */
public enum WalValueCompression {
  /** No compression; HBase writes a length all the same. */
  NONE(2),
  /** A gzip member. HBase's default. */
  GZ(1),
  /** Snappy in Hadoop's block framing. */
  SNAPPY(3),
  /** LZ4 in Hadoop's block framing. */
  LZ4(4),
  /** A Zstandard frame; read in Hadoop's block framing, too. */
  ZSTD(6),
  /** LZO1X in Hadoop's block framing. */
  LZO(0);

  private final int code;

  WalValueCompression(int code) {
    this.code = code;
  }

  /**
   * Returns the compression that HBase calls {@code name}, in any case.
   *
   * @throws IllegalArgumentException if there is none of this name; the message lists all names
   */
  public static WalValueCompression of(String name) {
    String upper = name.trim().toUpperCase(Locale.ROOT);
    for (WalValueCompression compression : values()) {
      if (compression.name().equals(upper)) {
        return compression;
      }
    }
    throw new IllegalArgumentException(
        "Log values cannot be compressed with <"
            + name
            + ">; there are "
            + Arrays.toString(values()));
  }

  /** Returns the number in a file's header. */
  int code() {
    return code;
  }

  /** Returns a codec with buffers of its own. */
  ValueCodec newCodec() {
    return switch (this) {
      case NONE -> new StoredValueCodec();
      case GZ -> new GzipValueCodec();
      case SNAPPY -> new FramedValueCodec(SnappyCompressor::new, new SnappyDecompressor(), 64);
      case LZ4 -> new FramedValueCodec(Lz4Compressor::new, new Lz4Decompressor(), 256);
      case ZSTD -> new ZstdValueCodec();
      case LZO -> new FramedValueCodec(LzoCompressor::new, new LzoDecompressor(), 256);
    };
  }

  /** Values as they are. */
  private static final class StoredValueCodec implements ValueCodec {
    @Override
    public void compress(byte[] source, int offset, int length, WalBuffer target) {
      target.putBytes(source, offset, length);
    }

    @Override
    public void decompress(byte[] source, int offset, int length, int expected, WalBuffer target)
        throws WalDamage {
      if (length != expected) {
        throw WalDamage.wrong("expected a value of " + expected + " bytes, found " + length);
      }
      target.putBytes(source, offset, length);
    }
  }
}
