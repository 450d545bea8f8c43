package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.scan.RowScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanWitness;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.store.ViewCursors;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads single rows, one after another, with the same objects: what a read allocates costs more
 * than its search does in blocks that are in memory (1.5 KB each time, before). Between reads it
 * refers to no view, file or segment. One thread at a time.
 */
final class RowReading {
  private final RowScanner scanner;
  private final ReadFigures unused;
  private final List<StoreSource> sources = new ArrayList<>();
  private StoreView[] views = {};
  private ViewCursors[] cursors = {};
  private boolean reusable = true;

  RowReading(CellComparator comparator, Clock clock) {
    this.scanner = new RowScanner(comparator, clock);
    this.unused = new ReadFigures(clock);
  }

  /** Returns room for {@code count} views, to be filled for {@link #read}. */
  StoreView[] views(int count) {
    if (views.length != count) {
      views = new StoreView[count];
      cursors = new ViewCursors[count];
    }
    return views;
  }

  /**
   * Appends the cells of one row, as the views show it; all that was opened is closed again.
   *
   * @param wanted the views' stores, none of which needs to look for values elsewhere
   * @param onlyMemory whether the read ends where it would have to read a block from a file
   */
  ScanProgress read(
      List<Store> wanted,
      ScanRequest request,
      long readPoint,
      boolean onlyMemory,
      CellBuffer out,
      ScanLimits limits)
      throws IOException {
    reusable = false;
    try {
      for (int i = 0; i < views.length; i++) {
        cursors[i] = views[i].takeCursors();
        sources.add(cursors[i].source(wanted.get(i).family(), request, readPoint, onlyMemory));
      }
      scanner.begin(request, sources, readPoint, unused, ScanWitness.NONE);
      return scanner.next(out, limits);
    } finally {
      close();
    }
  }

  /**
   * Tells whether nothing of an earlier read is left, so that another one may begin: not where one
   * could not be closed.
   */
  boolean isReusable() {
    return reusable;
  }

  /** Lets go of the views. */
  void forget() {
    Arrays.fill(views, null);
  }

  private void close() {
    scanner.close();
    scanner.forget();
    sources.clear();
    for (int i = 0; i < cursors.length && cursors[i] != null; i++) {
      cursors[i].close();
      views[i].giveCursors(cursors[i]);
      cursors[i] = null;
    }
    reusable = true;
  }
}
