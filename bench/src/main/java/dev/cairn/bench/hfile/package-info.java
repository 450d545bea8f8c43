/**
 * Writing, reading and seeking in store files, measured beside Apache HBase's own writer and
 * reader: the same cells, the same file system, the same run. {@link
 * dev.cairn.bench.hfile.Comparison} runs the pairs in turns and prints ratios; {@code bench/hfile}
 * starts it. Nothing here is part of the database.
 */
package dev.cairn.bench.hfile;
