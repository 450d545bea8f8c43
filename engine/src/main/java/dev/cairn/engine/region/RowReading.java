package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.RowScanner;
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
 * Reads rows and scans, one after another, and reuses its objects. New objects for each read (1.5
 * KB for a row, 2.5 KB for a scan) would cost more time than a search in cached blocks. Between
 * reads it refers to no view, file or segment. One thread at a time.
 *
 * <p>Between two calls a scan may release its sources ({@link #detach}). Later it continues at the
 * same place, in the same views or in others with the same cells ({@link #attach}).
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
      ReadBudget limits)
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

  /** Ends the scan like {@link #close}, but keeps its statistics. */
  void end() {
    scanner.keepFigures();
    close();
  }

  /** Returns the current scan. */
  RowScanner scanner() {
    return scanner;
  }

  /** Closes the scan's sources and remembers its place. */
  void detach() {
    scanner.detach();
    closeCursors();
  }

  /**
   * Continues after {@link #detach}, possibly in other views.
   *
   * @param wanted as for {@link #begin}, like the other parameters
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
