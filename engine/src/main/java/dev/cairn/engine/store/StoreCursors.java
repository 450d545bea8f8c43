package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.hfile.HFileInfo;
import dev.cairn.engine.hfile.HFileReader;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceTrace;
import dev.cairn.engine.scan.SourceTrace.Use;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens the cursors that a read of a view needs, and leaves out the files that cannot hold anything
 * for it.
 */
public final class StoreCursors {
  private StoreCursors() {}

  /**
   * Returns cursors over everything of {@code view} that {@code request} may want, newest first.
   * Those over files may show cells above {@code readPoint}, which the scan hides.
   */
  public static List<CellCursor> open(
      StoreView view, FamilySchema family, ScanRequest request, long readPoint) throws IOException {
    return open(view, family, request, readPoint, SourceTrace.counting(ReadFigures.untimed()));
  }

  /** As the other method, and tells {@code trace} what is read and why the rest is not. */
  public static List<CellCursor> open(
      StoreView view, FamilySchema family, ScanRequest request, long readPoint, SourceTrace trace)
      throws IOException {
    boolean cacheBlocks = request.cacheBlocks() && family.blockCache();
    FamilySelection selection = request.families().getOrDefault(family.name(), FamilySelection.ALL);
    List<CellCursor> cursors = new ArrayList<>(view.segments().size() + view.files().size());
    for (MemStoreSegment segment : view.segments()) {
      if (!segment.isEmpty() || trace.isTracked()) {
        CellCursor cursor = segment.cursor(readPoint);
        cursors.add(cursor);
        trace.memory(segment != view.active(), cursor);
      }
    }
    for (int i = view.files().size() - 1; i >= 0; i--) {
      StoreFile file = view.files().get(i);
      ReadFigures figures = trace.figures();
      Use use = use(file, family, request, selection, figures);
      if (use == Use.READ) {
        CellCursor whole = file.cursor(cacheBlocks, figures);
        CellCursor cursor =
            startsAtColumn(file.reader(), request, selection, figures)
                ? new ColumnStartCursor(
                    whole,
                    file.reader().comparator(),
                    Cell.firstOnColumn(
                        request.startRow(), family.name(), selection.qualifiers().first()))
                : whole;
        cursors.add(cursor);
        trace.file(file.name(), cursor, figures);
      } else {
        trace.ruledOut(file.name(), use, figures);
      }
    }
    return cursors;
  }

  /** Tells whether the cursors of {@link #open} may show cells above {@code readPoint}. */
  public static boolean hasNewer(StoreView view, long readPoint) {
    for (StoreFile file : view.files()) {
      if (file.maxCellSequence() > readPoint) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns cursors over all cells of {@code view}, newest first, also those too new to be seen:
   * one for every segment and every file, as a tracking trace has them.
   */
  public static List<CellCursor> everything(StoreView view) {
    List<CellCursor> cursors = new ArrayList<>();
    for (MemStoreSegment segment : view.segments()) {
      cursors.add(segment.cursor(Long.MAX_VALUE));
    }
    for (int i = view.files().size() - 1; i >= 0; i--) {
      cursors.add(view.files().get(i).cursor(false));
    }
    return cursors;
  }

  private static Use use(
      StoreFile file,
      FamilySchema family,
      ScanRequest request,
      FamilySelection selection,
      ReadFigures figures)
      throws IOException {
    if (file.reader().info().entryCount() == 0) {
      return Use.EMPTY;
    }
    byte[] low = request.reversed() ? request.stopRow() : request.startRow();
    byte[] high = request.reversed() ? request.startRow() : request.stopRow();
    if (!file.mayContainRows(low, high)) {
      return Use.OUTSIDE_ROWS;
    }
    if (!mayHoldTimes(file.reader().info(), family, request, selection)) {
      return Use.OUTSIDE_TIMES;
    }
    return request.isSingleRow() && !mayHoldRow(file.reader(), low, selection, figures)
        ? Use.NOT_IN_BLOOM_FILTER
        : Use.READ;
  }

  /**
   * Tells whether the file has anything to say about the wanted times. A marker that hides cells of
   * all earlier times has widened the file's range down to 0. Where order of writing decides, a
   * version counts against all older ones, wanted or not, but never against newer ones.
   */
  private static boolean mayHoldTimes(
      HFileInfo info, FamilySchema family, ScanRequest request, FamilySelection selection) {
    TimeRange wanted = selection.timeRange().orElse(request.timeRange());
    return wanted.equals(TimeRange.ALL)
        || info.maxTimestamp() >= wanted.from()
            && (family.newVersionBehavior() || info.minTimestamp() < wanted.to());
  }

  /**
   * Tells whether a read of single columns of one row may pass over the row's beginning, where
   * nothing but markers for the whole family would concern it.
   */
  private static boolean startsAtColumn(
      HFileReader reader, ScanRequest request, FamilySelection selection, ReadFigures figures)
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
      HFileReader reader, byte[] row, FamilySelection selection, ReadFigures figures)
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
