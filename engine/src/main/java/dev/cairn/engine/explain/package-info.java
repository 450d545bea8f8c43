/**
 * Explains a scan of one region: what became of every cell of every row that it may come to, and
 * why. A scan comes in, with cursors over everything that its families hold; explained rows and a
 * report go out. It decides nothing itself: the scan that answers reads runs, watched, and beside
 * it a walk over all cells notes what the scan said of each, or that it passed it over.
 */
package dev.cairn.engine.explain;
