package dev.cairn.engine.store;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.schema.FamilySchema;
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
    return open(view, family, request, readPoint, SourceMetrics.counting(ReadMetrics.untimed()));
  }

  /** As the other method, and tells {@code trace} what is read and why the rest is not. */
  public static List<CellCursor> open(
      StoreView view, FamilySchema family, ScanRequest request, long readPoint, SourceMetrics trace)
      throws IOException {
    return new ViewCursors(view, trace).open(family, request, readPoint);
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
}
