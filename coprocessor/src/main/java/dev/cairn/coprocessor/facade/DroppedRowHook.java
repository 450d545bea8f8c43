package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.DroppedRows;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.filter.CellView;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;

/** Calls {@code postScannerFilterRow} for the rows that one read drops. One thread at a time. */
final class DroppedRowHook implements DroppedRows {
  private final RegionCoprocessorHost host;
  private ScannerFacade scanner;

  /**
   * Creates the hook of a read.
   *
   * @param scanner stands for the read until {@link #show}
   */
  DroppedRowHook(RegionCoprocessorHost host, ScannerFacade scanner) {
    this.host = host;
    this.scanner = scanner;
  }

  /** Sets the scanner that is passed to the hook. */
  void show(ScannerFacade shown) {
    scanner = shown;
  }

  @Override
  public boolean goesOnAfter(Cell first) throws IOException {
    try (CallerOfThread caller = CallerOfThread.enter()) {
      return host.postScannerFilterRow(scanner, CellView.over(first));
    }
  }

  /** The read of a get, which hooks cannot use: its caller does not see a scanner. */
  enum Hidden implements RegionRead {
    /** Has no state. */
    INSTANCE;

    @Override
    public ScanProgress next(CellBuffer out, ReadBudget budget) {
      throw new UnsupportedOperationException("A hook cannot read on for the read that calls it");
    }

    @Override
    public ScanProgress peek(ReadBudget budget) {
      throw new UnsupportedOperationException("A hook cannot read on for the read that calls it");
    }

    @Override
    public long readPoint() {
      return 0;
    }

    @Override
    public ScanStatistics statistics() {
      return ScanStatistics.NONE;
    }

    @Override
    public void close() {}
  }
}
