package dev.cairn.coprocessor.convert;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.filter.CellView;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;

/** Converts cells between HBase's classes and the engine's. */
public final class Cells {
  private Cells() {}

  /**
   * Returns cells that share the bytes of a buffer: a timestamp that is set in a cell is set in the
   * buffer. The cells are valid until the buffer grows.
   */
  public static List<Cell> views(CellBuffer cells) {
    List<Cell> views = new ArrayList<>(cells.size());
    for (int i = 0; i < cells.size(); i++) {
      views.add(new KeyValue(cells.bytes(i), cells.offset(i), cells.length(i)));
    }
    return views;
  }

  /**
   * Appends a copy of a cell.
   *
   * @throws DoNotRetryIOException if a component is longer than the engine's layout allows
   */
  public static void add(Cell cell, CellBuffer out) throws DoNotRetryIOException {
    try {
      if (cell.getClass() == KeyValue.class) {
        KeyValue same = (KeyValue) cell;
        out.add(same.getBuffer(), same.getOffset(), same.getLength());
      } else {
        out.add(CellView.toEngine(cell));
      }
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("A coprocessor made a cell that is too long: " + cell, e);
    }
  }

  /** Returns copies of the cells of a result, which may be null. */
  public static CellBuffer of(Result result) throws DoNotRetryIOException {
    CellBuffer cells = new CellBuffer(0, 0);
    if (result != null && result.rawCells() != null) {
      for (Cell cell : result.rawCells()) {
        add(cell, cells);
      }
    }
    return cells;
  }
}
