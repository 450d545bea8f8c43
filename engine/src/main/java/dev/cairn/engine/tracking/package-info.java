/**
 * Tracks which files in a store's directory belong to the store: all of them, or those in a list.
 * {@link dev.cairn.engine.tracking.StoreFileTracking} is the setting of a table or family, {@link
 * dev.cairn.engine.tracking.StoreFileTracker} the contract. A store publishes and drops files only
 * through its tracker.
 */
package dev.cairn.engine.tracking;
