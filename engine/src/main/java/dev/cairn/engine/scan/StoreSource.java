package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;

/**
 * One family of a region, as a scan reads it.
 *
 * @param family the family's schema
 * @param cursors over all that holds cells of the family, newest first (memstore, snapshot, store
 *     files by descending sequence): of equal cells the one from the earlier cursor wins. The scan
 *     closes them; the list is only looked at when it begins
 * @param hasNewer whether the cursors may return cells above the scan's read point, which the scan
 *     then hides
 * @param values finds the values of cells that only refer to them. The scan closes it
 * @param trace counts the blocks and bytes that the cursors take from memory and files
 * @param everything all cells of the family, for an observer
 */
public record StoreSource(
    FamilySchema family,
    List<CellCursor> cursors,
    boolean hasNewer,
    ValueSource values,
    SourceMetrics trace,
    Everything everything) {
  /** Creates a source for scans without an observer. */
  public StoreSource(FamilySchema family, List<CellCursor> cursors) {
    this(
        family,
        cursors,
        true,
        ValueSource.NONE,
        SourceMetrics.counting(ReadMetrics.unused()),
        List::of);
  }

  /** The memstores and files of a family, read or not. */
  public interface Everything {
    /**
     * Opens all of them, newest first, in the order of an observed scan's trace. The caller closes
     * the cursors.
     */
    List<Holder> openAll();
  }

  /**
   * A memstore or file.
   *
   * @param facts its properties
   * @param cells a cursor over all its cells, including cells above the read point
   */
  public record Holder(SourceFacts facts, CellCursor cells) {}
}
