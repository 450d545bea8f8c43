package dev.cairn.engine.hfile.codec;

import java.io.IOException;

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
   * Decompresses what {@code length} bytes at {@code offset} hold, which may be damaged.
   *
   * @param room how many bytes may come out
   * @return how many did
   * @throws IOException or an unchecked exception, if they are damaged or more than fits
   */
  int decompress(byte[] source, int offset, int length, byte[] target, int targetOffset, int room)
      throws IOException;
}
