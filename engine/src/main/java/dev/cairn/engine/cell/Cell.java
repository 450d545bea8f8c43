package dev.cairn.engine.cell;

import java.util.Arrays;

/**
 * A view over one cell in HBase's KeyValue layout, with the sequence number under which it was
 * written.
 *
 * <pre>
 *   int keyLength | int valueLength | key | value [ | ushort tagsLength | tags ]
 *   key: ushort rowLength | row | ubyte familyLength | family | qualifier | long timestamp | ubyte type
 * </pre>
 *
 * <p>A cell may be a <em>flyweight</em>: a cursor owns one and points it at one place after
 * another, so that stepping allocates nothing. A caller may read it until its owner moves on, must
 * not change the bytes, and takes a {@link #copy()} to keep it. Key and value may lie apart within
 * the array (an index key has no value at all). Not thread-safe.
 *
 * <p>Format: the reference guide's appendix on the KeyValue class.
 */
public final class Cell {
  /** Bytes before the key: its length and the value's. */
  public static final int LENGTHS_SIZE = 8;

  /** Bytes of a key that are neither row, family nor qualifier: two lengths, timestamp and type. */
  public static final int KEY_OVERHEAD = 12;

  /** The timestamp that means "now, at the server" in a mutation, and the newest in a seek. */
  public static final long LATEST_TIMESTAMP = Long.MAX_VALUE;

  /** The greatest length of a row key. */
  public static final int MAX_ROW_LENGTH = Short.MAX_VALUE;

  /** The greatest length of a family's name. */
  public static final int MAX_FAMILY_LENGTH = Byte.MAX_VALUE;

  private byte[] bytes = Bytes.EMPTY;
  private int keyOffset;
  private int keyLength;
  private int valueOffset;
  private int valueLength;
  private int tagsLength;
  private int rowLength;
  private long sequence;

  /** Creates a view of nothing; point it at a cell before use. */
  public Cell() {}

  /**
   * Points at the cell whose layout begins at {@code offset} and ends at {@code offset + length}.
   * Lengths are not checked here: bytes that come from outside go through {@link CellFormat#check}
   * first.
   */
  public void set(byte[] bytes, int offset, int length, long sequence) {
    this.bytes = bytes;
    this.keyOffset = offset + LENGTHS_SIZE;
    this.keyLength = Bytes.getInt(bytes, offset);
    this.valueLength = Bytes.getInt(bytes, offset + 4);
    this.valueOffset = keyOffset + keyLength;
    int plain = LENGTHS_SIZE + keyLength + valueLength;
    this.tagsLength = length > plain + 2 ? length - plain - 2 : 0;
    this.rowLength = Bytes.getUnsignedShort(bytes, keyOffset);
    this.sequence = sequence;
  }

  /**
   * As {@link #set(byte[], int, int, long)}, for a caller that knows the lengths of the parts: the
   * cell's layout begins at {@code offset}, and tags, if there are any, follow the value after two
   * bytes of length.
   */
  public void set(
      byte[] bytes, int offset, int keyLength, int valueLength, int tagsLength, long sequence) {
    this.bytes = bytes;
    this.keyOffset = offset + LENGTHS_SIZE;
    this.keyLength = keyLength;
    this.valueOffset = offset + LENGTHS_SIZE + keyLength;
    this.valueLength = valueLength;
    this.tagsLength = tagsLength;
    this.rowLength = Bytes.getUnsignedShort(bytes, offset + LENGTHS_SIZE);
    this.sequence = sequence;
  }

  /** Points at a key alone, as an index holds it; the value and the tags are empty. */
  public void setKey(byte[] bytes, int keyOffset, int keyLength) {
    this.bytes = bytes;
    this.keyOffset = keyOffset;
    this.keyLength = keyLength;
    this.valueOffset = keyOffset + keyLength;
    this.valueLength = 0;
    this.tagsLength = 0;
    this.rowLength = Bytes.getUnsignedShort(bytes, keyOffset);
    this.sequence = 0;
  }

  /** Points at nothing, so that no bytes are kept in memory for it. */
  public void clear() {
    this.bytes = Bytes.EMPTY;
    this.keyOffset = 0;
    this.keyLength = 0;
    this.valueOffset = 0;
    this.valueLength = 0;
    this.tagsLength = 0;
    this.rowLength = 0;
    this.sequence = 0;
  }

  /** Points at the same place as {@code other}. */
  public void set(Cell other) {
    this.bytes = other.bytes;
    this.keyOffset = other.keyOffset;
    this.keyLength = other.keyLength;
    this.valueOffset = other.valueOffset;
    this.valueLength = other.valueLength;
    this.tagsLength = other.tagsLength;
    this.rowLength = other.rowLength;
    this.sequence = other.sequence;
  }

  /**
   * Points at the same place as {@code other}, as if that had been written under another number.
   */
  public void set(Cell other, long sequence) {
    set(other);
    this.sequence = sequence;
  }

  /** Returns the array that all offsets are relative to. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the offset of the key. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Returns the key's length in bytes. */
  public int keyLength() {
    return keyLength;
  }

