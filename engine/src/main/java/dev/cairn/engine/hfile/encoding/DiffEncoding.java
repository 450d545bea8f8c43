package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/**
 * HBase's {@code DIFF}: as {@link PrefixEncoding}, with lengths and types left out where they are
 * as before, timestamps in as few bytes as they or their differences need, and the family once a
 * block.
 *
 * <pre>
 *   once:     ubyte familyLength | family
 *   per cell: ubyte flags | [packed keyLength] | [packed valueLength] | packed common length |
 *             rest of row, then qualifier; or rest of qualifier | timestamp's bytes, lowest first |
 *             [type] | value
 *   flags:    1 same key length, 2 same value length, 4 same type, 8 the timestamp is (previous -
 *             this), 0x70 its bytes less one, 0x80 it is negative
 * </pre>
 */
final class DiffEncoding extends DeltaEncoding {
  private static final int SAME_KEY_LENGTH = 1;
  private static final int SAME_VALUE_LENGTH = 2;
  private static final int SAME_TYPE = 4;
  private static final int TIMESTAMP_IS_DIFFERENCE = 8;
  private static final int TIMESTAMP_BYTES_SHIFT = 4;
  private static final int TIMESTAMP_BYTES_MASK = 7;
  private static final int TIMESTAMP_IS_NEGATIVE = 0x80;

  DiffEncoding(boolean compressedTags) {
    super(compressedTags);
  }

  @Override
  void encodeStart(Cell first, ByteSink target) {
    target.putByte(first.familyLength());
    target.put(first.bytes(), first.familyOffset(), first.familyLength());
  }

  @Override
  void encodeCell(Cell previous, boolean first, Cell cell, int common, ByteSink target) {
    int flags = 0;
    long timestamp = cell.timestamp();
    if (!first) {
      flags |= cell.keyLength() == previous.keyLength() ? SAME_KEY_LENGTH : 0;
      flags |= cell.valueLength() == previous.valueLength() ? SAME_VALUE_LENGTH : 0;
      flags |= cell.typeCode() == previous.typeCode() ? SAME_TYPE : 0;
      long difference = previous.timestamp() - timestamp;
      if (byteCount(Math.abs(difference)) < byteCount(Math.abs(timestamp))) {
        flags |= TIMESTAMP_IS_DIFFERENCE;
        timestamp = difference;
      }
    }
    flags |= timestamp < 0 ? TIMESTAMP_IS_NEGATIVE : 0;
    // The least number is its own opposite, and right when its bytes are read as one.
    long magnitude = Math.abs(timestamp);
    int bytes = byteCount(magnitude);
    target.putByte(flags | (bytes - 1) << TIMESTAMP_BYTES_SHIFT);
    if ((flags & SAME_KEY_LENGTH) == 0) {
      target.putPacked(cell.keyLength());
    }
    if ((flags & SAME_VALUE_LENGTH) == 0) {
      target.putPacked(cell.valueLength());
    }
    target.putPacked(common);
    putColumn(cell, common, target);
    for (int i = 0; i < bytes; i++) {
      target.putByte((int) (magnitude >>> 8 * i));
    }
    if ((flags & SAME_TYPE) == 0) {
      target.putByte(cell.typeCode());
    }
    target.put(cell.bytes(), cell.valueOffset(), cell.valueLength());
  }

  @Override
  void decodeStart(Decoder decoder) throws IOException {
    decoder.readFamily();
  }

  @Override
  void decodeCell(Decoder decoder) throws IOException {
    int flags = decoder.readByte();
    int keyLength =
        (flags & SAME_KEY_LENGTH) != 0 ? decoder.previousKeyLength() : decoder.readPacked();
    int valueLength =
        (flags & SAME_VALUE_LENGTH) != 0 ? decoder.previousValueLength() : decoder.readPacked();
    int common = decoder.readPacked();
    decoder.begin(keyLength, valueLength, common);
    decoder.readColumn(common, true);
    int bytes = (flags >>> TIMESTAMP_BYTES_SHIFT & TIMESTAMP_BYTES_MASK) + 1;
    long timestamp = 0;
    for (int i = 0; i < bytes; i++) {
      timestamp |= (long) decoder.readByte() << 8 * i;
    }
    if ((flags & TIMESTAMP_IS_NEGATIVE) != 0) {
      timestamp = -timestamp;
    }
    if ((flags & TIMESTAMP_IS_DIFFERENCE) != 0) {
      timestamp = decoder.previousTimestamp() - timestamp;
    }
    decoder.writeTimestamp(timestamp);
    decoder.readType((flags & SAME_TYPE) != 0);
    decoder.readValue(false);
  }

  private static int byteCount(long magnitude) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + 7) / 8);
  }
}
