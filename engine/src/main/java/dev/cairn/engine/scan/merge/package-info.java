/**
 * Cursors over other cursors: several merged into one, cells above a read point hidden, cells
 * passed one by one.
 *
 * <p>Imports no other package of scans.
 */
package dev.cairn.engine.scan.merge;
