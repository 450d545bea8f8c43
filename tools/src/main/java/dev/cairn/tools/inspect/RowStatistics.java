package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.io.PrintWriter;
import java.util.List;

/** Sums up keys, values and rows of a file. Cells come in their order. One thread. */
final class RowStatistics {
  private final Distribution keys = new Distribution("Key length");
  private final Distribution values = new Distribution("Val length");
  private final Distribution rowBytes = new Distribution("Row size (bytes)");
  private final Distribution rowColumns = new Distribution("Row size (columns)");
  private byte[] row = Bytes.EMPTY;
  private byte[] biggestRow = Bytes.EMPTY;
  private long biggestBytes = -1;
  private long bytesInRow;
  private long cellsInRow;
  private int lastKeyLength;

  void add(Cell cell) {
    if (cellsInRow > 0 && !cell.rowEquals(row, 0, row.length)) {
      endRow();
    }
    if (cellsInRow == 0) {
      row = cell.row();
    }
    values.add(cell.valueLength());
    bytesInRow += cell.serializedLength(true);
    cellsInRow++;
    lastKeyLength = cell.keyLength();
  }

  /** As HBase's tool does, a row counts with the length of its last key. */
  private void endRow() {
    keys.add(lastKeyLength);
    rowBytes.add(bytesInRow);
    rowColumns.add(cellsInRow);
    if (bytesInRow > biggestBytes) {
      biggestBytes = bytesInRow;
      biggestRow = row;
    }
    bytesInRow = 0;
    cellsInRow = 0;
  }

  /** Prints everything, after the last cell. */
  void print(PrintWriter out, boolean ranges) {
    if (cellsInRow > 0) {
      endRow();
    }
    out.println("Stats:");
    if (values.isEmpty()) {
      out.println("no data available for statistics");
      return;
    }
    List.of(keys, values, rowBytes, rowColumns).forEach(figures -> figures.print(out, ranges));
    out.println();
    out.println();
    out.println("Key of biggest row: " + Bytes.toStringBinary(biggestRow));
  }
}
