package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.VarLong;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The state of decoding one block of a {@link DeltaEncoding}: a place in the encoded bytes, a place
 * in the plain ones, and where the previous cell's parts lie in the latter. Every length is checked
 * against both ends. One thread.
 */
final class Decoder {
  private static final int MAX_TAGS_LENGTH = 0xFFFF;

  /** The placeholder for a number's high byte before a tag that has no number yet. */
  private static final int NEW_TAG = 0xFF;

  private final byte[] encoded;
  private final int end;
  private final byte[] plain;
  private final int plainEnd;
  private final BlockMemory memory;
  private int[] offsets;
  private int count;
  private int from;
  private int to;

  private final Optional<TagDictionary> tagDictionary;
  private byte[] family = Bytes.EMPTY;
  private int key;
  private int keyLength;
  private int valueLength;
  private int previousKey = -1;
  private int previousKeyLength;
  private int previousValueLength;

  /**
   * Begins to decode the bytes between {@code from} and {@code end}.
   *
   * @param plainLength the length of the plain cells, as announced
   * @param tagDictionary an empty one, if tags are compressed
   */
  Decoder(
      byte[] encoded,
      int from,
      int end,
      int plainLength,
      BlockMemory memory,
      Optional<TagDictionary> tagDictionary) {
    this.tagDictionary = tagDictionary;
    this.encoded = encoded;
    this.from = from;
    this.end = end;
    this.plain = memory.plain(plainLength);
    this.plainEnd = plainLength;
    this.memory = memory;
    this.offsets = memory.offsets(Math.max(16, plainLength / 64));
  }

  boolean hasMore() {
    return from < end;
  }

  /** Tells whether no cell has been decoded yet. */
  boolean first() {
    return previousKey < 0;
  }

  /** Returns the plain cells, whose length must be the one that was announced. */
  DataBlock finish(boolean tags, boolean sequences) throws IOException {
    if (to != plainEnd || count == 0) {
      throw new IOException(to + " bytes of cells instead of " + plainEnd);
    }
    return new DataBlock(plain, memory.filled(offsets, count), count, tags, sequences);
  }

  int readByte() throws IOException {
    need(1);
    return encoded[from++] & 0xFF;
  }

