package dev.cairn.torture.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Records the answers that clients received, and checks each against the earlier ones. Rows contain
 * numbers that only grow, so each answer bounds all later ones, also those of other clients.
 *
 * <p>There are three kinds of rows. One client puts growing values to a register, and deletes it
 * now and then; a deletion is a value, too, and a reader sees it as an absent row. All clients
 * increment a counter. All clients change a switch by check-and-put, from one number to the next.
 */
final class History {
  /** The bounds of one row. */
  private static final class Row {
    /** The lowest value that a client may read from now on. */
    private long least;

    /** No client may read more: the largest number that a client tried to write. */
    private long most;

    /** The number of acknowledged increments. */
    private long increments;

    /** The values of successful conditional puts; each can succeed once. */
    private final Set<Long> changes = new HashSet<>();

    /** The values that represent a deletion. */
    private final NavigableSet<Long> deletions = new TreeSet<>();

    /** Returns the least value that a reader may have seen that began at {@code leastAtBegin}. */
    private OptionalLong seen(OptionalLong value, long leastAtBegin) {
      if (value.isPresent()) {
        boolean isPossible =
            value.getAsLong() >= leastAtBegin
                && value.getAsLong() <= most
                && !deletions.contains(value.getAsLong());
        return isPossible ? value : OptionalLong.empty();
      }
      if (leastAtBegin == 0) {
        return OptionalLong.of(0);
      }
      Long deletion = deletions.ceiling(leastAtBegin);
      return deletion == null ? OptionalLong.empty() : OptionalLong.of(deletion);
    }

    /**
     * Returns the least value that a reader may have seen that began at {@code leastAtBegin} and
     * found no number in a range.
     */
    private OptionalLong seenOutside(long from, long to, long leastAtBegin) {
      if (leastAtBegin < from || leastAtBegin > to) {
        return OptionalLong.of(leastAtBegin);
      }
      OptionalLong absent = seen(OptionalLong.empty(), leastAtBegin);
      OptionalLong above = to < most ? OptionalLong.of(to + 1) : OptionalLong.empty();
      if (absent.isEmpty() || above.isEmpty()) {
        return absent.isPresent() ? absent : above;
      }
      return OptionalLong.of(Math.min(absent.getAsLong(), above.getAsLong()));
    }
  }

  private final NavigableMap<String, Row> rows = new TreeMap<>();
  private final List<String> errors = new ArrayList<>();
  private long acknowledged;
  private long unknown;
  private long reads;
  private long replicaReads;

  private Row row(String name) {
    return rows.computeIfAbsent(name, none -> new Row());
  }

  /** Returns the violations that were found. */
  List<String> errors() {
    return errors;
  }

  /** Records that a scan returned rows in the wrong order, or one twice. */
  void disorder(String before, String row) {
    errors.add("A scan returned %s after %s".formatted(row, before));
  }

  /** Records that a scan returned a row that its filter does not let pass. */
  void unwanted(String row, long value, String wanted) {
    errors.add("%s: a scan for %s returned %d".formatted(row, wanted, value));
  }

  /** Returns the rows that clients have read or written. */
  Set<String> rows() {
    return rows.keySet();
  }

  /** Returns the number of acknowledged changes. */
  long acknowledged() {
    return acknowledged;
  }

  /** Returns the number of changes whose outcome is unknown. */
  long unknown() {
    return unknown;
  }

  /** Returns the number of answered reads. */
  long reads() {
    return reads;
  }

  /** Records that a put of {@code value} begins. */
  void beginPut(String name, long value) {
    Row row = row(name);
    row.most = Math.max(row.most, value);
  }

  /** Records the begin of a deletion, and the value that represents it. */
  void beginDelete(String name, long value) {
    beginPut(name, value);
    row(name).deletions.add(value);
  }

  /** Records that an increment begins. */
  void beginIncrement(String name) {
    row(name).most++;
  }

  /** Records an acknowledged put or deletion. */
  void put(String name, long value) {
    acknowledged++;
    Row row = row(name);
    row.least = Math.max(row.least, value);
  }

  /** Records a conditional put that succeeded; only one with this value can. */
  void change(String name, long value) {
    put(name, value);
    if (!row(name).changes.add(value)) {
      errors.add(name + ": two conditional puts of " + value + " succeeded");
    }
  }

  /**
   * Records an acknowledged increment.
   *
   * @param returned the counter after the increment, or a later value if the client repeated the
   *     call after a crash
   * @param leastAtBegin {@link #least} when it began
   */
  void increment(String name, long returned, long leastAtBegin) {
    Row row = row(name);
    row.increments++;
    put(name, returned);
    if (returned <= leastAtBegin || returned > row.most) {
      errors.add(
          "%s: an increment returned %d, but %d was seen before, and %d were attempted"
              .formatted(name, returned, leastAtBegin, row.most));
    }
  }

