package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import java.util.Arrays;

/**
 * The rule of families with {@code NEW_VERSION_BEHAVIOR}: the answer is that of a store that obeys
 * each write at once, in the order of sequence numbers. A marker hides what was written before it
 * (or with it); a put takes the place of an older one with the same timestamp; and a version that
 * was ever beyond the family's VERSIONS is gone for good, whatever is deleted later.
 *
 * <p>So every put has a life, from its own sequence to that of the write that ended it, and it can
 * be seen if its life has no end. Puts come by newest timestamp first, so the lives of all versions
 * that may push one out are known when it comes. Lives that a marker of the column or family ended
 * need not be kept: such a marker ended those of all older versions that they could have pushed
 * out, too.
 */
final class WriteOrderDeletes extends DeleteTracker {
  private static final long FOREVER = Long.MAX_VALUE;

  /** Markers with a timestamp and a sequence each. */
  private static final class Markers {
    private long[] timestamps = new long[4];
    private long[] sequences = new long[4];
    private int size;

    void add(Cell marker) {
      if (size == timestamps.length) {
        timestamps = Arrays.copyOf(timestamps, size * 2);
        sequences = Arrays.copyOf(sequences, size * 2);
      }
      timestamps[size] = marker.timestamp();
      sequences[size++] = marker.sequence();
    }

    /** Tells whether a marker hides a put, given that each hides its timestamp and before. */
    boolean hide(long timestamp, long sequence) {
      for (int i = 0; i < size; i++) {
        if (timestamps[i] >= timestamp && sequences[i] >= sequence) {
          return true;
        }
      }
      return false;
    }

    /**
     * Returns when the first marker of exactly this timestamp ends the life of a put: behind all
     * puts of the marker's own write, which come before its markers.
     */
    long end(long timestamp, long sequence) {
      long end = FOREVER;
      for (int i = 0; i < size; i++) {
        if (timestamps[i] == timestamp && sequences[i] >= sequence) {
          end = Math.min(end, sequences[i] + 1);
        }
      }
      return end;
    }
  }

  private final int maxVersions;
  private final Markers families = new Markers();
  private final Markers familyVersions = new Markers();
  private final Markers columns = new Markers();
  private final Markers versions = new Markers();

  private long[] lifeStarts = new long[4];
  private long[] lifeEnds = new long[4];
  private int lives;
  private int visible;
  private boolean hasLast;
  private long lastTimestamp;
  private long lastSequence;

  /**
   * Creates a tracker.
   *
   * @param maxVersions the family's VERSIONS
   */
  WriteOrderDeletes(int maxVersions) {
    this.maxVersions = maxVersions;
  }

  @Override
  void startRow() {
    families.size = 0;
    familyVersions.size = 0;
    startColumn();
  }

  @Override
  void startColumn() {
    columns.size = 0;
    versions.size = 0;
    lives = 0;
    visible = 0;
    hasLast = false;
  }

  @Override
  boolean add(Cell marker) {
    switch (CellType.of(marker.typeCode())) {
      case DELETE_FAMILY -> families.add(marker);
      case DELETE_FAMILY_VERSION -> familyVersions.add(marker);
      case DELETE_COLUMN -> columns.add(marker);
      case DELETE -> versions.add(marker);
      default -> throw new IllegalArgumentException("Not a delete marker: " + marker);
    }
    return false;
  }

  @Override
  Verdict check(Cell put) {
    if (visible >= maxVersions) {
      return Verdict.VERSION_LIMIT;
    }
    long timestamp = put.timestamp();
    long start = put.sequence();
    boolean again = hasLast && timestamp == lastTimestamp;
    // Writes of one version come latest first: this one's life ended with the one seen before.
    long overwritten = again ? lastSequence : FOREVER;
    hasLast = true;
    lastTimestamp = timestamp;
    lastSequence = start;
    if (families.hide(timestamp, start)) {
      return Verdict.FAMILY_DELETED;
    }
    if (columns.hide(timestamp, start)) {
      return Verdict.COLUMN_DELETED;
    }
    long deleted = versions.end(timestamp, start);
    long deletedWithFamily = familyVersions.end(timestamp, start);
    long end = Math.min(overwritten, Math.min(deleted, deletedWithFamily));
    end = Math.min(end, firstCrowdedMoment(start, end));
    if (end > start) {
      keep(start, end);
    }
    if (end == FOREVER) {
      visible++;
      return Verdict.VISIBLE;
    }
    if (end == overwritten) {
      return Verdict.OVERWRITTEN;
    }
    if (end == deleted) {
      return Verdict.VERSION_DELETED;
    }
    return end == deletedWithFamily ? Verdict.FAMILY_VERSION_DELETED : Verdict.PUSHED_OUT;
  }

  /** Tells whether a marker of the column or the family hides the put. */
  boolean isDeletedWithColumn(Cell put) {
    long timestamp = put.timestamp();
    long sequence = put.sequence();
    return families.hide(timestamp, sequence) || columns.hide(timestamp, sequence);
  }

  /** Returns when first, within a life, there are already as many newer versions as may be. */
  private long firstCrowdedMoment(long start, long end) {
    if (lives < maxVersions) {
      return FOREVER;
    }
    // The number of living versions grows only where a life starts.
    long first = livingAt(start) >= maxVersions ? start : FOREVER;
    for (int i = 0; i < lives && first != start; i++) {
      long moment = lifeStarts[i];
      if (moment > start && moment < end && moment < first && livingAt(moment) >= maxVersions) {
        first = moment;
      }
    }
    return first;
  }

  private int livingAt(long moment) {
    int count = 0;
    for (int i = 0; i < lives; i++) {
      if (lifeStarts[i] <= moment && moment < lifeEnds[i]) {
        count++;
      }
    }
    return count;
  }

  private void keep(long start, long end) {
    if (lives > 0 && lifeStarts[lives - 1] == end) {
      // An earlier write of the same version, or one that may as well be it: one longer life.
      lifeStarts[lives - 1] = start;
      return;
    }
    if (lives == lifeStarts.length) {
      lifeStarts = Arrays.copyOf(lifeStarts, lives * 2);
      lifeEnds = Arrays.copyOf(lifeEnds, lives * 2);
    }
    lifeStarts[lives] = start;
    lifeEnds[lives++] = end;
  }
}
