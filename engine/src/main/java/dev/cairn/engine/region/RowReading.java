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
import dev.cairn.engine.scan.SourceTrace;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.store.ViewCursors;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads rows and scans, one after another, with the same objects: what a read allocates costs more
 * than its search does in blocks that are in memory (1.5 KB each time, before, and 2.5 KB for a
 * scan). Between reads it refers to no view, file or segment. One thread at a time.
 *
 * <p>A scan may let go of what it reads between two calls ({@link #detach}) and find its place
 * again later, in the same views or in others that show the same cells ({@link #attach}).
 */
final class RowReading {
  private final RowScanner scanner;
  private final ReadFigures figures;
  private final List<StoreSource> sources = new ArrayList<>();
  private StoreView[] views = {};
  private ViewCursors[] cursors = {};
  private boolean reusable = true;

  RowReading(CellComparator comparator, Clock clock) {
    this.scanner = new RowScanner(comparator, clock);
    this.figures = new ReadFigures(clock);
  }

  /** Returns room for {@code count} views, to be filled before a read begins. */
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
   * @param wanted the views' stores
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
    figures.restart(onlyMemory);
    open(wanted, request, readPoint, onlyMemory);
    scanner.begin(request, sources, readPoint, figures, ScanWitness.NONE);
    return scanner;
  }

  private void open(List<Store> wanted, ScanRequest request, long readPoint, boolean onlyMemory)
      throws IOException {
    for (int i = 0; i < views.length; i++) {
      Store store = wanted.get(i);
      cursors[i] =
          request.tracked()
              ? new ViewCursors(views[i], SourceTrace.tracking(figures))
              : views[i].takeCursors();
      ValueSource values = store.values(views[i], request.mob());
      sources.add(cursors[i].source(store.family(), request, readPoint, values, onlyMemory));
    }
  }

  /** Ends the scan as {@link #close} does; what it has counted can still be asked for. */
  void end() {
    scanner.keepFigures();
    close();
  }

  /** Returns the scan that has begun. */
  RowScanner scanner() {
    return scanner;
  }

  /** Closes all that was opened for the scan, and remembers the scan's place. */
  void detach() {
    scanner.detach();
    closeCursors();
  }

  /**
   * Goes on after {@link #detach}. The views may be others by now.
   *
   * @param wanted as for {@link #begin}, as the rest
   */
  void attach(List<Store> wanted, ScanRequest request, long readPoint) throws IOException {
    open(wanted, request, readPoint, false);
    scanner.attach(sources);
  }

  /** Lets the read that has begun go on with what is not in memory. */
  void allowFiles() {
    figures.allowFiles();
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
    closeCursors();
    reusable = true;
  }

  private void closeCursors() {
    sources.clear();
    for (int i = 0; i < cursors.length && cursors[i] != null; i++) {
      cursors[i].close();
      cursors[i].giveBack();
      cursors[i] = null;
    }
  }
}