  /** Records the answer to a repeat of an increment that was acknowledged before. */
  void repeated(String name, long returned) {
    Row row = row(name);
    if (returned > row.most) {
      errors.add(
          "%s: a repeated increment returned %d, but %d were attempted"
              .formatted(name, returned, row.most));
    }
  }

  /** Records that the outcome of a write is unknown. */
  void lostSight() {
    unknown++;
  }

  /**
   * Returns what a scan that begins now must see: the {@linkplain #least least value} of each row.
   *
   * @param stop the row after the last one; empty for no limit
   */
  NavigableMap<String, Long> leasts(String start, String stop) {
    NavigableMap<String, Long> leasts = new TreeMap<>();
    (stop.isEmpty() ? rows.tailMap(start, true) : rows.subMap(start, true, stop, false))
        .forEach((name, row) -> leasts.put(name, row.least));
    return leasts;
  }

  /** Returns the least value that a read or change that begins now must see. */
  long least(String name) {
    return row(name).least;
  }

  /**
   * Records an answered read.
   *
   * @param leastAtBegin {@link #least} when it began
   */
  void read(String name, OptionalLong value, long leastAtBegin) {
    reads++;
    Row row = row(name);
    OptionalLong seen = row.seen(value, leastAtBegin);
    if (seen.isEmpty()) {
      errors.add(
          "%s: read %s, but %d was acknowledged or read before, and at most %d was written%s"
              .formatted(
                  name,
                  value.isEmpty() ? "nothing" : value.getAsLong(),
                  leastAtBegin,
                  row.most,
                  row.deletions.isEmpty() ? "" : "; deletions: " + row.deletions));
    }
    row.least = Math.max(row.least, seen.orElse(value.orElse(0)));
  }

  /**
   * Records that a scan for numbers in a range did not return a row.
   *
   * @param from the least number that the scan wants
   * @param to the greatest number that the scan wants
   * @param leastAtBegin {@link #least} when it began
   */
  void leftOut(String name, long from, long to, long leastAtBegin) {
    reads++;
    seenOutside("a scan", name, from, to, leastAtBegin);
  }

  /**
   * As {@link #leftOut}, of a scan of a replica.
   *
   * @param leastAtBegin what the client had read from this replica before
   * @return what the client must read from this replica from now on
   */
  long leftOutByReplica(String name, long from, long to, long leastAtBegin) {
    replicaReads++;
    return seenOutside("a scan of a replica", name, from, to, leastAtBegin);
  }

  private long seenOutside(String scan, String name, long from, long to, long leastAtBegin) {
    Row row = row(name);
    OptionalLong other = row.seenOutside(from, to, leastAtBegin);
    if (other.isEmpty()) {
      errors.add(
          "%s: %s for %d to %d did not return it, but %d was acknowledged or read before, and at most %d was written"
              .formatted(name, scan, from, to, leastAtBegin, row.most));
      return leastAtBegin;
    }
    row.least = Math.max(row.least, other.getAsLong());
    return other.getAsLong();
  }

  /**
   * Records an answer of a replica, which may be older than what clients read elsewhere, but not
   * newer: what a replica has seen, every later read must see.
   *
   * @param leastAtBegin what the client had read from this replica before
   * @return what the client must read from this replica from now on
   */
  long readReplica(String name, OptionalLong value, long leastAtBegin) {
    replicaReads++;
    Row row = row(name);
    OptionalLong seen = row.seen(value, leastAtBegin);
    if (seen.isEmpty()) {
      errors.add(
          "%s: a replica has %s, but the client had read %d from it, and at most %d was written"
              .formatted(
                  name, value.isEmpty() ? "nothing" : value.getAsLong(), leastAtBegin, row.most));
      return leastAtBegin;
    }
    row.least = Math.max(row.least, seen.getAsLong());
    return seen.getAsLong();
  }

  /** Returns the number of reads that replicas have answered. */
  long replicaReads() {
    return replicaReads;
  }

  /**
   * Records a row of a snapshot, which may be older than what clients read meanwhile.
   *
   * @param leastAtBegin {@link #least} when the snapshot began
   */
  void readCopy(String snapshot, String name, OptionalLong value, long leastAtBegin) {
    reads++;
    Row row = row(name);
    if (row.seen(value, leastAtBegin).isEmpty()) {
      errors.add(
          "%s: snapshot %s has %s, but %d was acknowledged or read before it, and at most %d was written"
              .formatted(
                  name,
                  snapshot,
                  value.isEmpty() ? "nothing" : value.getAsLong(),
                  leastAtBegin,
                  row.most));
    }
  }

  /** Records the last read of a row, when no operation runs any more. */
  void readLast(String name, OptionalLong value) {
    read(name, value, least(name));
    Row row = row(name);
    if (row.increments > value.orElse(0)) {
      errors.add(
          "%s: %d increments were acknowledged, and the counter is %d"
              .formatted(name, row.increments, value.orElse(0)));
    }
    if (row.increments > 0) {
      row.most =
          row.least; // increments that were never acknowledged can have no effect from now on
    }
  }
}
