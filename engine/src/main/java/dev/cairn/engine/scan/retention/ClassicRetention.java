package dev.cairn.engine.scan.retention;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.DeleteRule;
import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.scan.match.ClassicDeleteTracker;
import dev.cairn.engine.scan.match.DeleteTracker;
import dev.cairn.engine.scan.match.Expiry;
import dev.cairn.engine.scan.match.SuppliedDeleteTracker;
import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.Optional;

/**
 * The retention rules for families whose markers hide by timestamp alone.
 *
 * <p>Only <em>settled</em> cells cause others to be dropped: those that every open and future scan
 * sees for as long as it sees the others, so none after the oldest read point and none with its own
 * time to live. And a version counts towards VERSIONS only if no marker at all hides it.
 *
 * <p>A supplied rule may tell writes of one version apart, by their tags or sequence numbers. Such
 * writes are no duplicates then: a later marker does not replace another one, and a later put
 * replaces another one only if it is visible for good. Flushes and minor compactions keep both.
 */
final class ClassicRetention extends VersionRetention {
  private final CompactionCursor.Mode mode;
  private final int maxVersions;
  private final int minVersions;
  private final long oldestReadPoint;
  private final DeleteMarkerPurge purge;

  /** Whether a rule from outside decides what markers hide. */
  private final boolean supplied;

  /** The settled markers whose cells go. */
  private final DeleteTracker forGood;

  /** The settled markers. */
  private final DeleteTracker settled;

  /** All markers. */
  private final DeleteTracker all;

  private int visibleVersions;
  private int allVersions;
  private int lastType;
  private long lastTimestamp;

  ClassicRetention(
      FamilySchema family,
      CompactionCursor.Mode mode,
      long oldestReadPoint,
      DeleteMarkerPurge purge,
      DeleteRules deletes)
      throws IOException {
    this.forGood = tracker(family, deletes);
    this.supplied = forGood instanceof SuppliedDeleteTracker;
    boolean counts = mode == CompactionCursor.Mode.MAJOR;
    this.settled = counts ? tracker(family, deletes) : new ClassicDeleteTracker();
    this.all = counts ? tracker(family, deletes) : new ClassicDeleteTracker();
    this.mode = mode;
    this.maxVersions = family.maxVersions();
    this.minVersions = family.minVersions();
    this.oldestReadPoint = oldestReadPoint;
    this.purge = purge;
  }

  private static DeleteTracker tracker(FamilySchema family, DeleteRules deletes)
      throws IOException {
    Optional<DeleteRule> rule = deletes.of(family);
    return rule.isPresent() ? new SuppliedDeleteTracker(rule.get()) : new ClassicDeleteTracker();
  }

  @Override
  void startRow() {
    forGood.startRow();
    settled.startRow();
    all.startRow();
  }

  @Override
  void startColumn() {
    forGood.startColumn();
    settled.startColumn();
    all.startColumn();
    visibleVersions = 0;
    allVersions = 0;
    lastType = -1;
  }

  @Override
  boolean retain(Cell cell, boolean expired) {
    boolean isSettled = cell.sequence() <= oldestReadPoint && !Expiry.hasTtlTag(cell);
    int type = cell.typeCode();
    long timestamp = cell.timestamp();
    if (type == lastType && timestamp == lastTimestamp) {
      return false;
    }
    if (isSettled && !supplied) {
      lastType = type;
      lastTimestamp = timestamp;
    }
    return CellType.isDelete(type)
        ? retainMarker(cell, type, isSettled)
        : retainPut(cell, isSettled, expired);
  }

  private boolean retainMarker(Cell marker, int type, boolean isSettled) {
    all.add(marker);
    if (!isSettled) {
      return true;
    }
    settled.add(marker);
    if (purge.hidesForGood(marker)) {
      forGood.add(marker);
      return !purge.mayGo(marker);
    }
    if (purge.hidesNothing(marker)) {
      return false;
    }
    // Of a kept marker nothing is left to hide once all older versions of its column go.
    boolean ofColumn = type == CellType.DELETE.code() || type == CellType.DELETE_COLUMN.code();
    return !(mode == CompactionCursor.Mode.MAJOR && ofColumn && visibleVersions >= maxVersions);
  }

  private boolean retainPut(Cell put, boolean isSettled, boolean expired) {
    if (forGood.check(put) != DeleteTracker.Verdict.VISIBLE) {
      return false;
    }
    if (mode != CompactionCursor.Mode.MAJOR) {
      return true;
    }
    // A cell that is kept although deleted must not outnumber VERSIONS either.
    boolean deleted = settled.check(put) != DeleteTracker.Verdict.VISIBLE;
    if ((deleted ? allVersions : visibleVersions) >= maxVersions
        || expired && visibleVersions >= minVersions) {
      return false;
    }
    if (isSettled) {
      allVersions++;
      if (all.check(put) == DeleteTracker.Verdict.VISIBLE) {
        visibleVersions++;
        lastType = CellType.PUT.code();
        lastTimestamp = put.timestamp();
      }
    }
    return true;
  }
}
