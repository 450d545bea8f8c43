package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import java.io.IOException;

/** A scanner that ends with its region: after it has closed, another server may have newer rows. */
class GuardedScanner implements RegionScanner {
  final RegionScanner scanner;
  final RegionGate gate;

  GuardedScanner(RegionScanner scanner, RegionGate gate) {
    this.scanner = scanner;
    this.gate = gate;
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      return scanner.next(out, limits);
    }
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ScanLimits limits)
      throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      return scanner.nextRows(out, rows, rowsMax, limits);
    }
  }

  @Override
  public boolean hasMoreRows() throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      return scanner.hasMoreRows();
    }
  }

  @Override
  public long readPoint() {
    return scanner.readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    return scanner.statistics();
  }

  @Override
  public void close() {
    scanner.close();
  }
}
