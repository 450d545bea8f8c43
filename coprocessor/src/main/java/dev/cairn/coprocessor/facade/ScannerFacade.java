package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.measure.HookCall;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.filter.FilterAdapter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.AllocatedScanner;
import org.apache.hadoop.hbase.regionserver.RegionScannerImpl;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerLimits;

/**
 * A scanner of a region for a coprocessor, over a read of the engine. Returns whole rows, or
 * batches if the scan asks for them. Methods that are not overridden here throw {@link
 * UnsupportedOperationException}. Thread-safe: the region may close it while a hook uses it.
 */
public class ScannerFacade extends AllocatedScanner {
  private static final Allocation<ScannerFacade> ALLOCATION =
      Allocation.of(ScannerFacade.class, RegionScannerImpl.class);

  /** All of the object's state: fields cannot be final, as no constructor runs. */
  private Parts parts;

  private volatile boolean closed;

  private record Parts(
      RegionInfo info,
      Clock clock,
      Scan scan,
      RegionRead read,
      Optional<FilterAdapter> filter,
      ReadBudget budget,
      KeptScanners kept) {}

  /** Never runs. */
  private ScannerFacade() throws IOException {}

  /**
   * Returns a scanner that closes {@code read} when it is closed.
   *
   * @param filter the filter in the read
   * @param kept takes note of it if it is kept after the end of the client's scan
   */
  static ScannerFacade of(
      RegionInfo info,
      Clock clock,
      Scan scan,
      RegionRead read,
      Optional<FilterAdapter> filter,
      KeptScanners kept) {
    ScannerFacade facade = ALLOCATION.object();
    ReadBudget budget =
        scan.getBatch() > 0
            ? new ReadBudget(scan.getBatch(), Long.MAX_VALUE, Long.MAX_VALUE, false)
            : ReadBudget.WHOLE_ROWS;
    facade.parts = new Parts(info, clock, scan, read, filter, budget, kept);
    return facade;
  }

  @Override
  public boolean next(List<Cell> out) throws IOException {
    return nextRaw(out);
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext limits) throws IOException {
    return nextRaw(out, limits);
  }

  /** Each call uses a new buffer, because callers keep cells. */
  @Override
  public synchronized boolean nextRaw(List<Cell> out) throws IOException {
    CellBuffer cells = new CellBuffer();
    ScanProgress progress = read(cells, parts.budget(), out);
    return progress == ScanProgress.ROW_DONE ? hasMoreRows() : progress != ScanProgress.END;
  }

  @Override
  public synchronized boolean nextRaw(List<Cell> out, ScannerContext limits) throws IOException {
    ReadBudget budget = ScannerLimits.budget(limits, parts.clock());
    CellBuffer cells = new CellBuffer();
    ScanProgress progress = read(cells, budget, out);
    return ScannerLimits.used(
        limits,
        cells.size(),
        ReadBudget.size(cells.size(), cells.byteSize()),
        progress,
        progress == ScanProgress.ROW_DONE && hasMoreRows());
  }

  /** Each call has a buffer of its own, since callers keep cells. */
  private ScanProgress read(CellBuffer cells, ReadBudget budget, List<Cell> out)
      throws IOException {
    if (closed) {
      throw new UnknownScannerException("Scanner was closed");
    }
    ScanProgress progress;
    try (HookCall.Pause pause = HookCall.pause()) {
      progress = parts.read().next(cells, budget);
    } catch (DoNotRetryIOException e) {
      throw asThrown(e);
    }
    out.addAll(Cells.views(cells));
    return progress;
  }

  /** Returns an exception, or throws what the filter threw, which hooks expect as it is. */
  private DoNotRetryIOException asThrown(DoNotRetryIOException failure) {
    Throwable thrown = parts.filter().flatMap(FilterAdapter::thrown).orElse(null);
    if (failure.getCause() == thrown && thrown instanceof RuntimeException own) {
      throw own;
    }
    if (failure.getCause() == thrown && thrown instanceof Error own) {
      throw own;
    }
    return failure;
  }

  private boolean hasMoreRows() throws IOException {
    return !isFilterDone() && parts.read().peek(ReadBudget.WHOLE_ROWS) != ScanProgress.END;
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return parts.filter().isPresent() && parts.filter().get().filterAllRemaining();
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

  /** The cells that callers have are their own. */
  @Override
  public void shipped() {}

  @Override
  public synchronized void close() {
    closed = true;
    parts.kept().remove(this);
    parts.read().close();
  }

  /** Returns the server's clock. */
  public Clock clock() {
    return parts.clock();
  }

  boolean isClosed() {
    return closed;
  }

  /** Leaves the scanner to the hook that has it, at the end of the client's scan. */
  public void leave() {
    parts.kept().add(this);
    parts.read().suspend();
  }

  @Override
  public String toString() {
    return "a scanner of " + parts.info().getRegionNameAsString();
  }
}
