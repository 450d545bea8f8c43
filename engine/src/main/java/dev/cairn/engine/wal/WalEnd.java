package dev.cairn.engine.wal;

/**
 * How a log file ends.
 *
 * @param kind what was found behind the last whole entry
 * @param offset where the last whole entry ends, in bytes
 * @param fileLength the file's length in bytes
 * @param detail for people: what is wrong at {@code offset}; empty if nothing is
 */
public record WalEnd(Kind kind, long offset, long fileLength, String detail) {
  /** What stands behind the last whole entry. */
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

  /** Tells whether bytes behind the last whole entry are given up. */
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