  /** Returns the offset of the row. */
  public int rowOffset() {
    return keyOffset + 2;
  }

  /** Returns the row's length in bytes. */
  public int rowLength() {
    return rowLength;
  }

  /** Returns the offset of the family. */
  public int familyOffset() {
    return keyOffset + 3 + rowLength;
  }

  /** Returns the family's length in bytes. */
  public int familyLength() {
    return bytes[keyOffset + 2 + rowLength] & 0xFF;
  }

  /** Returns the offset of the qualifier. */
  public int qualifierOffset() {
    return familyOffset() + familyLength();
  }

  /** Returns the qualifier's length in bytes. */
  public int qualifierLength() {
    return keyLength - KEY_OVERHEAD - rowLength - familyLength();
  }

  /** Returns the timestamp, by convention in milliseconds since 1970. */
  public long timestamp() {
    return Bytes.getLong(bytes, keyOffset + keyLength - 9);
  }

  /** Returns the code of the cell's {@link CellType}. */
  public int typeCode() {
    return bytes[keyOffset + keyLength - 1] & 0xFF;
  }

  /** Tells whether the cell is a delete marker. */
  public boolean isDelete() {
    return CellType.isDelete(typeCode());
  }

  /** Returns the offset of the value. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Returns the value's length in bytes. */
  public int valueLength() {
    return valueLength;
  }

  /** Returns the offset of the tags; meaningful only if there are any. */
  public int tagsOffset() {
    return valueOffset + valueLength + 2;
  }

  /** Returns the length of all tags in bytes, 0 if there are none. */
  public int tagsLength() {
    return tagsLength;
  }

  /**
   * Returns the sequence number of the write that made the cell; higher is later within one region.
   */
  public long sequence() {
    return sequence;
  }

  /** Returns a copy of the row. */
  public byte[] row() {
    return Arrays.copyOfRange(bytes, rowOffset(), rowOffset() + rowLength);
  }

  /** Returns a copy of the family. */
  public byte[] family() {
    return Arrays.copyOfRange(bytes, familyOffset(), familyOffset() + familyLength());
  }

  /** Returns a copy of the qualifier. */
  public byte[] qualifier() {
    return Arrays.copyOfRange(bytes, qualifierOffset(), qualifierOffset() + qualifierLength());
  }

  /** Returns a copy of the value. */
  public byte[] value() {
    return Arrays.copyOfRange(bytes, valueOffset, valueOffset + valueLength);
  }

  /** Returns a copy of the tags, in their stored form. */
  public byte[] tags() {
    return tagsLength == 0
        ? Bytes.EMPTY
        : Arrays.copyOfRange(bytes, tagsOffset(), tagsOffset() + tagsLength);
  }

  /** Tells whether the row is exactly the {@code length} bytes at {@code offset}. */
  public boolean rowEquals(byte[] row, int offset, int length) {
    return rowLength == length
        && Arrays.equals(bytes, rowOffset(), rowOffset() + rowLength, row, offset, offset + length);
  }

  /** Tells whether both cells have the same row. */
  public boolean sameRow(Cell other) {
    return rowEquals(other.bytes, other.rowOffset(), other.rowLength);
  }

  /** Tells whether both cells have the same family. */
  public boolean sameFamily(Cell other) {
    return Arrays.equals(
        bytes,
        familyOffset(),
        familyOffset() + familyLength(),
        other.bytes,
        other.familyOffset(),
        other.familyOffset() + other.familyLength());
  }

  /** Tells whether both cells have the same row, family and qualifier. */
  public boolean sameColumn(Cell other) {
    // Row length, row, family length, family and qualifier lie side by side, so one comparison
    // decides.
    return keyLength == other.keyLength
        && Arrays.equals(
            bytes,
            keyOffset,
            keyOffset + keyLength - 9,
            other.bytes,
            other.keyOffset,
            other.keyOffset + other.keyLength - 9);
  }

  /**
   * Returns at which byte of the keys the row, family or qualifier of the cells begin to differ, -1
   * if they don't: where rows of one length end, if the rows are the same.
   */
  public int columnMismatch(Cell other) {
    return Arrays.mismatch(
        bytes,
        keyOffset,
        keyOffset + keyLength - 9,
        other.bytes,
        other.keyOffset,
        other.keyOffset + other.keyLength - 9);
  }

  /**
   * Tells whether the cell's column comes after that of another cell of the same row and family.
   */
  public boolean isBehindColumn(Cell other) {
    return isBehindColumn(other.bytes, other.keyOffset, other.keyOffset + other.keyLength - 9);
  }

  /**
   * Tells whether the cell's column comes after that of a key of the same row and family, which
   * begins at {@code key} and has its timestamp at {@code version}.
   */
  public boolean isBehindColumn(byte[] other, int key, int version) {
    int columnEnd = keyOffset + keyLength - 9;
    int at = Arrays.mismatch(bytes, keyOffset, columnEnd, other, key, version);
    if (at < 0) {
      return false;
    }
    if (at >= columnEnd - keyOffset || at >= version - key) {
      return at >= version - key;
    }
    return (bytes[keyOffset + at] & 0xFF) > (other[key + at] & 0xFF);
  }

