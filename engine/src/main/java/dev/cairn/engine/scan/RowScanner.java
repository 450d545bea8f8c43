package dev.cairn.engine.scan;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;

/** Assembles rows from a region's families. */
public final class RowScanner implements RegionScanner {
  /**
   * Opens a scan; nothing is read before the first {@link #next}.
   *
   * @param request what is wanted, its rows already clipped to the region's
   * @param stores the region's families in the order of their names; those not asked for are closed
   *     at once and not read
   * @param readPoint the highest sequence that is seen
   * @throws IllegalArgumentException if a raw scan asks for single columns, as in HBase
   */
  public RowScanner(
      ScanRequest request,
      List<StoreSource> stores,
      CellComparator comparator,
      long readPoint,
      Clock clock) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isExhausted() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long readPoint() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScanStatistics statistics() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
