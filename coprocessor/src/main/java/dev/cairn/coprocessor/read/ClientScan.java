package dev.cairn.coprocessor.read;

import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.facade.OperationHooks;
import dev.cairn.coprocessor.facade.ScannerFacade;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.filter.FilterAdapter;
import dev.cairn.server.regionserver.hosted.HookedScan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's scan between hooks. If no hook has replaced the region's scanner, its rows are the
 * engine's, and no cell is converted.
 */
final class ClientScan implements HookedScan {
  static final Logger LOG = LoggerFactory.getLogger(ClientScan.class);

  private final Opened opened;
  private final RegionScanner scanner;
  private final RegionRead rows;
  private final ReadHooks hooks;
  private final LateHooks late;
  private OperationHooks.Running reading; // null between calls
  private boolean asked; // whether a hook has been told that the scan is about to close

  /**
   * The region's own scan.
   *
   * @param scan as hooks have changed it
   * @param own the engine's read
   * @param filter the filter in it
   * @param facade the same as hooks see it
   */
  record Opened(
      RegionInfo info,
      Scan scan,
      RegionRead own,
      Optional<FilterAdapter> filter,
      ScannerFacade facade) {}

  /**
   * Creates a scan, which owns the read and the scanner from now on.
   *
   * @param scanner the scanner that hooks have returned
   */
  ClientScan(Opened opened, RegionScanner scanner, ReadHooks hooks, LateHooks late) {
    this.opened = opened;
    this.scanner = scanner;
    this.hooks = hooks;
    this.late = late;
    this.rows =
        scanner == opened.facade()
            ? opened.own()
            : new ForeignRead(
                scanner, opened.own(), opened.facade(), hooks.table(), hooks.host().meter());
  }

  @Override
  public boolean isForeign() {
    return rows != opened.own();
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException {
    return rows.next(out, budget);
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes sizes, ReadBudget budget)
      throws IOException {
    return rows.nextRows(out, sizes, budget);
  }

  @Override
  public ScanProgress peek(ReadBudget budget) throws IOException {
    return rows.peek(budget);
  }

  @Override
  public long readPoint() {
    return rows.readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    return rows.statistics();
  }

  @Override
  public void suspend() {
    rows.suspend();
  }

  @Override
  public void stop() {
    rows.stop();
  }

  @Override
  public int batch() {
    return scanner.getBatch() > 0 ? scanner.getBatch() : -1;
  }

  /** The scanner's own "no limit" leaves the server's. */
  @Override
  public long maxResultSize() {
    return scanner.getMaxResultSize();
  }

  @Override
  public boolean wantsCursor() {
    return opened.scan().isNeedCursorResult();
  }

  @Override
  public Optional<FilterAdapter> filter() {
    return isForeign() ? Optional.empty() : opened.filter();
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return scanner.isFilterDone();
  }

  @Override
  public boolean hooksCalls() {
    return hooks.calls();
  }

  @Override
  public boolean beforeRows(List<Result> results, int count) throws IOException {
    try (CallerOfThread caller = CallerOfThread.enter(hooks.table())) {
      boolean bypassed = Boolean.TRUE.equals(hooks.host().preScannerNext(scanner, results, count));
      if (!bypassed) {
        endReading(); // of a call that has failed
        reading = hooks.operations().begin(Operation.SCAN, Operation.ANY);
      }
      return bypassed;
    }
  }

  /** What the hooks return is ignored, as in HBase. */
  @Override
  public void afterRows(List<Result> results, int count) throws IOException {
    try (CallerOfThread caller = CallerOfThread.enter(hooks.table())) {
      endReading();
      hooks.host().postScannerNext(scanner, results, count, true);
    }
  }

  private void endReading() throws IOException {
    OperationHooks.Running ended = reading;
    reading = null;
    if (ended != null) {
      ended.close();
    }
  }

  @Override
  public boolean mayClose() throws IOException {
    if (!hooks.closes()) {
      return true;
    }
    asked = true;
    try (CallerOfThread caller = CallerOfThread.enter(hooks.table())) {
      boolean may = !hooks.host().preScannerClose(scanner);
      asked = may;
      return may;
    }
  }

  /** Hooks cannot keep a scan open here: its client or its region is gone, or it failed. */
  @Override
  public void close() {
    try (CallerOfThread caller = CallerOfThread.enter()) {
      closeBetweenHooks();
    }
  }

  private void closeBetweenHooks() {
    attempt("postCloseRegionOperation", this::endReading);
    if (hooks.closes() && !asked) {
      asked = true;
      attempt("preScannerClose", () -> hooks.host().preScannerClose(scanner));
    }
    if (isForeign()) {
      rows.close();
    } else {
      opened.facade().close();
    }
    if (hooks.closes()) {
      attempt("postScannerClose", () -> hooks.host().postScannerClose(scanner));
    }
  }

  @Override
  public void closeElsewhere() {
    if (hooks.closes() || hooks.operations().any() || isForeign()) {
      late.run(this::close);
    } else {
      close();
    }
  }

  /** A call of a hook. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private void attempt(String hook, Call call) {
    try {
      call.run();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      LOG.warn("A coprocessor of {} failed in {}", opened.info().getEncodedName(), hook, e);
    }
  }
}
