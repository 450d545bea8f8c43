package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellFormat;
import java.io.IOException;

/**
 * Reads cells in the form that HBase's {@code WALCellCodec} gives them in a compressed log:
 *
 * <pre>
 *   varint key length   varint value length   varint tags length     as the KeyValue has them
 *   row   family   qualifier                                         names
 *   8 bytes timestamp   1 byte type
 *   value                          with value compression:  varint length  compressed bytes
 *   tags                           with tag compression:    a name for each tag, type included
 * </pre>
 *
 * <p>A name is two bytes, the number of one that came before, or {@code 0xFF}, a varint length and
 * the bytes. No length is believed before its bytes are there. One thread.
 */
final class CellDecoder {
  private static final int VARINT_SIZE_MAX = 5;
  private static final int FIXED_SIZE = 9;

  private final WalInput input;
  private final WalDictionaries dictionaries;
  private final boolean compressesTags;
  private final boolean compressesValues;
  private final ValueCodec values;
  private final WalBuffer cell = new WalBuffer();
  private long at;
  private long limit;

  CellDecoder(WalInput input, WalCompression compression, WalDictionaries dictionaries) {
    this.input = input;
    this.dictionaries = dictionaries;
    this.compressesTags = compression.tags();
    this.compressesValues = compression.values().isPresent();
    this.values = compression.values().orElse(WalValueCompression.NONE).newCodec();
  }

  /**
   * Reads the cell at {@code from} and returns where it ends.
   *
   * @param end no cell reaches beyond
   */
  long decode(long from, long end, CellBuffer target) throws IOException, WalDamage {
    at = from;
    limit = end;
    int keyLength = varint();
    int valueLength = varint();
    int tagsLength = varint();
    if (keyLength < Cell.KEY_OVERHEAD || valueLength < 0 || tagsLength < 0 || tagsLength > 0xFFFF) {
      throw WalDamage.wrong(
          "expected the lengths of a cell, found %d, %d and %d"
              .formatted(keyLength, valueLength, tagsLength));
    }
    cell.clear();
    cell.putInt(keyLength);
    cell.putInt(valueLength);
    // The row's length, once it is known.
    cell.putByte(0);
    cell.putByte(0);
    int rowLength = name(dictionaries.rows, Short.MAX_VALUE);
    Bytes.putShort(cell.bytes(), Cell.LENGTHS_SIZE, rowLength);
    cell.putByte(0);
    int familyLengthAt = cell.size() - 1;
    int familyLength = name(dictionaries.families, 0xFF);
    cell.bytes()[familyLengthAt] = (byte) familyLength;
    name(dictionaries.qualifiers, keyLength - Cell.KEY_OVERHEAD - rowLength - familyLength);
    plain(FIXED_SIZE);
    if (cell.size() != Cell.LENGTHS_SIZE + keyLength) {
      throw WalDamage.wrong(
          "expected a key of %d bytes, found %d"
              .formatted(keyLength, cell.size() - Cell.LENGTHS_SIZE));
    }
    value(valueLength);
    if (tagsLength > 0) {
      tags(tagsLength);
    }
    try {
      CellFormat.check(cell.bytes(), 0, cell.size());
    } catch (IllegalArgumentException e) {
      throw WalDamage.wrong("expected a cell: " + e.getMessage());
    }
    target.add(cell.bytes(), 0, cell.size());
    return at;
  }

  private void value(int length) throws IOException, WalDamage {
    if (!compressesValues) {
      plain(length);
      return;
    }
    int compressed = varint();
    int index = load(compressed);
    // For an empty value HBase writes an empty stream, which its reader passes over, too.
    if (length > 0) {
      values.decompress(input.bytes(), index, compressed, length, cell);
    }
  }

  private void tags(int length) throws IOException, WalDamage {
    cell.putByte(length >>> 8);
    cell.putByte(length);
    if (!compressesTags) {
      plain(length);
      return;
    }
    int end = cell.size() + length;
    while (cell.size() < end) {
      int lengthAt = cell.size();
      cell.putByte(0);
      cell.putByte(0);
      int tagLength = name(dictionaries.tags, end - cell.size());
      Bytes.putShort(cell.bytes(), lengthAt, tagLength);
    }
    if (cell.size() != end) {
      throw WalDamage.wrong("expected tags of " + length + " bytes, found more");
    }
  }

  /** Appends a name to the cell and returns its length. */
  private int name(LruDictionary dictionary, int lengthMax) throws IOException, WalDamage {
    int first = input.bytes()[load(1)] & 0xFF;
    byte[] name;
    int offset;
    int length;
    if (first == WalDictionaries.NEW_NAME) {
      length = checked(varint(), lengthMax);
      offset = load(length);
      name = input.bytes();
      dictionary.add(name, offset, length);
    } else {
      name = dictionary.get(first << 8 | input.bytes()[load(1)] & 0xFF);
      offset = 0;
      length = checked(name.length, lengthMax);
    }
    cell.putBytes(name, offset, length);
    return length;
  }

  private static int checked(int length, int lengthMax) throws WalDamage {
    if (length < 0 || length > lengthMax) {
      throw WalDamage.wrong("expected a name of at most " + lengthMax + " bytes, found " + length);
    }
    return length;
  }

  private void plain(int length) throws IOException, WalDamage {
    int index = load(length);
    cell.putBytes(input.bytes(), index, length);
  }

  private int varint() throws IOException, WalDamage {
    int value = 0;
    for (int i = 0; i < VARINT_SIZE_MAX; i++) {
      byte b = input.bytes()[load(1)];
      value |= (b & 0x7F) << (7 * i);
      if (b >= 0) {
        return value;
      }
    }
    throw WalDamage.wrong("expected a length, found a number of more than 5 bytes");
  }

  /** Makes the next bytes available, passes over them, and returns their index in the input. */
  private int load(int length) throws IOException, WalDamage {
    if (length < 0) {
      throw WalDamage.wrong("expected a length, found " + length);
    }
    int index = input.load(at, length, limit, "cell");
    at += length;
    return index;
  }
}
