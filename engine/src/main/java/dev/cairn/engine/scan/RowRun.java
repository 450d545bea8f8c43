package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.PlainCells;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.cursor.SeekKey;
import java.io.IOException;

/**
 * The rows that one call of {@link RowScanner#nextRows} hands out one behind another: how many they
 * may be, and how much they take by now. Takes those at once that need not be looked at. Serves one
 * call after another; one thread at a time.
 */
final class RowRun {
  private final SeekKey stopKey = new SeekKey();
  private int rowsMax;
  private long bytesMax;

  /** Before which row those end that are taken at once. */
  private Cell end = PlainCells.NO_END;

  // What was there before the call.
  private int firstCell;
  private int firstByte;
  private int firstRow;

  /**
   * A call begins.
   *
   * @param out where rows are appended, now and in what follows; and {@code rows}, their sizes
   * @param most how many rows are to be handed out
   * @param stop the row before which rows end that are taken at once; none if it is empty
   */
  void begin(CellBuffer out, RowSizes rows, int most, ReadBudget limits, byte[] stop) {
    rowsMax = most;
    bytesMax = limits.maxBytes() < 0 ? Long.MAX_VALUE : limits.maxBytes();
    end = stop.length > 0 ? stopKey.firstOnRow(stop, stop.length) : PlainCells.NO_END;
    firstCell = out.size();
    firstByte = out.byteSize();
    firstRow = rows.size();
  }

  /** Gives memory back that only long keys need. */
  void trim() {
    stopKey.trim();
  }

  /**
   * Takes rows from their only family that come next and need not be looked at, as {@link
   * CellCursor#takeRows} does.
   *
   * @return how many cells of a row were taken that was only begun
   */
  int take(StoreScanner family, CellBuffer out, RowSizes rows) throws IOException {
    int cells = rows.cells();
    int rowsLeft = rowsMax - (rows.size() - firstRow);
    int taken = family.takeRows(end, rowsLeft, bytesMax - used(out, out.size()), out, rows);
    return taken - (rows.cells() - cells);
  }

  /** Returns what the call's cells before {@code cell} count against its limit of bytes. */
  long used(CellBuffer out, int cell) {
    return ReadBudget.size(cell - firstCell, out.byteSize(cell) - firstByte);
  }

  /** Tells whether no further row may be handed out. */
  boolean isFull(CellBuffer out, RowSizes rows) {
    return rows.size() - firstRow >= rowsMax || used(out, out.size()) >= bytesMax;
  }
}
