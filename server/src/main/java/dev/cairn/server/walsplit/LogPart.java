package dev.cairn.server.walsplit;

import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import java.util.Set;
import java.util.TreeSet;

/**
 * One part of a dead server's log: the entries of some of the regions. A log of {@code hbase:meta}
 * is one part. Any other log has {@value #REGION_PARTS} parts; a hash of its encoded name assigns
 * each region to one of them.
 *
 * @param kind the kind of log
 * @param index the number of the part, from 0
 */
public record LogPart(LogKind kind, int index) {
  /** The number of parts of a log, except that of {@code hbase:meta}. */
  public static final int REGION_PARTS = 32;

  /** Checks the index. */
  public LogPart {
    if (index < 0 || index >= count(kind)) {
      throw new IllegalArgumentException(
          "A log of this kind (" + kind + ") has no part " + index + ", but " + count(kind));
    }
  }

  /** Returns the number of parts of a kind of log. */
  public static int count(LogKind kind) {
    return kind == LogKind.META ? 1 : REGION_PARTS;
  }

  /** Returns the part that has the entries of a region, given its encoded name. */
  public static LogPart of(LogKind kind, String region) {
    return new LogPart(kind, Math.floorMod(region.hashCode(), count(kind)));
  }

  /** Returns the indexes of all parts of a kind of log; the caller may change the set. */
  public static Set<Integer> all(LogKind kind) {
    Set<Integer> all = new TreeSet<>();
    for (int index = 0; index < count(kind); index++) {
      all.add(index);
    }
    return all;
  }
}
