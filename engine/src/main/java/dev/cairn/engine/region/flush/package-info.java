/**
 * Which families of a region are flushed, and the flush of a region from the read point to the
 * published files.
 */
package dev.cairn.engine.region.flush;
