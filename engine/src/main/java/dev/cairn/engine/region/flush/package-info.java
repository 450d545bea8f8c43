/**
 * Chooses the families of a region to flush, and flushes them, from the read point to the published
 * files.
 */
package dev.cairn.engine.region.flush;
