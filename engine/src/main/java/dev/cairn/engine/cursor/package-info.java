/**
 * The contract between everything that holds cells (memstore, store files) and everything that
 * reads them (merge, scan, flush, compaction): {@link dev.cairn.engine.cursor.CellCursor}.
 */
package dev.cairn.engine.cursor;
