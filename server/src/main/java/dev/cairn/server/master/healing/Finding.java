package dev.cairn.server.master.healing;

/**
 * One problem of the catalog or a server, and its repair.
 *
 * @param subject its subject: a table's, a region's or a server's name, or {@code hbase:meta}
 * @param found the problem; a sentence without a full stop
 * @param done the repair by the master or the server, or the remaining work; a sentence without a
 *     full stop
 */
public record Finding(Kind kind, String subject, String found, String done) {
  /** The prefix of {@code done} if the master cannot repair the problem. */
  static final String NOTHING = "Nothing. ";

  /** The kinds of problems. */
  public enum Kind {
    /** {@code hbase:meta} had no rows at all. */
    EMPTY_CATALOG,
    /** A table had no state. */
    LOST_TABLE_STATE,
    /** A region had no row, or one that did not describe it. */
    LOST_ROW,
    /** A region's row lacked columns. */
    LOST_COLUMNS,
    /** A row described no region, and no directory did. */
    EMPTY_ROW,
    /** A region that was split or merged had no row, and others refer to its files. */
    LOST_PARENT,
    /** A region that was split had nothing in its place. */
    LOST_HEIRS,
    /** A directory is left of a split or merge that was not decided, or of nothing. */
    LEFTOVER,
    /** Rows belonged to no region. */
    HOLE,
    /** Rows belonged to several regions. */
    OVERLAP,
    /** A directory does not name its region. */
    UNREADABLE_DIRECTORY,
    /** A table has a directory, and cannot be served. */
    UNSERVED_TABLE,
    /** A server ended because others believed it dead, and has restarted itself. */
    STARTED_AGAIN
  }

  /** Tells whether the master did something about it. */
  boolean isMended() {
    return !done.startsWith(NOTHING);
  }
}
