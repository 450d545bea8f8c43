package dev.cairn.engine.scan;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;

/**
 * One family of a region, as a scan reads it.
 *
 * @param family the family's schema
 * @param cursors over all that holds cells of the family, newest first (memstore, snapshot, store
 *     files by descending sequence): of equal cells the one from the earlier cursor wins. They may
 *     show cells above the scan's read point; the scan hides them. The scan closes them
 * @param values finds the values of cells that only refer to them. The scan closes it
 * @param onClose runs once when the scan is closed, after the cursors are: releases the pinned list
 *     of files
 */
public record StoreSource(
    FamilySchema family, List<CellCursor> cursors, ValueSource values, Runnable onClose) {
  /** As the other one, where every cell has its own value. */
  public StoreSource(FamilySchema family, List<CellCursor> cursors, Runnable onClose) {
    this(family, cursors, ValueSource.NONE, onClose);
  }

  /** Copies the list. */
  public StoreSource {
    cursors = List.copyOf(cursors);
  }
}
