package dev.cairn.engine.wal.file;

/**
 * The end of a log file.
 *
 * @param kind kind of the bytes after the last whole entry
 * @param offset end of the last whole entry, in bytes
 * @param fileLength the file's length in bytes
 * @param detail description of the problem at {@code offset}; empty if there is none
 */
public record WalEnd(Kind kind, long offset, long fileLength, String detail) {
  /** The kind of bytes after the last whole entry. */
  public enum Kind {
    /** The trailer: the file was closed in good order. */
    CLOSED,
    /** Nothing: the writer stopped between two entries. */
    UNCLOSED,
    /** Part of an entry, or entries that never were synced: the writer stopped while it wrote. */
    TORN,
    /** Zeros only: the file system had made room, and the power went before the bytes came. */
    ZEROS
  }

  /** Tells whether bytes after the last whole entry are discarded. */
  public boolean isTorn() {
    return kind == Kind.TORN || kind == Kind.ZEROS;
  }

  @Override
  public String toString() {
    return isTorn()
        ? "ends torn at offset %d of %d (%s)".formatted(offset, fileLength, detail)
        : kind == Kind.CLOSED ? "ends with its trailer" : "ends without trailer";
  }
}