  /** Returns the number of bytes that {@link #writeTo} writes. */
  public int serializedLength(boolean withTags) {
    return LENGTHS_SIZE
        + keyLength
        + valueLength
        + (withTags && tagsLength > 0 ? 2 + tagsLength : 0);
  }

  /**
   * Writes the cell in KeyValue layout. Tags, if asked for and present, follow the value after
   * their length; a cell without tags ends with its value.
   *
   * @return the offset after the last byte written
   */
  public int writeTo(byte[] target, int offset, boolean withTags) {
    if (liesInOnePiece()) {
      int length = serializedLength(withTags);
      System.arraycopy(bytes, keyOffset - LENGTHS_SIZE, target, offset, length);
      return offset + length;
    }
    Bytes.putInt(target, offset, keyLength);
    Bytes.putInt(target, offset + 4, valueLength);
    int at = offset + LENGTHS_SIZE;
    System.arraycopy(bytes, keyOffset, target, at, keyLength);
    at += keyLength;
    System.arraycopy(bytes, valueOffset, target, at, valueLength);
    at += valueLength;
    if (withTags && tagsLength > 0) {
      Bytes.putShort(target, at, tagsLength);
      System.arraycopy(bytes, tagsOffset(), target, at + 2, tagsLength);
      at += 2 + tagsLength;
    }
    return at;
  }

  /**
   * Tells whether the bytes before and after the key are those that {@link #writeTo} would write.
   */
  private boolean liesInOnePiece() {
    return valueOffset == keyOffset + keyLength
        && keyOffset >= LENGTHS_SIZE
        && Bytes.getInt(bytes, keyOffset - LENGTHS_SIZE) == keyLength
        && Bytes.getInt(bytes, keyOffset - Integer.BYTES) == valueLength;
  }

  /** Returns a cell of its own, over bytes of its own, with everything that this one shows now. */
  public Cell copy() {
    byte[] own = new byte[serializedLength(true)];
    writeTo(own, 0, true);
    Cell copy = new Cell();
    copy.set(own, 0, own.length, sequence);
    return copy;
  }

  /** Returns a copy of the key and the sequence number; its value and its tags are empty. */
  public Cell copyOfKey() {
    Cell copy = new Cell();
    copy.setKey(Arrays.copyOfRange(bytes, keyOffset, keyOffset + keyLength), 0, keyLength);
    copy.sequence = sequence;
    return copy;
  }

  /** Creates a put. */
  public static Cell put(
      byte[] row, byte[] family, byte[] qualifier, long timestamp, byte[] value) {
    return of(row, family, qualifier, timestamp, CellType.PUT.code(), value, Bytes.EMPTY, 0);
  }

  /**
   * Creates a cell over an array of its own.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows
   */
  public static Cell of(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      int typeCode,
      byte[] value,
      byte[] tags,
      long sequence) {
    byte[] bytes =
        new byte
            [CellFormat.length(
                row.length, family.length, qualifier.length, value.length, tags.length)];
    CellFormat.write(bytes, 0, row, family, qualifier, timestamp, typeCode, value, tags);
    Cell cell = new Cell();
    cell.set(bytes, 0, bytes.length, sequence);
    return cell;
  }

  /** Creates the key that sorts before every cell of {@code row}; for seeking only. */
  public static Cell firstOnRow(byte[] row) {
    return firstOnColumn(row, Bytes.EMPTY, Bytes.EMPTY);
  }

  /** Creates the key that sorts before every cell of the column; for seeking only. */
  public static Cell firstOnColumn(byte[] row, byte[] family, byte[] qualifier) {
    return of(
        row,
        family,
        qualifier,
        LATEST_TIMESTAMP,
        CellType.MAXIMUM.code(),
        Bytes.EMPTY,
        Bytes.EMPTY,
        Long.MAX_VALUE);
  }

  /**
   * Returns the key as HBase's tools print it: {@code
   * row/family:qualifier/timestamp/Type/vlen=n/seqid=n}; without the colon if the family is empty,
   * as in an index.
   */
  @Override
  public String toString() {
    return Bytes.toStringBinary(bytes, rowOffset(), rowLength)
        + "/"
        + Bytes.toStringBinary(bytes, familyOffset(), familyLength())
        + (familyLength() == 0 ? "" : ":")
        + Bytes.toStringBinary(bytes, qualifierOffset(), qualifierLength())
        + "/"
        + (timestamp() == LATEST_TIMESTAMP ? "LATEST_TIMESTAMP" : timestamp())
        + "/"
        + typeName()
        + "/vlen="
        + valueLength
        + "/seqid="
        + sequence;
  }

  private String typeName() {
    return switch (typeCode()) {
      case 4 -> "Put";
      case 8 -> "Delete";
      case 10 -> "DeleteFamilyVersion";
      case 12 -> "DeleteColumn";
      case 14 -> "DeleteFamily";
      case 255 -> "Maximum";
      default -> "Minimum";
    };
  }
}
