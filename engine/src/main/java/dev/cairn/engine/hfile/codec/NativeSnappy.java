package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.hfile.codec.FramedCodec.ChunkCodec;
import java.io.IOException;
import org.slf4j.LoggerFactory;
import org.xerial.snappy.Snappy;

/**
 * Snappy through its native library, which snappy-java includes for many platforms. The library is
 * unpacked into the folder for temporary files and loaded from there, which fails on some machines;
 * call {@link #load} first. It takes two thirds of the time of Snappy in Java: 70 us instead of 107
 * to compress 64 KB, 24 instead of 35 to decompress them.
 */
final class NativeSnappy implements ChunkCodec {
  /** A length below 2^31, seven bits a byte, takes five at most. */
  private static final int MAX_LENGTH_SHIFT = 28;

  /** Loads the library, once. Returns whether it works here. */
  static boolean load() {
    return Library.LOADED;
  }

  @Override
  public int maxCompressedLength(int length) {
    return Snappy.maxCompressedLength(length);
  }

  @Override
  public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset)
      throws IOException {
    return Snappy.compress(source, offset, length, target, targetOffset);
  }

  @Override
  public int decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int room)
      throws IOException {
    // The library writes as many bytes as the piece announces, even beyond the buffer.
    int announced = announcedLength(source, offset, length);
    if (announced > room) {
      throw new IOException(announced + " bytes where " + room + " fit");
    }
    return Snappy.uncompress(source, offset, length, target, targetOffset);
  }

  private static int announcedLength(byte[] source, int offset, int length) throws IOException {
    long value = 0;
    for (int i = 0; i < length && i * 7 <= MAX_LENGTH_SHIFT; i++) {
      value |= (source[offset + i] & 0x7FL) << i * 7;
      if (source[offset + i] >= 0) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw new IOException("a piece without its length");
  }

  /** Loads the library once, when it is first asked for. */
  private static final class Library {
    private static final boolean LOADED = load();

    private static boolean load() {
      try {
        byte[] probe = new byte[64];
        byte[] packed = new byte[Snappy.maxCompressedLength(probe.length)];
        int length = Snappy.compress(probe, 0, probe.length, packed, 0);
        return Snappy.uncompress(packed, 0, length, new byte[probe.length], 0) == probe.length;
      } catch (IOException | RuntimeException | LinkageError | org.xerial.snappy.SnappyError e) {
        LoggerFactory.getLogger(NativeSnappy.class)
            .info("Snappy works in Java alone, since its native library does not load: {}", why(e));
        return false;
      }
    }

    private static String why(Throwable e) {
      Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
      return String.valueOf(cause);
    }
  }
}
