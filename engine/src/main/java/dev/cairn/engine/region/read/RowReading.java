package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.FileAccess;
import dev.cairn.engine.cursor.FileAccess.NotInMemoryException;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.scan.row.RowScanner;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.ViewCursors;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds the objects of a read: the views, the cursors over them and the scanner. Serves one read
 * after another, because new objects for each read (1.5 KB for a row, 2.5 KB for a scan) would cost
 * more time than a search in cached blocks. Between reads it refers to no view, file or segment.
 * One thread at a time.
 *
 * <p>Between two calls a read may release its sources ({@link #detach}). Later it continues at the
 * same place, in the same views or in others with the same cells ({@link #attach}).
 */
public final class RowReading implements FileAccess {
  private final RowScanner scanner;
  private final ReadMetrics figures;
  private final ReadViews views = new ReadViews();
  private final List<StoreSource> sources = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private ViewCursors[] cursors = {};
  private boolean mayWait;
  private boolean reusable = true;

  public RowReading(CellComparator comparator, Clock clock) {
    this.scanner = new RowScanner(comparator, clock);
    this.figures = new ReadMetrics(clock);
  }

  /** Returns the views; the caller takes them before a read begins. */
  ReadViews views() {
    return views;
  }

  /** Returns the scanner of the current read. */
  RowScanner scanner() {
    return scanner;
  }

  /** Returns the lock of a read that may stay idle. */
  ReentrantLock lock() {
    return lock;
  }

  /** Sets whether the read may load blocks from files. */
  void setMayWait(boolean may) {
    mayWait = may;
  }

  /**
   * {@inheritDoc} The views are pinned when a file is needed for the first time.
   *
   * @throws NotInMemoryException also if files of the views may be closed already
   */
  @Override
  public void beforeFile() throws NotInMemoryException {
    if (!mayWait || !views.tryPin()) {
      throw new NotInMemoryException();
    }
  }

  /** Begins a read of the views; the caller ends it with {@link #close}. */
  void begin(ScanRequest request, long readPoint) throws IOException {
    reusable = false;
    figures.restart(this);
    open(request, readPoint);
    scanner.begin(request, sources, readPoint, figures);
  }

  /**
   * As {@link #begin(ScanRequest, long)}, of some rows.
   *
   * @param rows the rows to visit; empty for all
   * @param search the blocks that were read to find them, which count as blocks of the read
   */
  void begin(ScanRequest request, long readPoint, Optional<RowSet> rows, ReadMetrics search)
      throws IOException {
    reusable = false;
    figures.restart(this);
    figures.add(search);
    open(request, readPoint);
    scanner.begin(request, sources, readPoint, figures, rows);
  }

  private void open(ScanRequest request, long readPoint) throws IOException {
    if (cursors.length != views.count()) {
      cursors = new ViewCursors[views.count()];
    }
    for (int i = 0; i < cursors.length; i++) {
      Store store = views.store(i);
      cursors[i] =
          request.observer().isPresent()
              ? new ViewCursors(views.get(i), SourceMetrics.tracking(figures))
              : views.get(i).takeCursors();
      ValueSource values = store.values(views.get(i), request.mob());
      FamilySchema family =
          request.retention() == ScanRequest.AS_STORED
              ? store.family()
              : request.retention().apply(store.family());
      sources.add(cursors[i].source(family, request, readPoint, values, this));
    }
  }

  /** Ends the read like {@link #close}, but keeps its statistics. */
  void end() {
    scanner.keepFigures();
    close();
  }

  /** Closes the read's sources and remembers its place. */
  void detach() {
    scanner.detach();
    closeCursors();
  }

  /** Continues after {@link #detach}, possibly in other views. */
  void attach(ScanRequest request, long readPoint) throws IOException {
    open(request, readPoint);
    scanner.attach(sources);
  }

  /**
   * Tells whether nothing of an earlier read is left, so that another one may begin: not where one
   * could not be closed.
   */
  boolean isReusable() {
    return reusable;
  }

  /** Ends the read, and closes all cursors that it opened. */
  void close() {
    scanner.close();
    scanner.forget();
    closeCursors();
    reusable = true;
  }

  /** Adds the blocks that the read found in the cache to the current operation's times. */
  void reportCached() {
    for (int i = 0; i < cursors.length && cursors[i] != null; i++) {
      cursors[i].reportCached();
    }
  }

  private void closeCursors() {
    reportCached();
    sources.clear();
    for (int i = 0; i < cursors.length && cursors[i] != null; i++) {
      cursors[i].close();
      cursors[i].giveBack();
      cursors[i] = null;
    }
  }
}
