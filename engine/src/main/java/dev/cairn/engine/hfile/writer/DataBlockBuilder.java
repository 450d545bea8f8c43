package dev.cairn.engine.hfile.writer;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.VarLong;
import java.util.Arrays;

/** Collects the cells of one data block after another. One thread at a time. */
final class DataBlockBuilder {
  private final HFileOptions options;
  private CompressedBlock block;
  private ByteSink cells;

  /** The cell that was added last, in this block or at the end of the one before. */
  private final Cell last = new Cell();

  private final Cell first = new Cell();
  private byte[] previousKey = Bytes.EMPTY;
  private int count;

  /**
   * Creates a builder.
   *
   * @param first takes the cells of the first block
   */
  DataBlockBuilder(HFileOptions options, CompressedBlock first) {
    this.options = options;
    this.block = first;
    this.cells = first.cells();
  }

  /** Returns the size of the block's cells, bytes. */
  int size() {
    return cells.size();
  }

  int count() {
    return count;
  }

  /** Returns a view of the cell that was added last; valid until the next one is added. */
  Cell last() {
    return last;
  }

  /** Returns a copy of the key of the cell that was added last. */
  byte[] lastKey() {
    return key(last);
  }

  void add(Cell cell) {
    int tagsLength = cell.tagsLength();
    int at = cells.size();
    int most = cell.serializedLength(true) + Short.BYTES + VarLong.MAX_LENGTH;
    cells.reserve(most);
    byte[] bytes = cells.bytes();
    int end = cell.writeTo(bytes, at, true);
    if (tagsLength == 0 && options.includesTags()) {
      Bytes.putShort(bytes, end, 0);
      end += Short.BYTES;
    }
    end = VarLong.write(bytes, end, cell.sequence());
    cells.setSize(end);
    last.set(bytes, at, cell.keyLength(), cell.valueLength(), tagsLength, cell.sequence());
    count++;
  }

  /**
   * Returns a key for the index: after every cell of the previous block and at or before the first
   * cell of this one, and short if their rows allow it.
   */
  byte[] indexKey() {
    first.setKey(cells.bytes(), Cell.LENGTHS_SIZE, Bytes.getInt(cells.bytes(), 0));
    if (previousKey.length > 0 && options.comparator() == CellComparator.USER) {
      int rowLength = Bytes.getUnsignedShort(previousKey, 0);
      int common =
          Arrays.mismatch(
              previousKey,
              2,
              2 + rowLength,
              first.bytes(),
              first.rowOffset(),
              first.rowOffset() + first.rowLength());
      if (common >= 0) {
        return shortKey(common + 1);
      }
    }
    return key(first);
  }

  /** Returns the block. */
  CompressedBlock block() {
    return block;
  }

  /**
   * Ends the block and begins the next one.
   *
   * @param next takes the cells of the next block; it may be the same again, once it is emptied
   */
  void begin(CompressedBlock next) {
    previousKey = lastKey();
    last.set(ownCell(previousKey), 0, Cell.LENGTHS_SIZE + previousKey.length, last.sequence());
    block = next;
    cells = next.cells();
    cells.setSize(0);
    count = 0;
  }

  /** Returns the key before all cells of the row that is the first bytes of the first cell's. */
  private byte[] shortKey(int rowLength) {
    byte[] key = new byte[Cell.KEY_OVERHEAD + rowLength];
    Bytes.putShort(key, 0, rowLength);
    System.arraycopy(first.bytes(), first.rowOffset(), key, 2, rowLength);
    Bytes.putLong(key, key.length - 9, Cell.LATEST_TIMESTAMP);
    key[key.length - 1] = (byte) 0xFF;
    return key;
  }

  private static byte[] key(Cell cell) {
    return Arrays.copyOfRange(cell.bytes(), cell.keyOffset(), cell.keyOffset() + cell.keyLength());
  }

  private static byte[] ownCell(byte[] key) {
    byte[] bytes = new byte[Cell.LENGTHS_SIZE + key.length];
    Bytes.putInt(bytes, 0, key.length);
    System.arraycopy(key, 0, bytes, Cell.LENGTHS_SIZE, key.length);
    return bytes;
  }
}
