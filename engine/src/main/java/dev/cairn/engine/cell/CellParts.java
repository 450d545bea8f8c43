package dev.cairn.engine.cell;

/**
 * The positions of a cell's parts in an array, before the cell is assembled: {@link
 * CellBuffer#add(CellParts)} copies each part once. An instance is reused for many cells; shared
 * parts are set once. One thread.
 */
public final class CellParts {
  final byte[] source;
  int rowOffset;
  int rowLength;
  int familyOffset;
  int familyLength;
  int qualifierOffset;
  int qualifierLength;
  int valueOffset;
  int valueLength;
  int tagsOffset;
  int tagsLength;
  long timestamp;
  int typeCode;

  /** Creates a cell of empty parts that will lie in {@code source}. */
  public CellParts(byte[] source) {
    this.source = source;
  }

  /** Sets where the row is. */
  public void row(int offset, int length) {
    rowOffset = offset;
    rowLength = length;
  }

  /** Sets where the family is. */
  public void family(int offset, int length) {
    familyOffset = offset;
    familyLength = length;
  }

  /** Sets where the qualifier is. */
  public void qualifier(int offset, int length) {
    qualifierOffset = offset;
    qualifierLength = length;
  }

  /** Sets where the value is. */
  public void value(int offset, int length) {
    valueOffset = offset;
    valueLength = length;
  }

  /** Sets where the tags are; a length of 0 means no tags. */
  public void tags(int offset, int length) {
    tagsOffset = offset;
    tagsLength = length;
  }

  /** Sets timestamp and type. */
  public void version(long cellTimestamp, CellType type) {
    timestamp = cellTimestamp;
    typeCode = type.code();
  }

  /**
   * Returns the number of bytes of the cell.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows
   */
  int length() {
    return CellFormat.length(rowLength, familyLength, qualifierLength, valueLength, tagsLength);
  }
}
