package dev.cairn.engine.scan.retention;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.match.DeleteTracker;
import dev.cairn.engine.scan.match.NewVersionBehaviorTracker;
import dev.cairn.engine.schema.FamilySchema;

/**
 * The retention rules for families in which the write order decides ({@code NEW_VERSION_BEHAVIOR}).
 *
 * <p>A major compaction keeps, of all writes up to the oldest read point, those that are visible
 * there: later writes act on nothing else. A flush or a minor compaction knows only a part of the
 * writes; it drops the cells that a marker of the column or family hides, because that holds
 * whatever else was written.
 *
 * <p>Cells with a time to live of their own count while they live: cells that they hid or pushed
 * out are gone and do not come back when they expire. Expired versions stay while any read sees
 * them: MIN_VERSIONS may need them once newer ones are deleted.
 */
final class NewVersionRetention extends VersionRetention {
  private final CompactionCursor.Mode mode;
  private final long oldestReadPoint;
  private final DeleteMarkerPurge purge;
  private final boolean keepsDeleted;

  /** The versions that scans see. */
  private final NewVersionBehaviorTracker visible;

  /** The versions that scans would see without markers; deleted ones among them may be kept. */
  private final NewVersionBehaviorTracker undeleted;

  NewVersionRetention(
      FamilySchema family,
      CompactionCursor.Mode mode,
      long oldestReadPoint,
      DeleteMarkerPurge purge) {
    this.mode = mode;
    this.oldestReadPoint = oldestReadPoint;
    this.purge = purge;
    this.keepsDeleted = family.keepDeletedCells() != FamilySchema.KeepDeletedCells.FALSE;
    this.visible = new NewVersionBehaviorTracker(family.maxVersions());
    this.undeleted = new NewVersionBehaviorTracker(family.maxVersions());
  }

  @Override
  void startRow() {
    visible.startRow();
    if (keepsDeleted) {
      undeleted.startRow();
    }
  }

  @Override
  void startColumn() {
    visible.startColumn();
    if (keepsDeleted) {
      undeleted.startColumn();
    }
  }

  @Override
  boolean retain(Cell cell, boolean expired) {
    if (cell.sequence() > oldestReadPoint) {
      return true;
    }
    if (cell.isDelete()) {
      visible.add(cell);
      return keepsDeleted ? !purge.hidesNothing(cell) : !purge.mayGo(cell);
    }
    if (mode != CompactionCursor.Mode.MAJOR) {
      return keepsDeleted || !visible.isDeletedWithColumn(cell);
    }
    boolean seen = visible.check(cell) == DeleteTracker.Verdict.VISIBLE;
    if (keepsDeleted) {
      return undeleted.check(cell) == DeleteTracker.Verdict.VISIBLE || seen;
    }
    return seen;
  }
}
