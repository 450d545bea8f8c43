package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import java.util.Arrays;

/**
 * HBase's classic rule: a marker hides by timestamp alone, whatever was written first. Timestamps
 * descend within a column, and with them those of the family's markers, which share the column with
 * the empty qualifier.
 */
public final class ClassicDeleteTracker extends DeleteTracker {
  private static final long NONE = Long.MIN_VALUE;
  private static final long[] NO_VERSIONS = {};
  private static final int KEPT_VERSIONS_MAX = 64;

  private long family = NONE;
  private long column = NONE;
  private long version = NONE;

  /** Timestamps of single versions of the family that are hidden, descending. */
  private long[] familyVersions = NO_VERSIONS;

  private int familyVersionCount;

  @Override
  boolean isLarge() {
    return familyVersions.length > KEPT_VERSIONS_MAX;
  }

  @Override
  public void startRow() {
    family = NONE;
    familyVersionCount = 0;
    startColumn();
  }

  @Override
  public void startColumn() {
    column = NONE;
    version = NONE;
  }

  @Override
  public boolean add(Cell marker) {
    long timestamp = marker.timestamp();
    switch (CellType.of(marker.typeCode())) {
      case DELETE_FAMILY -> family = Math.max(family, timestamp);
      case DELETE_FAMILY_VERSION -> {
        if (familyVersionCount == familyVersions.length) {
          familyVersions = Arrays.copyOf(familyVersions, Math.max(4, familyVersionCount * 2));
        }
        familyVersions[familyVersionCount++] = timestamp;
      }
      case DELETE_COLUMN -> {
        column = Math.max(column, timestamp);
        return true;
      }
      case DELETE -> version = timestamp;
      default -> throw new IllegalArgumentException("Not a delete marker: " + marker);
    }
    return false;
  }

  @Override
  public Verdict check(Cell put) {
    if (family == NONE && column == NONE && version == NONE && familyVersionCount == 0) {
      return Verdict.VISIBLE;
    }
    long timestamp = put.timestamp();
    if (timestamp <= family && family != NONE) {
      return Verdict.FAMILY_HIDDEN;
    }
    if (timestamp <= column && column != NONE) {
      return Verdict.COLUMN_HIDDEN;
    }
    if (timestamp == version && version != NONE) {
      return Verdict.VERSION_DELETED;
    }
    return hidesFamilyVersion(timestamp) ? Verdict.FAMILY_VERSION_DELETED : Verdict.VISIBLE;
  }

  @Override
  boolean isIdle() {
    return family == NONE && familyVersionCount == 0;
  }

  private boolean hidesFamilyVersion(long timestamp) {
    int low = 0;
    int high = familyVersionCount - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (familyVersions[middle] == timestamp) {
        return true;
      }
      if (familyVersions[middle] > timestamp) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }
}
