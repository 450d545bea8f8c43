package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * One gzip member (RFC 1952) per value: ten bytes of header without optional fields, deflated
 * bytes, their checksum and their number.
 */
final class GzipValueCodec implements ValueCodec {
  private static final byte[] HEADER = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 0};
  private static final int TRAILER_SIZE = 8;
  private static final int STEP_SIZE = 64 << 10;

  private final CRC32 crc = new CRC32();
  private final Inflater inflater = new Inflater(true);
  private Optional<Deflater> deflaterOnceNeeded = Optional.empty();

  @Override
  public void compress(byte[] source, int offset, int length, WalBuffer target) {
    target.putBytes(HEADER, 0, HEADER.length);
    Deflater deflater = deflater();
    deflater.reset();
    deflater.setInput(source, offset, length);
    deflater.finish();
    while (!deflater.finished()) {
      target.reserve(Math.min(STEP_SIZE, length / 2 + 64));
      int at = target.size();
      target.grow(deflater.deflate(target.bytes(), at, target.bytes().length - at));
    }
    crc.reset();
    crc.update(source, offset, length);
    target.putFixed32((int) crc.getValue());
    target.putFixed32(length);
  }

  @Override
  public void decompress(byte[] source, int offset, int length, int expected, WalBuffer target)
      throws WalDamage {
    // The header's last two bytes, and the time, may have any value.
    if (length < HEADER.length + TRAILER_SIZE
        || !Arrays.equals(source, offset, offset + 4, HEADER, 0, 4)) {
      throw WalDamage.wrong("expected a value compressed with gzip, found something else");
    }
    int begin = target.size();
    int trailerAt = inflate(source, offset + HEADER.length, offset + length, expected, target);
    crc.reset();
    crc.update(target.bytes(), begin, expected);
    if (offset + length - trailerAt != TRAILER_SIZE
        || Integer.reverseBytes(Bytes.getInt(source, trailerAt)) != (int) crc.getValue()
        || Integer.reverseBytes(Bytes.getInt(source, trailerAt + 4)) != expected) {
      throw WalDamage.wrong("expected a value that agrees with its gzip checksum");
    }
  }

  private Deflater deflater() {
    if (deflaterOnceNeeded.isEmpty()) {
      deflaterOnceNeeded = Optional.of(new Deflater(Deflater.DEFAULT_COMPRESSION, true));
    }
    return deflaterOnceNeeded.get();
  }

  /** Appends exactly {@code expected} bytes and returns where the deflated bytes end. */
  private int inflate(byte[] source, int from, int to, int expected, WalBuffer target)
      throws WalDamage {
    inflater.reset();
    inflater.setInput(source, from, to - from);
    int done = 0;
    try {
      while (done < expected) {
        target.reserve(Math.min(STEP_SIZE, expected - done));
        int room = Math.min(target.bytes().length - target.size(), expected - done);
        int more = inflater.inflate(target.bytes(), target.size(), room);
        if (more == 0) {
          throw WalDamage.wrong("expected a value of " + expected + " bytes, found one of " + done);
        }
        target.grow(more);
        done += more;
      }
      // Only now does it read the end mark after the last byte.
      byte[] none = new byte[1];
      if (!inflater.finished() && inflater.inflate(none) > 0 || !inflater.finished()) {
        throw WalDamage.wrong("expected a value of " + expected + " bytes, found more");
      }
    } catch (DataFormatException e) {
      throw WalDamage.wrong("expected a value compressed with gzip: " + e.getMessage());
    }
    return to - inflater.getRemaining();
  }
}
