/**
 * Which files in a store's directory count. {@link dev.cairn.engine.tracking.StoreFileTracking} is
 * the choice of a table or family, {@link dev.cairn.engine.tracking.StoreFileTracker} the contract:
 * all files count, or those that a list beside them names. A store publishes and drops files
 * through its tracker alone.
 */
package dev.cairn.engine.tracking;
