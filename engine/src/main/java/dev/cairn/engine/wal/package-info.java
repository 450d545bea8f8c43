/**
 * The write-ahead log: {@link dev.cairn.engine.wal.Wal} appends entries and makes many writers
 * share one sync; {@link dev.cairn.engine.wal.file.WalReader} reads them back; {@link
 * dev.cairn.engine.wal.split.LogSplitter} sorts a dead server's log by region. The bytes are those
 * of HBase's protobuf log format.
 */
package dev.cairn.engine.wal;
