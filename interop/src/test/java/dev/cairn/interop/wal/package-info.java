/**
 * Holds the write-ahead log against Apache HBase's: logs that Cairn writes are read by HBase's
 * reader and the other way round, in every form that HBase's settings give them, from writers that
 * end in good order and from ones that are killed.
 */
package dev.cairn.interop.wal;
