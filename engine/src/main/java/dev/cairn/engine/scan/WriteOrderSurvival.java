package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.schema.FamilySchema;

/**
 * What survives where the order of writing decides ({@code NEW_VERSION_BEHAVIOR}).
 *
 * <p>A major compaction keeps, of all that was written up to the oldest read point, what is visible
 * there: later writes act on nothing else. A minor compaction knows only a part of the writes; it
 * drops what a marker of the column or family hides, which holds whatever else was written.
 */
final class WriteOrderSurvival extends SurvivalRule {
  private final CompactionCursor.Mode mode;
  private final int minVersions;
  private final long oldestReadPoint;
  private final MarkerPurge purge;
  private final boolean keepsDeleted;

  /** What scans see. */
  private final WriteOrderDeletes visible;

  /** What scans would see without markers: of deleted cells that are kept, as many are. */
  private final WriteOrderDeletes undeleted;

  private int visibleVersions;

  WriteOrderSurvival(
      FamilySchema family, CompactionCursor.Mode mode, long oldestReadPoint, MarkerPurge purge) {
    this.mode = mode;
    this.minVersions = family.minVersions();
    this.oldestReadPoint = oldestReadPoint;
    this.purge = purge;
    this.keepsDeleted = family.keepDeletedCells() != FamilySchema.KeepDeletedCells.FALSE;
    this.visible = new WriteOrderDeletes(family.maxVersions());
    this.undeleted = new WriteOrderDeletes(family.maxVersions());
  }

  @Override
  void startRow() {
    visible.startRow();
    undeleted.startRow();
  }

  @Override
  void startColumn() {
    visible.startColumn();
    undeleted.startColumn();
    visibleVersions = 0;
  }

  @Override
  boolean survives(Cell cell, boolean expired) {
    if (mode == CompactionCursor.Mode.FLUSH || cell.sequence() > oldestReadPoint) {
      return true;
    }
    // What may expire before the rest is judged, but makes nothing else go.
    boolean settled = !Expiry.hasTtlTag(cell);
    if (cell.isDelete()) {
      if (settled) {
        visible.add(cell);
      }
      return !settled || keepsDeleted || !purge.mayGo(cell);
    }
    if (mode == CompactionCursor.Mode.MINOR) {
      return keepsDeleted || !visible.isDeletedWithColumn(cell);
    }
    boolean seen = visible.check(cell, settled) == DeleteTracker.Verdict.VISIBLE;
    if (keepsDeleted) {
      return undeleted.check(cell, settled) == DeleteTracker.Verdict.VISIBLE || seen;
    }
    if (!seen || expired && visibleVersions >= minVersions) {
      return false;
    }
    visibleVersions += settled ? 1 : 0;
    return true;
  }
}
