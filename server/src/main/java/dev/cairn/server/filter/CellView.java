package dev.cairn.server.filter;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.util.Arrays;
import org.apache.hadoop.hbase.ExtendedCell;

/**
 * An engine's cell as HBase's filters see it: over the same bytes, nothing copied. It follows the
 * cell wherever that is pointed; a view to keep is a {@link #copyOf copy}. Read-only: one thread at
 * a time.
 */
// HBase's cell still needs the methods that it discourages others from calling.
@SuppressWarnings("deprecation")
public final class CellView implements ExtendedCell {
  private static final long HEAP_SIZE = 24;

  private Cell cell;

  private CellView(Cell cell) {
    this.cell = cell;
  }

  /** Returns a view that follows {@code cell}. */
  public static CellView over(Cell cell) {
    return new CellView(cell);
  }

  /** Returns a view over a copy of {@code cell}, which stays as it is. */
  public static CellView copyOf(Cell cell) {
    return new CellView(cell.copy());
  }

  /** Returns the engine's form of a cell that a filter made: its own bytes, copied if need be. */
  public static Cell toEngine(org.apache.hadoop.hbase.Cell made) {
    if (made instanceof CellView view) {
      return view.cell;
    }
    byte[] tags =
        made.getTagsLength() == 0
            ? Bytes.EMPTY
            : part(made.getTagsArray(), made.getTagsOffset(), made.getTagsLength());
    return Cell.of(
        part(made.getRowArray(), made.getRowOffset(), made.getRowLength()),
        part(made.getFamilyArray(), made.getFamilyOffset(), made.getFamilyLength()),
        part(made.getQualifierArray(), made.getQualifierOffset(), made.getQualifierLength()),
        made.getTimestamp(),
        made.getTypeByte() & 0xFF,
        part(made.getValueArray(), made.getValueOffset(), made.getValueLength()),
        tags,
        made.getSequenceId());
  }

  /** Returns a key to seek, before all cells with this key, of a hint that a filter gave. */
  static Cell toKey(org.apache.hadoop.hbase.Cell hint) {
    return Cell.of(
        part(hint.getRowArray(), hint.getRowOffset(), hint.getRowLength()),
        part(hint.getFamilyArray(), hint.getFamilyOffset(), hint.getFamilyLength()),
        part(hint.getQualifierArray(), hint.getQualifierOffset(), hint.getQualifierLength()),
        hint.getTimestamp(),
        hint.getTypeByte() & 0xFF,
        Bytes.EMPTY,
        Bytes.EMPTY,
        Long.MAX_VALUE);
  }

  /** Follows another cell. */
  CellView follow(Cell other) {
    this.cell = other;
    return this;
  }

  /** Returns the row as printable text. */
  String rowText() {
    return Bytes.toStringBinary(cell.bytes(), cell.rowOffset(), cell.rowLength());
  }

  @Override
  public byte[] getRowArray() {
    return cell.bytes();
  }

  @Override
  public int getRowOffset() {
    return cell.rowOffset();
  }

  @Override
  public short getRowLength() {
    return (short) cell.rowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    return cell.bytes();
  }

  @Override
  public int getFamilyOffset() {
    return cell.familyOffset();
  }

  @Override
  public byte getFamilyLength() {
    return (byte) cell.familyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    return cell.bytes();
  }

  @Override
  public int getQualifierOffset() {
    return cell.qualifierOffset();
  }

  @Override
  public int getQualifierLength() {
    return cell.qualifierLength();
  }

  @Override
  public long getTimestamp() {
    return cell.timestamp();
  }

  @Override
  public byte getTypeByte() {
    return (byte) cell.typeCode();
  }

  @Override
  public long getSequenceId() {
    return cell.sequence();
  }

  @Override
  public byte[] getValueArray() {
    return cell.bytes();
  }

  @Override
  public int getValueOffset() {
    return cell.valueOffset();
  }

  @Override
  public int getValueLength() {
    return cell.valueLength();
  }

  @Override
  public byte[] getTagsArray() {
    return cell.tagsLength() == 0 ? Bytes.EMPTY : cell.bytes();
  }

  @Override
  public int getTagsOffset() {
    return cell.tagsLength() == 0 ? 0 : cell.tagsOffset();
  }

  @Override
  public int getTagsLength() {
    return cell.tagsLength();
  }

  @Override
  public int getSerializedSize() {
    return cell.serializedLength(true);
  }

  @Override
  public void setSequenceId(long sequence) {
    throw new UnsupportedOperationException("A filter must not change a stored cell");
  }

  @Override
  public void setTimestamp(long timestamp) {
    throw new UnsupportedOperationException("A filter must not change a stored cell");
  }

  @Override
  public void setTimestamp(byte[] timestamp) {
    throw new UnsupportedOperationException("A filter must not change a stored cell");
  }

  @Override
  public long heapSize() {
    return HEAP_SIZE;
  }

  /** Returns the key for people, as HBase prints it. */
  @Override
  public String toString() {
    return cell.toString();
  }

  private static byte[] part(byte[] array, int offset, int length) {
    return Arrays.copyOfRange(array, offset, offset + length);
  }
}