  /** Reads an integer that {@link ByteSink#putPacked} wrote. */
  int readPacked() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw new IOException("a number of more than 31 bits");
  }

  void readFamily() throws IOException {
    int length = readByte();
    need(length);
    family = Arrays.copyOfRange(encoded, from, from + length);
    from += length;
  }

  int previousKeyLength() {
    return previousKeyLength;
  }

  int previousValueLength() {
    return previousValueLength;
  }

  /** Returns the previous cell's timestamp, 0 before the first cell. */
  long previousTimestamp() {
    return first() ? 0 : Bytes.getLong(plain, previousKey + previousKeyLength - 9);
  }

  /** Begins a cell: writes both lengths and the part of the key that the previous one has, too. */
  void begin(int newKeyLength, int newValueLength, int common) throws IOException {
    if (newKeyLength < Cell.KEY_OVERHEAD
        || newValueLength < 0
        || common > (first() ? 0 : Math.min(previousKeyLength, newKeyLength))) {
      throw new IOException(
          "a key of "
              + newKeyLength
              + " bytes, "
              + common
              + " of them as before, and a value of "
              + newValueLength);
    }
    room(Cell.LENGTHS_SIZE + (long) newKeyLength + newValueLength);
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, count * 2);
    }
    offsets[count++] = to;
    Bytes.putInt(plain, to, newKeyLength);
    Bytes.putInt(plain, to + 4, newValueLength);
    key = to + Cell.LENGTHS_SIZE;
    keyLength = newKeyLength;
    valueLength = newValueLength;
    to = key;
    if (common > 0) {
      System.arraycopy(plain, previousKey, plain, to, common);
      to += common;
    }
  }

  /**
   * Reads the rest of row, family and qualifier.
   *
   * @param common how much of the key {@link #begin} has written
   * @param familyGiven whether the bytes leave out the family of a new row
   */
  void readColumn(int common, boolean familyGiven) throws IOException {
    int columnEnd = key + keyLength - DeltaEncoding.TIMESTAMP_AND_TYPE;
    if (common > columnEnd - key) {
      throw new IOException("a column of which " + common + " bytes are as before");
    }
    if (common < 2) {
      copy(2 - common);
    }
    int rowLength = Bytes.getUnsignedShort(plain, key);
    int rowEnd = key + 2 + rowLength;
    if (familyGiven && to < rowEnd) {
      if (rowEnd + 1 + family.length > columnEnd) {
        throw new IOException("a row of " + rowLength + " bytes in a key of " + keyLength);
      }
      copy(rowEnd - to);
      plain[to++] = (byte) family.length;
      System.arraycopy(family, 0, plain, to, family.length);
      to += family.length;
    }
    copy(columnEnd - to);
    if (first() && !familyGiven) {
      IndexBlock.checkKey(plain, key, keyLength);
      int familyAt = rowEnd + 1;
      family = Arrays.copyOfRange(plain, familyAt, familyAt + (plain[rowEnd] & 0xFF));
    }
  }

  /** Reads the rest of the key as it is. */
  void readKey() throws IOException {
    copy(key + keyLength - to);
  }

  void writeTimestamp(long timestamp) {
    Bytes.putLong(plain, to, timestamp);
    to += Long.BYTES;
  }

  /** Takes the first {@code common} bytes of the previous timestamp and reads the rest. */
  void readTimestamp(int common) throws IOException {
    if (common > 0) {
      if (first()) {
        throw new IOException("a first cell with a timestamp like the one before");
      }
      System.arraycopy(plain, previousKey + previousKeyLength - 9, plain, to, common);
      to += common;
    }
    copy(Long.BYTES - common);
  }

  /** Takes the previous cell's type or reads one. */
  void readType(boolean same) throws IOException {
    if (!same) {
      copy(1);
    } else if (first()) {
      throw new IOException("a first cell with a type like the one before");
    } else {
      plain[to++] = plain[previousKey + previousKeyLength - 1];
    }
  }

  /** Takes the previous cell's value or reads one; the cell is complete but for its tail. */
  void readValue(boolean same) throws IOException {
    if (!same) {
      copy(valueLength);
    } else if (first() || previousValueLength != valueLength) {
      throw new IOException("a value like the one before but of another length");
    } else {
      System.arraycopy(plain, previousKey + previousKeyLength, plain, to, valueLength);
      to += valueLength;
    }
    IndexBlock.checkKey(plain, key, keyLength);
    previousKey = key;
    previousKeyLength = keyLength;
    previousValueLength = valueLength;
  }

  /** Copies tags and sequence number. */
  void copyTail(boolean tags, boolean sequences) throws IOException {
    if (tags) {
      int length = readPacked();
      if (length > MAX_TAGS_LENGTH) {
        throw new IOException("tags of " + length + " bytes");
      }
      room(2 + length);
      Bytes.putShort(plain, to, length);
      to += 2;
      if (tagDictionary.isPresent()) {
        expandTags(to + length, tagDictionary.get());
      } else {
        copy(length);
      }
    }
    if (sequences) {
      need(1);
      int length = VarLong.lengthOf(encoded[from]);
      room(length);
      copy(length);
    }
  }

  /**
   * Reads tags up to {@code tagsEnd} of the plain bytes, where there is room for them: each {@code
   * byte -1 | packed length | tag}, or its number in two bytes.
   */
  private void expandTags(int tagsEnd, TagDictionary dictionary) throws IOException {
    while (to < tagsEnd) {
      int high = readByte();
      byte[] tag;
      if (high == NEW_TAG) {
        int length = readPacked();
        need(length);
        tag = Arrays.copyOfRange(encoded, from, from + length);
        from += length;
        dictionary.add(tag);
      } else {
        tag = dictionary.get(high << 8 | readByte());
      }
      if (2 + tag.length > tagsEnd - to) {
        throw new IOException("a tag of " + tag.length + " bytes where they should end");
      }
      Bytes.putShort(plain, to, tag.length);
      System.arraycopy(tag, 0, plain, to + 2, tag.length);
      to += 2 + tag.length;
    }
  }

  private void copy(int length) throws IOException {
    need(length);
    System.arraycopy(encoded, from, plain, to, length);
    from += length;
    to += length;
  }

  private void need(int length) throws IOException {
    if (length < 0 || length > end - from) {
      throw new EOFException((end - from) + " bytes where " + length + " should follow");
    }
  }

  private void room(long length) throws IOException {
    if (length > plainEnd - to) {
      throw new IOException("more than " + plainEnd + " bytes of cells");
    }
  }
}
