/**
 * Explains a scan of one region: what became of every cell of every row that it may come to, and
 * why. An explanation observes an ordinary read. It decides nothing itself: beside the read, a walk
 * over all cells notes what the scan said of each, or that it passed it over.
 */
package dev.cairn.engine.explain;
