package dev.cairn.coprocessor.read;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.environment.ListLoan;
import dev.cairn.coprocessor.facade.ScannerFacade;
import dev.cairn.coprocessor.measure.ClassMeter;
import dev.cairn.coprocessor.measure.HookCall;
import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hooked.HookedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerLimits;

/**
 * The rows of a scanner that a hook has put in the place of the region's. It may ignore limits, and
 * return cells of any row. Its end does not close the region's own scanner, which the hook may go
 * on using on another thread. One thread at a time.
 */
final class ForeignRead implements RegionRead {
  private final RegionScanner scanner;
  private final RegionRead own;
  private final ScannerFacade region;
  private final HookedTable table;
  private final RegionMeter regionMeter;
  private final ClassMeter meter;
  private final ListLoan loan = new ListLoan();
  private final List<Cell> cells = new ArrayList<>();
  private boolean hasMore = true;

  /** Whether the last call stopped within a row. */
  private boolean isInRow;

  /**
   * Creates a read, which owns the scanner from now on.
   *
   * @param own the region's read, which the scanner may use
   * @param region the same as the hook sees it
   * @param table the table whose handlers it uses
   * @param regionMeter takes the time of the scanner
   */
  ForeignRead(
      RegionScanner scanner,
      RegionRead own,
      ScannerFacade region,
      HookedTable table,
      RegionMeter regionMeter) {
    this.scanner = scanner;
    this.own = own;
    this.region = region;
    this.table = table;
    this.regionMeter = regionMeter;
    this.meter = regionMeter.ofClass(scanner.getClass().getName());
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException {
    if (!budget.mayWait()) {
      return ScanProgress.WOULD_WAIT;
    }
    try (CallerOfThread caller = CallerOfThread.enter(table)) {
      return read(out, budget);
    }
  }

  private ScanProgress read(CellBuffer out, ReadBudget budget) throws IOException {
    while (hasMore) {
      ScannerContext limits = ScannerLimits.of(budget, 0, region.clock());
      cells.clear();
      hasMore = nextRaw(limits);
      long bytes = 0;
      for (Cell cell : cells) {
        bytes += cell.getSerializedSize();
      }
      loan.cover(cells.size(), bytes);
      for (Cell cell : cells) {
        Cells.add(cell, out);
      }
      ScanProgress progress = ScannerLimits.progress(limits, !cells.isEmpty(), budget);
      boolean stopsInRow = hasMore && ScannerLimits.isInRow(limits);
      if (!cells.isEmpty()) {
        isInRow = stopsInRow && progress != ScanProgress.ROW_DONE;
        return hasMore ? progress : ScanProgress.ROW_DONE;
      }
      if (isInRow && !stopsInRow) { // nothing is left of a row whose first cells were returned
        isInRow = false;
        return ScanProgress.ROW_DONE;
      }
      isInRow |= stopsInRow;
      if (hasMore && (progress == ScanProgress.TIME_IN_ROW || isLate(budget))) {
        return progress;
      }
    }
    return ScanProgress.END;
  }

  private boolean nextRaw(ScannerContext limits) throws IOException {
    try (HookCall call = regionMeter.begin(HookTimes.CLIENT_SCANNER, meter)) {
      return call.measured(() -> scanner.nextRaw(cells, limits));
    }
  }

  private boolean isLate(ReadBudget budget) {
    return budget.deadlineNanos() != Long.MAX_VALUE
        && region.clock().nanoTime() - budget.deadlineNanos() >= 0;
  }

  @Override
  public ScanProgress peek(ReadBudget budget) {
    return hasMore ? ScanProgress.ROW_DONE : ScanProgress.END;
  }

  @Override
  public long readPoint() {
    return scanner.getMvccReadPoint();
  }

  @Override
  public ScanStatistics statistics() {
    return own.statistics();
  }

  @Override
  public void suspend() {
    own.suspend();
  }

  @Override
  public void stop() {
    own.stop();
  }

  @Override
  public void close() {
    try {
      scanner.close();
      region.leave();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      ClientScan.LOG.warn("A scanner of a coprocessor could not be closed", e);
      region.close();
    }
  }
}
