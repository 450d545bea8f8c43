/**
 * The cell: the unit in which everything is stored, logged, merged and sent.
 *
 * <p>A {@link dev.cairn.engine.cell.Cell} is a view over bytes in HBase's KeyValue layout, wherever
 * they lie: a memstore slab, an HFile block, a log entry, an RPC cell block. Cells move by copying
 * those bytes. {@link dev.cairn.engine.cell.CellComparator} gives their order, {@link
 * dev.cairn.engine.cell.CellBuffer} holds several of them. This package imports nothing of the
 * project.
 */
package dev.cairn.engine.cell;
