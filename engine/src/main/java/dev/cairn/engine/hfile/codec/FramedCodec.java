package dev.cairn.engine.hfile.codec;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/**
 * A compressor without a format of its own, in the framing of Hadoop's {@code
 * BlockCompressorStream}: any number of parts, each {@code int uncompressedLength} followed by
 * chunks {@code int compressedLength | bytes} until that many bytes have come out.
 */
final class FramedCodec implements Codec {

  /** Compresses and decompresses single pieces, without any framing. One thread at a time. */
  interface ChunkCodec {
    /** Returns how many bytes {@code length} bytes take at most once they are compressed. */
    int maxCompressedLength(int length);

    /**
     * Compresses {@code length} bytes at {@code offset}.
     *
     * @param target has room for {@link #maxCompressedLength} bytes at {@code targetOffset}
     * @return how many bytes came out
     */
    int compress(byte[] source, int offset, int length, byte[] target, int targetOffset)
        throws IOException;

    /**
     * Decompresses {@code length} bytes at {@code offset}, which may be damaged.
     *
     * @param room how many bytes may come out
     * @return how many did
     * @throws IOException or an unchecked exception, if they are damaged or more than fits
     */
    int decompress(byte[] source, int offset, int length, byte[] target, int targetOffset, int room)
        throws IOException;
  }

  /**
   * The largest uncompressed chunk that is written here. Hadoop's decompressors use buffers of 256
   * KiB, and both forms of a chunk must fit into one.
   */
  private static final int CHUNK_SIZE = 128 * 1024;

  private final ChunkCodec chunks;

  FramedCodec(ChunkCodec chunks) {
    this.chunks = chunks;
  }

  @Override
  public void compress(byte[] source, int offset, int length, ByteSink target) throws IOException {
    int done = 0;
    while (done < length) {
      int part = Math.min(CHUNK_SIZE, length - done);
      int bound = chunks.maxCompressedLength(part);
      target.putInt(part);
      int at = target.reserve(4 + bound);
      int written = chunks.compress(source, offset + done, part, target.bytes(), at + 4);
      Bytes.putInt(target.bytes(), at, written);
      target.setSize(at + 4 + written);
      done += part;
    }
  }

  @Override
  public void decompress(byte[] source, int offset, int length, byte[] target) throws IOException {
    int end = offset + length;
    int at = offset;
    int done = 0;
    while (at < end) {
      int part = length(source, at, end, target.length - done);
      at += 4;
      int partEnd = done + part;
      while (done < partEnd) {
        int compressed = length(source, at, end, end - at - 4);
        at += 4;
        int written = chunks.decompress(source, at, compressed, target, done, partEnd - done);
        if (written <= 0) {
          throw new IOException("a chunk of " + written + " bytes");
        }
        done += written;
        at += compressed;
      }
    }
    if (done < target.length) {
      throw new IOException("chunks of " + done + " bytes");
    }
  }

  private static int length(byte[] source, int at, int end, int most) throws IOException {
    if (end - at < 4) {
      throw new IOException("a chunk without its length");
    }
    int length = Bytes.getInt(source, at);
    if (length < 0 || length > most) {
      throw new IOException("a chunk of " + length + " bytes where " + most + " fit");
    }
    return length;
  }
}
