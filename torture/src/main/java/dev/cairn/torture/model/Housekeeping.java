package dev.cairn.torture.model;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.KeepDeletedCells;
import java.util.List;

/**
 * The cells of one family of one row that flushes and compactions may remove. Removal changes
 * answers only in the ways that HBase's reference guide documents: after a major compaction has
 * removed a delete marker, a later put with an older timestamp is seen; after it has removed what
 * was beyond VERSIONS, that does not come back when a newer version is deleted; and raw scans and
 * scans of past times see what is left.
 */
final class Housekeeping {
  private final FamilyReader reader;
  private final FamilySchema schema;
  private final List<Version> filed;
  private final List<Version> markers;
  private final boolean major;

  /**
   * Creates the rules.
   *
   * @param all the family's cells, in the order of writing
   * @param major whether a major compaction may have been at work; else flushes and minor ones
   */
  Housekeeping(FamilyReader reader, List<Version> all, boolean major) {
    this.reader = reader;
    this.schema = reader.schema();
    this.filed =
        all.stream().filter(cell -> cell.filed() && !cell.isExpiredByTag(reader.now())).toList();
    this.markers = filed.stream().filter(cell -> !cell.isPut()).toList();
    this.major = major;
  }

  /** Tells whether a cell that a raw scan would show may be gone. */
  boolean mayRemove(Version cell) {
    boolean expired = cell.isExpired(schema, reader.now());
    if (expired && schema.minVersions() == 0) {
      return true;
    }
    return cell.filed()
        && (cell.isPut() ? mayRemovePut(cell, expired) : mayRemoveMarker(cell, expired));
  }

  private boolean mayRemovePut(Version put, boolean expired) {
    if (isHiddenForGood(put)) {
      return true;
    }
    if (!major) {
      return false;
    }
    if (schema.newVersionBehavior()) {
      List<Version> column =
          filed.stream().filter(cell -> cell.isPut() && cell.sameColumn(put)).toList();
      return expired || !reader.visible(column, markers).contains(put);
    }
    long newer =
        versionsAbove(put, !keepsDeleted() || markers.stream().noneMatch(m -> m.hides(put)));
    return newer >= schema.maxVersions() || expired && newer >= schema.minVersions();
  }

  private boolean mayRemoveMarker(Version marker, boolean expired) {
    if (!major) {
      return false;
    }
    if (filed.stream()
        .filter(put -> put.isPut() && put.timestamp() <= marker.timestamp())
        .allMatch(this::mayRemove)) {
      return true; // even a marker that is kept goes when no put at all is as old
    }
    return switch (schema.keepDeletedCells()) {
      case FALSE -> true;
      // Of a marker that is kept nothing is left to hide once all that is older goes.
      case TRUE -> isBelowVersions(marker);
      case TTL -> expired || isBelowVersions(marker);
    };
  }

  /**
   * Tells whether a marker lies below as many versions as are kept. Hidden ones count, too, if no
   * put of the column stays that is as old as the marker.
   */
  private boolean isBelowVersions(Version marker) {
    return versionsAbove(marker, true) >= schema.maxVersions()
        || versionsAbove(marker, false) >= schema.maxVersions()
            && filed.stream()
                .filter(put -> put.isPut() && put.sameColumn(marker))
                .filter(put -> put.timestamp() <= marker.timestamp())
                .allMatch(this::mayRemove);
  }

  /** Tells whether a marker hides a put from all present and future readers. */
  private boolean isHiddenForGood(Version put) {
    return markers.stream()
        .filter(marker -> marker.hides(put))
        .filter(marker -> !schema.newVersionBehavior() || marker.write() >= put.write())
        .anyMatch(
            marker ->
                switch (schema.keepDeletedCells()) {
                  case FALSE -> true;
                  case TRUE -> false;
                  case TTL -> major && marker.isExpired(schema, reader.now());
                });
  }

  /**
   * Returns the number of newer versions of the column that stay for as long as this cell would:
   * none that has a time to live of its own.
   */
  private long versionsAbove(Version cell, boolean onlyVisible) {
    return filed.stream()
        .filter(other -> other.isPut() && other.sameColumn(cell) && !other.isMortal())
        .filter(other -> other.timestamp() > cell.timestamp())
        .filter(other -> !onlyVisible || markers.stream().noneMatch(m -> m.hides(other)))
        .mapToLong(Version::timestamp)
        .distinct()
        .count();
  }

  private boolean keepsDeleted() {
    return schema.keepDeletedCells() != KeepDeletedCells.FALSE;
  }

  /**
   * Tells whether a cell that no raw scan shows, because a later write of the same key hides it,
   * went with the others when a major compaction removed something.
   */
  boolean isGoneWith(Version cell, List<Version> gone) {
    return cell.filed()
        && (gone.stream().anyMatch(other -> other.sameKey(cell))
            || !gone.isEmpty() && schema.newVersionBehavior() && isOverwritten(cell));
  }

  private boolean isOverwritten(Version cell) {
    return !FamilyReader.withoutOverwritten(filed).contains(cell);
  }
}
