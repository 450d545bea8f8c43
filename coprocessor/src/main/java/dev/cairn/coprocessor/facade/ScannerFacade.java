package dev.cairn.coprocessor.facade;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScannerImpl;
import org.apache.hadoop.hbase.regionserver.UnservedScanner;

/**
 * A scanner of a region for a coprocessor, over a read of the engine. Returns whole rows, or
 * batches if the scan asks for them. One thread at a time, as with HBase's scanner.
 */
final class ScannerFacade extends UnservedScanner {
  private Parts parts;

  private record Parts(RegionInfo info, Scan scan, RegionRead read, ReadBudget budget) {}

  /** Never runs. */
  private ScannerFacade() throws IOException {}

  /** Returns a scanner that closes {@code read} when it is closed. */
  static RegionScannerImpl of(RegionInfo info, Scan scan, RegionRead read) {
    ScannerFacade facade = Allocation.of(ScannerFacade.class);
    ReadBudget budget =
        scan.getBatch() > 0
            ? new ReadBudget(scan.getBatch(), -1, Long.MAX_VALUE, false)
            : ReadBudget.WHOLE_ROWS;
    facade.parts = new Parts(info, scan, read, budget);
    return facade;
  }

  @Override
  public boolean next(List<Cell> out) throws IOException {
    return nextRaw(out);
  }

  /** Each call uses a new buffer, because callers keep cells. */
  @Override
  public boolean nextRaw(List<Cell> out) throws IOException {
    CellBuffer cells = new CellBuffer();
    ScanProgress progress = parts.read().next(cells, parts.budget());
    for (int i = 0; i < cells.size(); i++) {
      out.add(new KeyValue(cells.bytes(i), cells.offset(i), cells.length(i)));
    }
    return switch (progress) {
      case END -> false;
      case ROW_DONE -> parts.read().peek(parts.budget()) != ScanProgress.END;
      default -> true;
    };
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return parts.read().peek(parts.budget()) == ScanProgress.END;
  }

  @Override
  public RegionInfo getRegionInfo() {
    return parts.info();
  }

  @Override
  public long getMaxResultSize() {
    return parts.scan().getMaxResultSize() > 0 ? parts.scan().getMaxResultSize() : Long.MAX_VALUE;
  }

  @Override
  public long getMvccReadPoint() {
    return parts.read().readPoint();
  }

  @Override
  public int getBatch() {
    return parts.scan().getBatch();
  }

  @Override
  public String getOperationId() {
    return parts.scan().getId();
  }

  @Override
  public void shipped() {}

  @Override
  public void close() {
    parts.read().close();
  }
}
