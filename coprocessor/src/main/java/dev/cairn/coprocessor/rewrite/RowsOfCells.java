package dev.cairn.coprocessor.rewrite;

import dev.cairn.coprocessor.measure.HookCall;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.retention.RetainedCells;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.BatchLimits;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/**
 * The cells of a flush or compaction as HBase's hooks read them: row by row, and a row in batches
 * if the limits say so. The cells are copies with their sequence numbers, so hooks may keep and
 * change them. For one thread.
 */
final class RowsOfCells implements InternalScanner {
  private final RetainedCells cells;
  private KeyValue ahead; // null before the first call, and at the end
  private boolean begun;

  RowsOfCells(RetainedCells cells) {
    this.cells = cells;
  }

  /** Tells whether cells have been read. */
  boolean hasBegun() {
    return begun;
  }

  /** Returns true with each batch, also the last one; then false with none, as HBase's scanner. */
  @Override
  public boolean next(List<org.apache.hadoop.hbase.Cell> out, ScannerContext limits)
      throws IOException {
    try (HookCall.Pause pause = HookCall.pause()) {
      return read(out, limits);
    }
  }

  private boolean read(List<org.apache.hadoop.hbase.Cell> out, ScannerContext limits)
      throws IOException {
    BatchLimits.begin(limits);
    if (!begun) {
      begun = true;
      ahead = read();
    }
    KeyValue first = ahead;
    boolean on = first != null;
    while (on) {
      out.add(ahead);
      boolean room = BatchLimits.add(limits, ahead.getSerializedSize(), ahead.heapSize());
      ahead = read();
      on = room && ahead != null && CellUtil.matchingRows(first, ahead);
    }
    return BatchLimits.end(limits, first != null);
  }

  private KeyValue read() throws IOException {
    if (!cells.next()) {
      return null;
    }
    Cell cell = cells.cell();
    byte[] own = new byte[cell.serializedLength(true)];
    cell.writeTo(own, 0, true);
    KeyValue copy = new KeyValue(own, 0, own.length);
    copy.setSequenceId(cell.sequence());
    return copy;
  }

  @Override
  public void close() {
    cells.close();
  }
}
