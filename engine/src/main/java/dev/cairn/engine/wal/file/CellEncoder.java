package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;

/**
 * Writes cells in the compressed form that {@link CellDecoder} documents, without allocating for
 * names that came before. One thread.
 */
final class CellEncoder {
  private final WalDictionaries dictionaries;
  private final boolean compressesTags;
  private final ValueCodec values;
  private final boolean compressesValues;
  private final WalBuffer compressedValue = new WalBuffer();

  CellEncoder(WalCompression compression, WalDictionaries dictionaries) {
    this.dictionaries = dictionaries;
    this.compressesTags = compression.tags();
    this.compressesValues = compression.values().isPresent();
    this.values = compression.values().orElse(WalValueCompression.NONE).newCodec();
  }

  /** Appends cell {@code i} of {@code cells}. */
  void encode(CellBuffer cells, int i, WalBuffer target) {
    byte[] bytes = cells.bytes(i);
    int offset = cells.offset(i);
    int keyLength = Bytes.getInt(bytes, offset);
    int valueLength = Bytes.getInt(bytes, offset + 4);
    int rowAt = offset + 10;
    int rowLength = Bytes.getUnsignedShort(bytes, offset + 8);
    int familyAt = rowAt + rowLength + 1;
    int familyLength = bytes[familyAt - 1] & 0xFF;
    int qualifierAt = familyAt + familyLength;
    int valueAt = offset + 8 + keyLength;
    int timestampAt = valueAt - 9;
    int tagsAt = valueAt + valueLength + 2;
    int tagsLength = Math.max(0, offset + cells.length(i) - tagsAt);

    target.putVarint(keyLength);
    target.putVarint(valueLength);
    target.putVarint(tagsLength);
    WalDictionaries.put(dictionaries.rows, bytes, rowAt, rowLength, target);
    WalDictionaries.put(dictionaries.families, bytes, familyAt, familyLength, target);
    WalDictionaries.put(
        dictionaries.qualifiers, bytes, qualifierAt, timestampAt - qualifierAt, target);
    target.putBytes(bytes, timestampAt, 9);
    if (compressesValues) {
      compressedValue.clear();
      if (valueLength > 0) {
        values.compress(bytes, valueAt, valueLength, compressedValue);
      }
      target.putVarint(compressedValue.size());
      target.putBytes(compressedValue.bytes(), 0, compressedValue.size());
    } else {
      target.putBytes(bytes, valueAt, valueLength);
    }
    if (compressesTags) {
      encodeTags(bytes, tagsAt, tagsAt + tagsLength, target);
    } else if (tagsLength > 0) {
      target.putBytes(bytes, tagsAt, tagsLength);
    }
  }

  private void encodeTags(byte[] bytes, int from, int to, WalBuffer target) {
    int at = from;
    while (at < to) {
      int length = Bytes.getUnsignedShort(bytes, at);
      WalDictionaries.put(dictionaries.tags, bytes, at + 2, length, target);
      at += 2 + length;
    }
  }
}
