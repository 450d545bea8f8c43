package dev.cairn.engine.scan.retention;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.match.Expiry;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.KeepDeletedCells;

/** Decides whether delete markers, and the cells that they hide, are dropped. */
final class DeleteMarkerPurge {
  private final KeepDeletedCells keep;
  private final boolean major;
  private final Expiry expiry;
  private final long now;
  private final long purgeAfterMillis;
  private final long earliestPut;

  DeleteMarkerPurge(
      FamilySchema family,
      CompactionCursor.Mode mode,
      Expiry expiry,
      long now,
      long purgeAfterMillis,
      long earliestPut) {
    this.keep = family.keepDeletedCells();
    this.major = mode == CompactionCursor.Mode.MAJOR;
    this.expiry = expiry;
    this.now = now;
    this.purgeAfterMillis = purgeAfterMillis;
    this.earliestPut = earliestPut;
  }

  /** Tells whether cells that the marker hides can never be asked for again. */
  boolean hidesForGood(Cell marker) {
    return switch (keep) {
      case FALSE -> true;
      case TRUE -> false;
      case TTL -> major && expiry.isExpired(marker.timestamp());
    };
  }

  /** Tells whether the marker itself may go once all that it hides does. */
  boolean mayGo(Cell marker) {
    return major
        && hidesForGood(marker)
        && (purgeAfterMillis <= 0 || now - marker.timestamp() > purgeAfterMillis);
  }

  /**
   * Tells whether a marker may be dropped although the puts that it hides are kept: there is no
   * such put.
   */
  boolean hidesNothing(Cell marker) {
    return major && marker.timestamp() < earliestPut;
  }
}
