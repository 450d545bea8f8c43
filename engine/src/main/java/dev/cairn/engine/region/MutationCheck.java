package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;

/**
 * Looks at a mutation before anything is done, so that what can't succeed is refused as a whole.
 */
final class MutationCheck {
  /**
   * No cell is larger, whatever the settings say: it has to fit into a block of a store file, whose
   * readers take at most twice as much.
   */
  private static final long CELL_BYTES_MAX = 256L << 20;

  private final RegionInfo info;
  private final RegionStores stores;
  private final boolean readOnly;
  private final long maxCellBytes;

  MutationCheck(RegionInfo info, RegionStores stores, boolean readOnly, long maxCellBytes) {
    this.info = info;
    this.stores = stores;
    this.readOnly = readOnly;
    this.maxCellBytes = maxCellBytes;
  }

  /**
   * Returns if the mutation may be applied.
   *
   * @throws WrongRowException if the row belongs to another region
   * @throws NoSuchFamilyException if a cell's family is unknown
   * @throws InvalidMutationException for all else
   */
  void check(Mutation mutation) throws IOException {
    if (readOnly) {
      throw new InvalidMutationException("Table " + info.table() + " is read only (READONLY)");
    }
    byte[] row = mutation.row();
    row(row);
    CellBuffer cells = mutation.cells();
    if (cells.isEmpty() && mutation.kind() != Mutation.Kind.DELETE) {
      throw new InvalidMutationException("No columns to write in row " + Bytes.toStringBinary(row));
    }
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      check(mutation, cells.get(i, cell, 0));
    }
  }

  /**
   * Returns if the row may be locked.
   *
   * @throws WrongRowException if it belongs to another region
   * @throws InvalidMutationException if no row is like it
   */
  void row(byte[] row) throws IOException {
    if (row.length == 0 || row.length > Cell.MAX_ROW_LENGTH) {
      throw new InvalidMutationException(
          "Row length " + row.length + " is not from 1 to " + Cell.MAX_ROW_LENGTH);
    }
    if (!info.contains(row)) {
      throw new WrongRowException(
          "Row "
              + Bytes.toStringBinary(row)
              + " is not in the region "
              + info.regionNameAsString());
    }
  }

  private void check(Mutation mutation, Cell cell) throws IOException {
    byte[] row = mutation.row();
    if (!cell.rowEquals(row, 0, row.length)) {
      throw new InvalidMutationException(
          "A cell of row "
              + Bytes.toStringBinary(cell.row())
              + " stands in a mutation of row "
              + Bytes.toStringBinary(row));
    }
    if (stores.find(cell) == null) {
      throw new NoSuchFamilyException(
          "Column family "
              + Bytes.toStringBinary(cell.family())
              + " does not exist in region "
              + info.regionNameAsString());
    }
    if (!mutation.kind().takes(cell)) {
      throw new InvalidMutationException(
          "A cell with type code " + cell.typeCode() + " can't be part of a " + mutation.kind());
    }
    if (cell.timestamp() < 0) {
      throw new InvalidMutationException("Timestamp cannot be negative: " + cell.timestamp());
    }
    if (mutation.kind() == Mutation.Kind.INCREMENT && cell.valueLength() != Long.BYTES) {
      throw new InvalidMutationException(
          "An amount to add has eight bytes, not " + cell.valueLength());
    }
    size(cell.serializedLength(true));
    tags(cell);
  }

  /** Throws if a cell of {@code bytes} bytes is larger than allowed. */
  void size(long bytes) throws InvalidMutationException {
    long limit = maxCellBytes > 0 ? Math.min(maxCellBytes, CELL_BYTES_MAX) : CELL_BYTES_MAX;
    if (bytes > limit) {
      throw new InvalidMutationException(
          "Cell with size "
              + bytes
              + " exceeds limit of "
              + limit
              + " bytes (hbase.server.keyvalue.maxsize)");
    }
  }

  /** Throws if a cell's tags are not whole: a compressed log could not hold them. */
  void tags(Cell cell) throws InvalidMutationException {
    int from = cell.tagsOffset();
    int end = from + cell.tagsLength();
    if (end > from && !CellTags.areWhole(cell.bytes(), from, end)) {
      throw new InvalidMutationException(
          "The tags of a cell in row "
              + Bytes.toStringBinary(cell.row())
              + " are not whole: "
              + Bytes.toStringBinary(cell.tags()));
    }
  }
}
