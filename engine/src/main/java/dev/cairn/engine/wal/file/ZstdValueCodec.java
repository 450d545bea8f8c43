package dev.cairn.engine.wal.file;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Zstandard (RFC 8878). A bare frame is what Hadoop's codec, HBase's default, writes; frames in
 * Hadoop's block framing are what HBase's own codecs write when they are configured. Bare frames
 * are written, both are read: they begin with different bytes.
 */
final class ZstdValueCodec implements ValueCodec {
  private static final int MAGIC_FIRST = 0x28;
  private static final int MAGIC_SECOND = 0xB5;
  private static final int STEP_SIZE = 64 << 10;

  /** A block of a frame takes four bytes at least, and no block gives more than 128 KiB. */
  private static final int RATIO_MAX = (128 << 10) / 4;

  private Optional<ZstdCompressor> compressorOnceNeeded = Optional.empty();
  private final FramedValueCodec framed =
      new FramedValueCodec(ZstdCompressor::new, new ZstdDecompressor(), RATIO_MAX);

  @Override
  public void compress(byte[] source, int offset, int length, WalBuffer target) {
    if (compressorOnceNeeded.isEmpty()) {
      compressorOnceNeeded = Optional.of(new ZstdCompressor());
    }
    ZstdCompressor compressor = compressorOnceNeeded.get();
    int bound = compressor.maxCompressedLength(length);
    target.reserve(bound);
    target.grow(compressor.compress(source, offset, length, target.bytes(), target.size(), bound));
  }

  @Override
  public void decompress(byte[] source, int offset, int length, int expected, WalBuffer target)
      throws WalDamage {
    boolean bare =
        length >= 2
            && (source[offset] & 0xFF) == MAGIC_FIRST
            && (source[offset + 1] & 0xFF) == MAGIC_SECOND;
    if (!bare) {
      framed.decompress(source, offset, length, expected, target);
      return;
    }
    try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(source, offset, length))) {
      int done = 0;
      while (done < expected) {
        int step = Math.min(STEP_SIZE, expected - done);
        target.reserve(step);
        int more = in.read(target.bytes(), target.size(), step);
        if (more < 0) {
          throw WalDamage.wrong("expected a value of " + expected + " bytes, found one of " + done);
        }
        target.grow(more);
        done += more;
      }
      if (in.read() >= 0) {
        throw WalDamage.wrong("expected a value of " + expected + " bytes, found more");
      }
    } catch (IOException
        | MalformedInputException
        | IllegalArgumentException
        | IndexOutOfBoundsException e) {
      throw WalDamage.wrong("expected a value compressed with Zstandard: " + e.getMessage());
    }
  }
}
