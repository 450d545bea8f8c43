package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A scan over views that it has not pinned: what it reads are arrays that nobody changes, and a
 * file that is closed meanwhile has just left the cache. So nothing has to be given back at its
 * end, which might mean to close a file and to archive it. It is inside the gate until it ends or
 * is kept; from then on it has the views pinned and enters for each row, as any other scan does.
 */
final class UnpinnedScanner extends GuardedScanner implements QuickScan {
  private final StoreView[] views;
  private final RowReading reading;
  private final Consumer<RowReading> end;
  private boolean kept;
  private boolean closed;

  /**
   * Creates a scan; its thread has entered the gate.
   *
   * @param scanner what {@code reading} has begun; it reads the views, and nothing but memory
   * @param end ends the reading, so that another scan may have it
   */
  UnpinnedScanner(
      RegionScanner scanner,
      StoreView[] views,
      RowReading reading,
      Consumer<RowReading> end,
      RegionGate gate) {
    super(scanner, gate);
    this.views = views;
    this.reading = reading;
    this.end = end;
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
    checkOpen();
    return kept ? super.next(out, limits) : scanner.next(out, limits);
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ScanLimits limits)
      throws IOException {
    checkOpen();
    return kept
        ? super.nextRows(out, rows, rowsMax, limits)
        : scanner.nextRows(out, rows, rowsMax, limits);
  }

  @Override
  public boolean keep() {
    for (int i = 0; i < views.length; i++) {
      if (!views[i].tryRetain()) {
        release(i);
        return false;
      }
    }
    kept = true;
    reading.allowFiles();
    gate.leave();
    return true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (kept) {
      // Whoever closes it may be another thread than the one that reads: so nobody else gets it.
      scanner.close();
      release(views.length);
    } else {
      try {
        end.accept(reading);
      } finally {
        gate.leave();
      }
    }
  }

  @Override
  public boolean hasMoreRows() throws IOException {
    checkOpen();
    return kept ? super.hasMoreRows() : scanner.hasMoreRows();
  }

  @Override
  public long readPoint() {
    checkOpen();
    return super.readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    checkOpen();
    return super.statistics();
  }

  /** What it was read with may serve another scan by now. */
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The scanner is closed");
    }
  }

  private void release(int count) {
    for (int i = 0; i < count; i++) {
      views[i].release();
    }
  }
}
