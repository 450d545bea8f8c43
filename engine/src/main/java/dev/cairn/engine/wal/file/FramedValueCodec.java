package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.MalformedInputException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A compressor without a format of its own, in the framing of Hadoop's {@code
 * BlockCompressorStream}: any number of parts, each {@code int uncompressedLength} followed by
 * chunks {@code int compressedLength | bytes} until that many bytes have come out. HBase writes a
 * part of 0 bytes after a long value.
 */
final class FramedValueCodec implements ValueCodec {
  /** Hadoop's decompressors work in buffers of 64 KiB and more, which a chunk has to fit. */
  private static final int CHUNK_SIZE = 48 * 1024;

  private final Supplier<Compressor> compressors;
  private final Decompressor decompressor;
  private final int ratioMax;
  private Optional<Compressor> compressorOnceNeeded = Optional.empty();

  /**
   * Creates a codec.
   *
   * @param compressors creates a compressor, whose tables a reader does not need
   * @param ratioMax no byte of the format decompresses to more
   */
  FramedValueCodec(Supplier<Compressor> compressors, Decompressor decompressor, int ratioMax) {
    this.compressors = compressors;
    this.decompressor = decompressor;
    this.ratioMax = ratioMax;
  }

  @Override
  public void compress(byte[] source, int offset, int length, WalBuffer target) {
    if (compressorOnceNeeded.isEmpty()) {
      compressorOnceNeeded = Optional.of(compressors.get());
    }
    Compressor compressor = compressorOnceNeeded.get();
    for (int done = 0; done < length; ) {
      int part = Math.min(CHUNK_SIZE, length - done);
      int bound = compressor.maxCompressedLength(part);
      target.putInt(part);
      target.reserve(4 + bound);
      int at = target.size();
      int written = compressor.compress(source, offset + done, part, target.bytes(), at + 4, bound);
      Bytes.putInt(target.bytes(), at, written);
      target.grow(4 + written);
      done += part;
    }
  }

  @Override
  public void decompress(byte[] source, int offset, int length, int expected, WalBuffer target)
      throws WalDamage {
    int end = offset + length;
    int at = offset;
    int done = 0;
    while (at < end) {
      int part = length(source, at, end, expected - done);
      at += 4;
      if (part > (long) ratioMax * (end - at)) {
        throw WalDamage.wrong(
            "expected a value of " + part + " bytes, found " + (end - at) + " compressed ones");
      }
      // Not for all that is expected: that number and the parts' must agree before it is believed.
      target.reserve(part);
      int partEnd = done + part;
      while (done < partEnd) {
        int compressed = length(source, at, end, end - at - 4);
        at += 4;
        int written = decompress(source, at, compressed, target, partEnd - done);
        target.grow(written);
        done += written;
        at += compressed;
      }
    }
    if (done < expected) {
      throw WalDamage.wrong("expected a value of " + expected + " bytes, found one of " + done);
    }
  }

  private int decompress(byte[] source, int at, int length, WalBuffer target, int room)
      throws WalDamage {
    try {
      int written =
          decompressor.decompress(source, at, length, target.bytes(), target.size(), room);
      if (written > 0) {
        return written;
      }
    } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw WalDamage.wrong("expected a compressed value: " + e.getMessage());
    }
    throw WalDamage.wrong("expected a compressed value, found an empty chunk");
  }

  private static int length(byte[] source, int at, int end, int most) throws WalDamage {
    if (end - at < 4) {
      throw WalDamage.wrong("expected the length of a chunk of a value, found its end");
    }
    int length = Bytes.getInt(source, at);
    if (length < 0 || length > most) {
      throw WalDamage.wrong(
          "expected a chunk of a value of at most " + most + " bytes, found " + length);
    }
    return length;
  }
}
