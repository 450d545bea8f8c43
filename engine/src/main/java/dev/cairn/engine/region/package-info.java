/**
 * A region: a range of rows, with one store per family. {@link dev.cairn.engine.region.Region} is a
 * short facade over row locks, MVCC, mutation batches, scanners and flushes.
 */
package dev.cairn.engine.region;
