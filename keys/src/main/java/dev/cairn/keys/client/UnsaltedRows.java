package dev.cairn.keys.client;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilder;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Result;

/** Rows whose cells have keys without salts. They share their bytes with the original cells. */
final class UnsaltedRows {
  private UnsaltedRows() {}

  static Result of(Result row, int saltWidth) {
    Cell[] cells = row.rawCells();
    Cell[] unsalted = new Cell[cells.length];
    CellBuilder builder = CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY);
    for (int i = 0; i < cells.length; i++) {
      Cell cell = cells[i];
      unsalted[i] =
          builder
              .clear()
              .setRow(
                  cell.getRowArray(),
                  cell.getRowOffset() + saltWidth,
                  cell.getRowLength() - saltWidth)
              .setFamily(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength())
              .setQualifier(
                  cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())
              .setTimestamp(cell.getTimestamp())
              .setType(cell.getType())
              .setValue(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
              .build();
    }
    return Result.create(unsalted);
  }
}
