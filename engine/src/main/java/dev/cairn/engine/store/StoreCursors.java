package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFileInfo;
import dev.cairn.engine.hfile.HFileReader;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
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
    boolean cacheBlocks = request.cacheBlocks() && family.blockCache();
    FamilySelection selection = request.families().getOrDefault(family.name(), FamilySelection.ALL);
    List<CellCursor> cursors = new ArrayList<>(view.segments().size() + view.files().size());
    for (MemStoreSegment segment : view.segments()) {
      if (!segment.isEmpty()) {
        cursors.add(segment.cursor(readPoint));
      }
    }
    for (int i = view.files().size() - 1; i >= 0; i--) {
      StoreFile file = view.files().get(i);
      if (mayHold(file, family, request, selection)) {
        CellCursor cursor = file.cursor(cacheBlocks);
        cursors.add(
            startsAtColumn(file.reader(), request, selection)
                ? new ColumnStartCursor(
                    cursor,
                    file.reader().comparator(),
                    Cell.firstOnColumn(
                        request.startRow(), family.name(), selection.qualifiers().first()))
                : cursor);
      }
    }
    return cursors;
  }

  private static boolean mayHold(
      StoreFile file, FamilySchema family, ScanRequest request, FamilySelection selection)
      throws IOException {
    byte[] low = request.reversed() ? request.stopRow() : request.startRow();
    byte[] high = request.reversed() ? request.startRow() : request.stopRow();
    return file.mayContainRows(low, high)
        && mayHoldTimes(file.reader().info(), family, request, selection)
        && (!request.isSingleRow() || mayHoldRow(file.reader(), low, selection));
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
      HFileReader reader, ScanRequest request, FamilySelection selection) throws IOException {
    byte[] row = request.startRow();
    return request.isSingleRow()
        && !request.reversed()
        && !request.raw()
        && !selection.qualifiers().isEmpty()
        && selection.qualifiers().first().length > 0
        && !reader.mayContainDeleteFamily(row, 0, row.length);
  }

  private static boolean mayHoldRow(HFileReader reader, byte[] row, FamilySelection selection)
      throws IOException {
    if (selection.qualifiers().isEmpty() || reader.info().bloomType() != BloomType.ROWCOL) {
      return reader.mayContainRow(row, 0, row.length);
    }
    for (byte[] qualifier : selection.qualifiers()) {
      if (reader.mayContainColumn(Cell.firstOnColumn(row, Bytes.EMPTY, qualifier))) {
        return true;
      }
    }
    return false;
  }
}
