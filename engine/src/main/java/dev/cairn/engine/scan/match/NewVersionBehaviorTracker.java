package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import java.util.Arrays;

/**
 * The rule of families with {@code NEW_VERSION_BEHAVIOR}: the result is that of a store that
 * applies each write at once, in the order of sequence numbers. A marker hides the cells that were
 * written before it (or with it); a put replaces an older one with the same timestamp; and a
 * version that was ever beyond the family's VERSIONS is gone for good, whatever is deleted later.
 *
 * <p>So every put has a life, from its own sequence to that of the write that ended it, and it can
 * be seen if its life has no end. Puts come by newest timestamp first, so the lives of all versions
 * that may push one out are known when it comes. Lives that a marker of the column or family ended
 * need not be kept: such a marker ended those of all older versions that they could have pushed
 * out, too.
 *
 * <p>Where no marker is, and no version was written twice, that comes down to counting: what a put
 * costs does not depend on how many came before it.
 */
public final class NewVersionBehaviorTracker extends DeleteTracker {
  private static final long FOREVER = VersionLives.FOREVER;

  /** Markers that hide their timestamp and before. Timestamps descend as they come. */
  private static final class Hiding {
    /** Of those that no earlier one makes needless: timestamps descend, sequences ascend. */
    private long[] timestamps = new long[4];

    private long[] sequences = new long[4];
    private int size;

    void add(Cell marker) {
      long sequence = marker.sequence();
      if (size > 0 && sequences[size - 1] >= sequence) {
        return;
      }
      if (size == timestamps.length) {
        timestamps = Arrays.copyOf(timestamps, size * 2);
        sequences = Arrays.copyOf(sequences, size * 2);
      }
      timestamps[size] = marker.timestamp();
      sequences[size++] = sequence;
    }

    boolean hide(long timestamp, long sequence) {
      if (size == 0 || sequences[size - 1] < sequence) {
        return false;
      }
      // The latest written of those with this timestamp or a higher one.
      int low = 0;
      int high = size - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (timestamps[middle] >= timestamp) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return high >= 0 && sequences[high] >= sequence;
    }
  }

  /** Markers that hide exactly one timestamp. Timestamps descend as they come, then sequences. */
  private static final class Ending {
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

    /** Forgets the markers of other timestamps than {@code timestamp}, if there are any. */
    void keepOnly(long timestamp) {
      if (size > 0 && timestamps[size - 1] != timestamp) {
        size = 0;
      }
    }

    /**
     * Returns the sequence at which the first marker of this timestamp ends a put: after all puts
     * of the marker's own write, which come before its markers.
     */
    long end(long timestamp, long sequence) {
      if (size == 0) {
        return FOREVER;
      }
      long end = FOREVER;
      for (int i = first(timestamp);
          i < size && timestamps[i] == timestamp && sequences[i] >= sequence;
          i++) {
        end = sequences[i] + 1;
      }
      return end;
    }

    private int first(long timestamp) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (timestamps[middle] > timestamp) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  private final int maxVersions;
  private final Hiding families = new Hiding();
  private final Ending familyVersions = new Ending();
  private final Hiding columns = new Hiding();

  /** Those of the timestamp that came last; the others' puts have all come by. */
  private final Ending versions = new Ending();

  private final VersionLives lives;

  /** True if the row has markers of the family; the next field, of the column. */
  private boolean rowMarked;

  private boolean columnMarked;
  private int visible;
  private boolean hasLast;
  private long lastTimestamp;
  private long lastSequence;

  /**
   * Creates a tracker.
   *
   * @param maxVersions the family's VERSIONS
   */
  public NewVersionBehaviorTracker(int maxVersions) {
    this.maxVersions = maxVersions;
    this.lives = new VersionLives(maxVersions);
  }

  @Override
  boolean isLarge() {
    return true; // it may have seen many markers and versions
  }

  @Override
  public void startRow() {
    families.size = 0;
    familyVersions.size = 0;
    rowMarked = false;
    startColumn();
  }

  @Override
  public void startColumn() {
    columns.size = 0;
    versions.size = 0;
    columnMarked = false;
    lives.clear();
    visible = 0;
    hasLast = false;
  }

  @Override
  public boolean add(Cell marker) {
    switch (CellType.of(marker.typeCode())) {
      case DELETE_FAMILY -> {
        rowMarked = true;
        families.add(marker);
      }
      case DELETE_FAMILY_VERSION -> {
        rowMarked = true;
        familyVersions.add(marker);
      }
      case DELETE_COLUMN -> {
        columnMarked = true;
        columns.add(marker);
      }
      case DELETE -> {
        columnMarked = true;
        versions.keepOnly(marker.timestamp());
        versions.add(marker);
      }
      default -> throw new IllegalArgumentException("Not a delete marker: " + marker);
    }
    return false;
  }

  @Override
  public Verdict check(Cell put) {
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
    long deleted = FOREVER;
    long deletedWithFamily = FOREVER;
    if (rowMarked || columnMarked) {
      if (families.hide(timestamp, start)) {
        return Verdict.FAMILY_DELETED;
      }
      if (columns.hide(timestamp, start)) {
        return Verdict.COLUMN_DELETED;
      }
      deleted = versions.end(timestamp, start);
      deletedWithFamily = familyVersions.end(timestamp, start);
    }
    long end = Math.min(overwritten, Math.min(deleted, deletedWithFamily));
    end = Math.min(end, lives.firstFull(start, end));
    if (end > start) {
      lives.add(start, end);
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

  @Override
  boolean isIdle() {
    return !rowMarked;
  }

  /** Tells whether a marker of the column or the family hides the put. */
  public boolean isDeletedWithColumn(Cell put) {
    long timestamp = put.timestamp();
    long sequence = put.sequence();
    return families.hide(timestamp, sequence) || columns.hide(timestamp, sequence);
  }
}
