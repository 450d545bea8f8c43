package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.scan.RegionScanner;
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
 * Reads single rows and short scans, one after another, with the same objects: what a read
 * allocates costs more than its search does in blocks that are in memory (1.5 KB each time, before,
 * and 2.5 KB for a scan). Between reads it refers to no view, file or segment. One thread at a
 * time.
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
    try {
      return begin(wanted, request, readPoint, onlyMemory).next(out, limits);
    } finally {
      close();
    }
  }

  /**
   * Begins to read what the views show; the caller ends that by {@link #close}.
   *
   * @param wanted as for {@link #read}, as the rest
   */
  RegionScanner begin(List<Store> wanted, ScanRequest request, long readPoint, boolean onlyMemory)
      throws IOException {
    reusable = false;
    for (int i = 0; i < views.length; i++) {
      cursors[i] = views[i].takeCursors();
      sources.add(cursors[i].source(wanted.get(i).family(), request, readPoint, onlyMemory));
    }
    scanner.begin(request, sources, readPoint, unused, ScanWitness.NONE);
    return scanner;
  }

  /** Lets the read that has begun go on with what is not in memory. */
  void allowFiles() {
    for (ViewCursors cursor : cursors) {
      cursor.allowFiles();
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

  /** Ends what has begun, and closes all that was opened for it. */
  void close() {
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
