package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.CellType;

/**
 * Counts the versions of one column, which come newest first. Cells with the timestamp and type of
 * the one before are older writes of the same version and are passed over; delete markers (in raw
 * scans) are no versions.
 */
final class VersionCounter {
  /** The decision about a cell. */
  enum Verdict {
    /** It counts. */
    TAKE,
    /** It is an older write of the version before it. */
    OVERWRITTEN,
    /** The maximum is reached; neither the cell nor the rest of its column is wanted. */
    FULL,
    /** It and all that follow of its column are expired, and not needed for the least number. */
    EXPIRED
  }

  private int maxVersions;
  private int minVersions;
  private int count;
  private long lastTimestamp;
  private int lastType;

  /**
   * A read begins.
   *
   * @param max how many versions there may be
   * @param min how many there may be although they are expired
   */
  void begin(int max, int min) {
    maxVersions = max;
    minVersions = min;
  }

  /** A column begins. */
  void startColumn() {
    count = 0;
    lastType = -1;
  }

  /** Decides about a cell, and counts it if it is taken. */
  Verdict check(long timestamp, int type, boolean expired) {
    if (type == lastType && timestamp == lastTimestamp) {
      return Verdict.OVERWRITTEN;
    }
    int next = CellType.isDelete(type) ? count : count + 1;
    if (next > maxVersions) {
      return Verdict.FULL;
    }
    if (expired && next > minVersions) {
      return Verdict.EXPIRED;
    }
    count = next;
    lastTimestamp = timestamp;
    lastType = type;
    return Verdict.TAKE;
  }

  /** Tells whether no further version can be taken of this column. */
  boolean isFull() {
    return count >= maxVersions;
  }
}
