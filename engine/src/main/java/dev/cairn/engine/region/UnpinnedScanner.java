package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A scan over views that it has not pinned: what it reads are arrays that nobody changes, and a
 * file that is closed meanwhile has just left the cache. So nothing has to be given back at its
 * end, which might mean to close a file and to archive it. It is inside the gate until it ends or
 * is kept; from then on it is a {@link HeldScanner}.
 */
final class UnpinnedScanner implements QuickScan {
  private final Supplier<Optional<HeldScanner>> holder;
  private final Runnable end;
  private final RegionGate gate;
  private RegionScanner scanner;
  private boolean kept;
  private boolean closed;

  /**
   * Creates a scan; its thread has entered the gate.
   *
   * @param scanner reads views that are not pinned, and nothing but memory
   * @param holder turns it into a scan that may stay idle, if that is still possible
   * @param end ends the reading and makes its objects available to other scans
   */
  UnpinnedScanner(
      RegionScanner scanner,
      Supplier<Optional<HeldScanner>> holder,
      Runnable end,
      RegionGate gate) {
    this.scanner = scanner;
    this.holder = holder;
    this.end = end;
    this.gate = gate;
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget limits) throws IOException {
    checkOpen();
    return scanner.next(out, limits);
  }

  @Override
  public ScanProgress nextRows(CellBuffer out, RowSizes rows, int rowsMax, ReadBudget limits)
      throws IOException {
    checkOpen();
    return scanner.nextRows(out, rows, rowsMax, limits);
  }

  @Override
  public boolean keep() {
    Optional<HeldScanner> held = holder.get();
    if (held.isPresent()) {
      scanner = held.get();
      kept = true;
      gate.leave();
    }
    return kept;
  }

  @Override
  public void suspend() {
    if (kept) {
      scanner.suspend();
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (kept) {
      scanner.close();
    } else {
      try {
        end.run();
      } finally {
        gate.leave();
      }
    }
  }

  @Override
  public boolean hasMoreRows() throws IOException {
    checkOpen();
    return scanner.hasMoreRows();
  }

  @Override
  public long readPoint() {
    checkOpen();
    return scanner.readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    checkOpen();
    return scanner.statistics();
  }

  /** What it was read with may serve another scan by now. */
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The scanner is closed");
    }
  }
}
