/**
 * Explains a scan of one region: the outcome of every cell in every row that the scan may reach,
 * and the reason. An explanation observes an ordinary read and decides nothing itself. A walk over
 * all cells accompanies the read. It records the scan's decision about each cell, or that the scan
 * skipped the cell.
 */
package dev.cairn.engine.explain;
