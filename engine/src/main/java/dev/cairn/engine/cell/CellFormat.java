package dev.cairn.engine.cell;

/** Writes and checks the bytes of a cell in HBase's KeyValue layout, as {@link Cell} draws it. */
public final class CellFormat {
  private static final int MAX_TAGS_LENGTH = 0xFFFF;

  private CellFormat() {}

  /**
   * Returns the number of bytes of a cell with parts of these lengths.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows
   */
  static int length(int row, int family, int qualifier, int value, int tags) {
    checkLength("Row", row, Cell.MAX_ROW_LENGTH);
    checkLength("Family", family, Cell.MAX_FAMILY_LENGTH);
    checkLength("Tags", tags, MAX_TAGS_LENGTH);
    return Cell.LENGTHS_SIZE
        + Cell.KEY_OVERHEAD
        + row
        + family
        + qualifier
        + value
        + (tags > 0 ? 2 + tags : 0);
  }

  /** Writes a cell, whose parts {@link #length} has checked, at {@code offset}. */
  static void write(
      byte[] target,
      int offset,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      int typeCode,
      byte[] value,
      byte[] tags) {
    int keyLength = Cell.KEY_OVERHEAD + row.length + family.length + qualifier.length;
    Bytes.putInt(target, offset, keyLength);
    Bytes.putInt(target, offset + 4, value.length);
    int at = offset + Cell.LENGTHS_SIZE;
    Bytes.putShort(target, at, row.length);
    at = append(target, at + 2, row);
    target[at] = (byte) family.length;
    at = append(target, at + 1, family);
    at = append(target, at, qualifier);
    Bytes.putLong(target, at, timestamp);
    target[at + 8] = (byte) typeCode;
    at = append(target, at + 9, value);
    if (tags.length > 0) {
      Bytes.putShort(target, at, tags.length);
      append(target, at + 2, tags);
    }
  }

  /** Writes a cell whose parts lie in one array and were checked by {@link CellParts#length}. */
  static void write(byte[] target, int offset, CellParts parts) {
    int keyLength =
        Cell.KEY_OVERHEAD + parts.rowLength + parts.familyLength + parts.qualifierLength;
    Bytes.putInt(target, offset, keyLength);
    Bytes.putInt(target, offset + 4, parts.valueLength);
    int at = offset + Cell.LENGTHS_SIZE;
    Bytes.putShort(target, at, parts.rowLength);
    at = append(target, at + 2, parts.source, parts.rowOffset, parts.rowLength);
    target[at] = (byte) parts.familyLength;
    at = append(target, at + 1, parts.source, parts.familyOffset, parts.familyLength);
    at = append(target, at, parts.source, parts.qualifierOffset, parts.qualifierLength);
    Bytes.putLong(target, at, parts.timestamp);
    target[at + 8] = (byte) parts.typeCode;
    at = append(target, at + 9, parts.source, parts.valueOffset, parts.valueLength);
    if (parts.tagsLength > 0) {
      Bytes.putShort(target, at, parts.tagsLength);
      append(target, at + 2, parts.source, parts.tagsOffset, parts.tagsLength);
    }
  }

  private static void checkLength(String part, int length, int most) {
    if (length > most) {
      throw new IllegalArgumentException(
          part + " of " + length + " bytes; at most " + most + " are allowed");
    }
  }

  /**
   * Checks that {@code length} bytes at {@code offset} are one well-formed cell, so that a {@link
   * Cell} over them stays inside them. To be called on everything that comes from a network or an
   * unchecked file.
   *
   * @throws IllegalArgumentException with a sentence that names the wrong length
   */
  public static void check(byte[] bytes, int offset, int length) {
    if (length < Cell.LENGTHS_SIZE + Cell.KEY_OVERHEAD) {
      throw new IllegalArgumentException("A cell of " + length + " bytes is too short");
    }
    int keyLength = Bytes.getInt(bytes, offset);
    int valueLength = Bytes.getInt(bytes, offset + 4);
    if (keyLength < Cell.KEY_OVERHEAD || keyLength > length - Cell.LENGTHS_SIZE) {
      throw new IllegalArgumentException(
          "Key length " + keyLength + " does not fit a cell of " + length + " bytes");
    }
    if (valueLength < 0 || valueLength > length - Cell.LENGTHS_SIZE - keyLength) {
      throw new IllegalArgumentException(
          "Value length " + valueLength + " does not fit a cell of " + length + " bytes");
    }
    int keyOffset = offset + Cell.LENGTHS_SIZE;
    int rowLength = Bytes.getUnsignedShort(bytes, keyOffset);
    if (rowLength > keyLength - Cell.KEY_OVERHEAD || rowLength > Cell.MAX_ROW_LENGTH) {
      throw new IllegalArgumentException(
          "Row length " + rowLength + " does not fit a key of " + keyLength + " bytes");
    }
    int familyLength = bytes[keyOffset + 2 + rowLength] & 0xFF;
    if (familyLength > keyLength - Cell.KEY_OVERHEAD - rowLength) {
      throw new IllegalArgumentException(
          "Family length " + familyLength + " does not fit a key of " + keyLength + " bytes");
    }
    int rest = length - Cell.LENGTHS_SIZE - keyLength - valueLength;
    if (rest != 0) {
      int tagsOffset = keyOffset + keyLength + valueLength;
      if (rest < 2 || Bytes.getUnsignedShort(bytes, tagsOffset) != rest - 2) {
        throw new IllegalArgumentException(
            rest + " bytes follow the value that are not tags with their length");
      }
    }
  }

  private static int append(byte[] target, int offset, byte[] part) {
    return append(target, offset, part, 0, part.length);
  }

  private static int append(byte[] target, int offset, byte[] source, int from, int length) {
    System.arraycopy(source, from, target, offset, length);
    return offset + length;
  }
}
