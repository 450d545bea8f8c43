/**
 * The files of the log, in the bytes of HBase's protobuf format: an entry, the writer and the
 * reader of a file, compression of keys and values, encryption markers that are refused, names, and
 * the check of a file's end.
 */
package dev.cairn.engine.wal.file;
