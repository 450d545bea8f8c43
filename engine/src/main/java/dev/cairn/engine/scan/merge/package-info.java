/**
 * Cursors over other cursors: one merges several, one hides cells above a read point, one visits
 * cells one by one.
 *
 * <p>Imports no other package of scans.
 */
package dev.cairn.engine.scan.merge;
