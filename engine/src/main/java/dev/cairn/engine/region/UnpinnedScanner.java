package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;

/**
 * A scan over views that it has not pinned: what it reads are arrays that nobody changes, and a
 * file that is closed meanwhile has just left the cache. So nothing has to be given back at its
 * end, which might mean to close a file and to archive it. It is inside the gate until it ends or
 * is kept; from then on it has the views pinned and enters for each row, as any other scan does.
 */
final class UnpinnedScanner extends GuardedScanner implements QuickScan {
  private final StoreView[] views;
  private final ReadFigures reads;
  private boolean kept;
  private boolean closed;

  /**
   * Creates a scan; its thread has entered the gate.
   *
   * @param scanner reads the views, and nothing but memory as long as {@code reads} says so
   */
  UnpinnedScanner(RegionScanner scanner, StoreView[] views, ReadFigures reads, RegionGate gate) {
    super(scanner, gate);
    this.views = views;
    this.reads = reads;
  }

  @Override
  public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
    return kept ? super.next(out, limits) : scanner.next(out, limits);
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
    reads.allowFiles();
    gate.leave();
    return true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    scanner.close();
    if (kept) {
      release(views.length);
    } else {
      gate.leave();
    }
  }

  private void release(int count) {
    for (int i = 0; i < count; i++) {
      views[i].release();
    }
  }
}
