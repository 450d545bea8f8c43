package dev.cairn.engine.wal.file;

/**
 * The contents of a log file's header and trailer, for display.
 *
 * @param path the file
 * @param writerClass the class that wrote it, by HBase's short name, such as {@code
 *     ProtobufLogWriter}; empty if the header does not say
 * @param codecClass the class that gave the cells their form, by HBase's full name; empty if the
 *     header does not say
 * @param compression compression of names and cells
 * @param isChecksummed the file carries checksums: it is one of ours
 * @param firstEntryOffset start of the first entry, in bytes; 0 if the header is not whole
 * @param hasTrailer the file ends with its trailer: it was closed in good order
 * @param length the file's length when it was opened, in bytes
 */
public record WalFileInfo(
    String path,
    String writerClass,
    String codecClass,
    WalCompression compression,
    boolean isChecksummed,
    long firstEntryOffset,
    boolean hasTrailer,
    long length) {}
