package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;
import java.util.Optional;

/**
 * One family of a region, as a scan reads it.
 *
 * @param family the family's schema
 * @param cursors over all that holds cells of the family, newest first (memstore, snapshot, store
 *     files by descending sequence): of equal cells the one from the earlier cursor wins. The scan
 *     closes them; the list is only looked at when it begins
 * @param hasNewer whether they may show cells above the scan's read point, which the scan hides
 *     then
 * @param values finds the values of cells that only refer to them. The scan closes it
 * @param trace counts what the cursors take out of memory and files
 * @param witness watches what is decided about the family's cells, if anyone does
 */
public record StoreSource(
    FamilySchema family,
    List<CellCursor> cursors,
    boolean hasNewer,
    ValueSource values,
    SourceMetrics trace,
    Optional<ScanObserver.Family> witness) {
  /** Creates a source that nobody watches. */
  public StoreSource(FamilySchema family, List<CellCursor> cursors) {
    this(
        family,
        cursors,
        true,
        ValueSource.NONE,
        SourceMetrics.counting(ReadMetrics.untimed()),
        Optional.empty());
  }
}
