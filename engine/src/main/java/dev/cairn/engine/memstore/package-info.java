/**
 * The memstore: cells that were written and are not in a file yet. Cells come in from mutations,
 * each copied once into a slab; they go out through {@link dev.cairn.engine.cursor.CellCursor}s, to
 * scans and to the flush. {@link dev.cairn.engine.memstore.MemStoreSegment} is the interface; the
 * store swaps segments at a flush.
 */
package dev.cairn.engine.memstore;
