/**
 * The split of a dead server's log: {@link dev.cairn.engine.wal.split.LogSplitter} sorts its
 * entries by region into files that each region reads when it opens.
 */
package dev.cairn.engine.wal.split;
