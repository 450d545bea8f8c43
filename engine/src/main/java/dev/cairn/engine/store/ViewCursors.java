package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.FileAccess;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.memstore.SegmentCursor;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.SourceMetrics.Use;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The cursors over one view, for one read after another. A cursor is created when a read first
 * needs it; the end of a read closes the cursor but keeps the object. A view keeps some of these
 * objects for its readers ({@link StoreView#takeCursors}), so that their memory goes with the view.
 * An observed read has its own. Closed cursors hold no block. One thread at a time.
 */
public final class ViewCursors {
  private final StoreView view;
  private final SourceMetrics trace;
  private final SegmentCursor[] ofSegments;

  /** Two cursors for each file: one that leaves its blocks in the cache, and one that does not. */
  private final CellCursor[] ofFiles;

  private final List<CellCursor> open;

  /** The usual result of {@link #source}. */
  private Optional<StoreSource> plainSource = Optional.empty();

  /**
   * Prepares cursors; each is created on first use.
   *
   * @param trace counts the reads; a separate or a tracking one
   */
  public ViewCursors(StoreView view, SourceMetrics trace) {
    this.view = view;
    this.trace = trace;
    this.ofSegments = new SegmentCursor[view.segments().size()];
    this.ofFiles = new CellCursor[2 * view.files().size()];
    this.open = new ArrayList<>(view.segments().size() + view.files().size());
  }

  /**
   * Opens the cursors for a read of one or more rows, without the segments and files that cannot
   * hold its results. The result is valid until {@link #close}. Closing the scan does not release
   * the view.
   *
   * @param values finds the values of cells that only refer to them
   * @param files decides whether the read may load blocks from files
   */
  public StoreSource source(
      FamilySchema family,
      ScanRequest request,
      long readPoint,
      ValueSource values,
      FileAccess files)
      throws IOException {
    trace.restart(files);
    open(family, request, readPoint);
    boolean newer = view.hasNewer(readPoint);
    boolean plain = !newer && values == ValueSource.NONE;
    if (plain && plainSource.isPresent() && plainSource.get().family() == family) {
      return plainSource.get();
    }
    StoreSource source = new StoreSource(family, open, newer, values, trace, view);
    if (plain) {
      plainSource = Optional.of(source);
    }
    return source;
  }

  /** Adds the blocks found in the cache to the times of the thread's current operation. */
  public void reportCached() {
    trace.reportCached();
  }

  /** Closes all open cursors, if the read has not done so. */
  public void close() {
    for (int i = 0; i < open.size(); i++) {
      open.get(i).close();
    }
    open.clear();
  }

  /** Returns the closed cursors to the view for its next read, if they came from it. */
  public void giveBack() {
    if (!trace.isTracked()) {
      view.giveCursors(this);
    }
  }

  private void open(FamilySchema family, ScanRequest request, long readPoint) throws IOException {
    boolean cacheBlocks = request.cacheBlocks() && family.blockCache();
    FamilySelection selection = selection(family, request);
    open.clear();
    for (int i = 0; i < ofSegments.length; i++) {
      MemStoreSegment segment = view.segments().get(i);
      boolean read =
          segment.isEmpty()
              ? trace.isTracked()
              : mayHoldTimes(
                  segment.minTimestamp(), segment.maxTimestamp(), family, request, selection);
      if (read) {
        CellCursor cursor = segmentCursor(i, readPoint);
        open.add(cursor);
        trace.memory(cursor);
      } else if (!segment.isEmpty()) {
        trace.memoryRuledOut(Use.OUTSIDE_TIMES);
      }
    }
    for (int i = view.files().size() - 1; i >= 0; i--) {
      StoreFile file = view.files().get(i);
      ReadMetrics figures = trace.figures();
      Use use = use(file, family, request, selection, figures);
      if (use == Use.READ) {
        CellCursor whole = fileCursor(i, cacheBlocks, figures);
        CellCursor cursor =
            startsAtColumn(file.reader(), request, selection, figures)
                ? new ColumnStartCursor(
                    whole,
                    file.reader().comparator(),
                    Cell.firstOnColumn(
                        request.startRow(), family.name(), selection.qualifiers().first()))
                : whole;
        assert Marks.hitIf(cursor != whole, ReadMark.COLUMN_START);
        open.add(cursor);
        trace.file(cursor, figures);
      } else {
        assert Marks.hitIf(use != Use.EMPTY, ReadMark.FILE_RULED_OUT);
        trace.ruledOut(use, figures);
      }
    }
  }

  private SegmentCursor segmentCursor(int i, long readPoint) {
    if (ofSegments[i] == null) {
      ofSegments[i] = view.segments().get(i).cursor(readPoint);
    } else {
      ofSegments[i].restart(readPoint);
    }
    return ofSegments[i];
  }

  /** The metrics are the same each time, except with a tracking trace, which serves one read. */
  private CellCursor fileCursor(int i, boolean cacheBlocks, ReadMetrics figures) {
    int place = 2 * i + (cacheBlocks ? 0 : 1);
    if (ofFiles[place] == null) {
      ofFiles[place] = view.files().get(i).cursor(cacheBlocks, figures);
    }
    return ofFiles[place];
  }

  private static Use use(
      StoreFile file,
      FamilySchema family,
      ScanRequest request,
      FamilySelection selection,
      ReadMetrics figures)
      throws IOException {
    if (file.reader().info().entryCount() == 0) {
      return Use.EMPTY;
    }
    byte[] low = request.reversed() ? request.stopRow() : request.startRow();
    byte[] high = request.reversed() ? request.startRow() : request.stopRow();
    if (!file.mayContainRows(low, high)) {
      return Use.OUTSIDE_ROWS;
    }
    HFileInfo info = file.reader().info();
    if (!mayHoldTimes(info.minTimestamp(), info.maxTimestamp(), family, request, selection)) {
      return Use.OUTSIDE_TIMES;
    }
    return request.isSingleRow() && !mayHoldRow(file.reader(), low, selection, figures)
        ? Use.NOT_IN_BLOOM_FILTER
        : Use.READ;
  }

  /**
   * Tells whether a segment or file has anything to say about the wanted times. A marker that hides
   * cells of all earlier times has widened its range down to 0. Where order of writing decides, a
   * version counts against all older ones, wanted or not, but never against newer ones.
   */
  private static boolean mayHoldTimes(
      long lowest,
      long highest,
      FamilySchema family,
      ScanRequest request,
      FamilySelection selection) {
    TimeRange wanted = selection.timeRange().orElse(request.timeRange());
    return wanted.equals(TimeRange.ALL)
        || highest >= wanted.from() && (family.newVersionBehavior() || lowest < wanted.to());
  }

  /** Tells whether a read may look into a segment for its wanted times. */
  public static boolean mayHoldTimes(
      MemStoreSegment segment, FamilySchema family, ScanRequest request) {
    return mayHoldTimes(
        segment.minTimestamp(),
        segment.maxTimestamp(),
        family,
        request,
        selection(family, request));
  }

  /** Tells whether a read may look into a file for its wanted times. */
  public static boolean mayHoldTimes(StoreFile file, FamilySchema family, ScanRequest request) {
    HFileInfo info = file.reader().info();
    return mayHoldTimes(
        info.minTimestamp(), info.maxTimestamp(), family, request, selection(family, request));
  }

  private static FamilySelection selection(FamilySchema family, ScanRequest request) {
    return request.families().getOrDefault(family.name(), FamilySelection.ALL);
  }

  /**
   * Tells whether a read of single columns of one row may skip the row's beginning, where only
   * markers for the whole family would concern it.
   */
  private static boolean startsAtColumn(
      HFileReader reader, ScanRequest request, FamilySelection selection, ReadMetrics figures)
      throws IOException {
    byte[] row = request.startRow();
    return request.isSingleRow()
        && !request.reversed()
        && !request.raw()
        && !selection.qualifiers().isEmpty()
        && selection.qualifiers().first().length > 0
        && !reader.mayContainDeleteFamily(row, 0, row.length, figures);
  }

  private static boolean mayHoldRow(
      HFileReader reader, byte[] row, FamilySelection selection, ReadMetrics figures)
      throws IOException {
    if (selection.qualifiers().isEmpty() || reader.info().bloomType() != BloomType.ROWCOL) {
      return reader.mayContainRow(row, 0, row.length, figures);
    }
    for (byte[] qualifier : selection.qualifiers()) {
      if (reader.mayContainColumn(Cell.firstOnColumn(row, Bytes.EMPTY, qualifier), figures)) {
        return true;
      }
    }
    return false;
  }
}
