package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;
import java.util.Arrays;

/**
 * HBase's {@code FAST_DIFF}: as {@link DiffEncoding}, but timestamps leave out the high bytes that
 * are as before, a value that is as before is left out, and the family is taken from the first
 * cell.
 *
 * <pre>
 *   per cell: ubyte flags | [packed keyLength] | [packed valueLength] | packed common length |
 *             rest of row, then qualifier (in the first cell family and qualifier); or rest of
 *             qualifier | the timestamp's low bytes, highest first | [type] | [value]
 *   flags:    0x07 how many high bytes of the timestamp are as before, 8 same key length, 0x10 same
 *             value length, 0x20 same type, 0x40 same value
 * </pre>
 */
final class FastDiffEncoding extends DeltaEncoding {
  private static final int TIMESTAMP_COMMON_MASK = 7;
  private static final int SAME_KEY_LENGTH = 8;
  private static final int SAME_VALUE_LENGTH = 0x10;
  private static final int SAME_TYPE = 0x20;
  private static final int SAME_VALUE = 0x40;

  /** Flags, three lengths, and what a timestamp of one byte takes while it is written. */
  private static final int MAX_PREFIX = 1 + 3 * ByteSink.MAX_PACKED_LENGTH + Long.BYTES;

  FastDiffEncoding(boolean compressedTags) {
    super(compressedTags);
  }

  @Override
  void encodeCell(Cell previous, boolean first, Cell cell, int common, ByteSink target) {
    if (first) {
      target.putByte(0);
      target.putPacked(cell.keyLength());
      target.putPacked(cell.valueLength());
      target.putPacked(0);
      target.put(cell.bytes(), cell.keyOffset(), cell.keyLength());
      target.put(cell.bytes(), cell.valueOffset(), cell.valueLength());
      return;
    }
    int timestampCommon = timestampCommon(previous.timestamp(), cell.timestamp());
    int flags = timestampCommon;
    flags |= cell.keyLength() == previous.keyLength() ? SAME_KEY_LENGTH : 0;
    flags |= cell.valueLength() == previous.valueLength() ? SAME_VALUE_LENGTH : 0;
    flags |= cell.typeCode() == previous.typeCode() ? SAME_TYPE : 0;
    flags |= sameValue(previous, cell) ? SAME_VALUE : 0;
    // Room for all of it at once: this runs for every cell that is written.
    int start = target.reserve(MAX_PREFIX + cell.keyLength() + cell.valueLength());
    byte[] bytes = target.bytes();
    int at = start;
    bytes[at++] = (byte) flags;
    if ((flags & SAME_KEY_LENGTH) == 0) {
      at = ByteSink.writePacked(bytes, at, cell.keyLength());
    }
    if ((flags & SAME_VALUE_LENGTH) == 0) {
      at = ByteSink.writePacked(bytes, at, cell.valueLength());
    }
    at = ByteSink.writePacked(bytes, at, common);
    at = writeColumn(cell, common, bytes, at);
    int timestampAt = cell.keyOffset() + cell.keyLength() - TIMESTAMP_AND_TYPE;
    long timestamp = Bytes.getLong(cell.bytes(), timestampAt);
    // Bytes written beyond its end are overwritten or cut off.
    Bytes.putLong(bytes, at, timestamp << Byte.SIZE * timestampCommon);
    at += Long.BYTES - timestampCommon;
    if ((flags & SAME_TYPE) == 0) {
      bytes[at++] = (byte) cell.typeCode();
    }
    if ((flags & SAME_VALUE) == 0) {
      System.arraycopy(cell.bytes(), cell.valueOffset(), bytes, at, cell.valueLength());
      at += cell.valueLength();
    }
    target.setSize(at);
  }

  @Override
  void decodeCell(Decoder decoder) throws IOException {
    int flags = decoder.readByte();
    int keyLength =
        (flags & SAME_KEY_LENGTH) != 0 ? decoder.previousKeyLength() : decoder.readPacked();
    int valueLength =
        (flags & SAME_VALUE_LENGTH) != 0 ? decoder.previousValueLength() : decoder.readPacked();
    int common = decoder.readPacked();
    boolean first = decoder.first();
    decoder.begin(keyLength, valueLength, common);
    decoder.readColumn(common, !first);
    decoder.readTimestamp(flags & TIMESTAMP_COMMON_MASK);
    decoder.readType((flags & SAME_TYPE) != 0);
    decoder.readValue((flags & SAME_VALUE) != 0);
  }

  private static int timestampCommon(long a, long b) {
    // Three bits hold seven at most; of an equal timestamp the last byte is written again.
    return Math.min(TIMESTAMP_COMMON_MASK, Long.numberOfLeadingZeros(a ^ b) / 8);
  }

  private static boolean sameValue(Cell a, Cell b) {
    return Arrays.equals(
        a.bytes(),
        a.valueOffset(),
        a.valueOffset() + a.valueLength(),
        b.bytes(),
        b.valueOffset(),
        b.valueOffset() + b.valueLength());
  }
}
