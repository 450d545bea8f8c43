/**
 * The memstore: what was written and is not yet in a file. Cells come in from mutations, each
 * copied once into a slab; they go out through {@link dev.cairn.engine.cursor.CellCursor}s, to
 * scans and to the flush. {@link dev.cairn.engine.memstore.MemStoreSegment} is the whole of it; who
 * swaps segments at a flush is the store.
 */
package dev.cairn.engine.memstore;
