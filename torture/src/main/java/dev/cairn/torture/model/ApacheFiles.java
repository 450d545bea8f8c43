package dev.cairn.torture.model;

import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.KeepDeletedCells;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The cells of one family of one row that HBase 2.6 keeps when it flushes or compacts, as observed:
 * it also counts versions in flushes, so that a version beyond VERSIONS is gone before a newer one
 * is deleted. Families with NEW_VERSION_BEHAVIOR are not covered.
 */
final class ApacheFiles {
  private final FamilySchema schema;
  private final boolean major;
  private final long earliestPut;
  private final long now;
  private final List<Version> markers = new ArrayList<>();

  private ApacheFiles(FamilySchema schema, boolean major, long earliestPut, long now) {
    this.schema = schema;
    this.major = major;
    this.earliestPut = earliestPut;
    this.now = now;
  }

  /** Returns the family's cells after a flush of those in memory. */
  static List<Version> flushed(FamilySchema schema, List<Version> cells, long now) {
    List<Version> result = new ArrayList<>(cells.stream().filter(Version::filed).toList());
    new ApacheFiles(schema, false, 0, now)
        .rewritten(cells.stream().filter(cell -> !cell.filed()).toList())
        .forEach(cell -> result.add(cell.asFiled()));
    return result;
  }

  /**
   * Returns the family's cells after a compaction of the files into one.
   *
   * @param earliestPut the oldest timestamp of a put in any of the files
   */
  static List<Version> compacted(
      FamilySchema schema, List<Version> cells, long earliestPut, long now) {
    List<Version> result =
        new ArrayList<>(
            new ApacheFiles(schema, true, earliestPut, now)
                .rewritten(cells.stream().filter(Version::filed).toList()));
    cells.stream().filter(cell -> !cell.filed()).forEach(result::add);
    return result;
  }

  /** Returns those that stay, in the order of writing. */
  private List<Version> rewritten(List<Version> cells) {
    List<Version> kept = new ArrayList<>();
    String column = "";
    boolean started = false;
    boolean columnDone = false;
    int versions = 0;
    Version last = null;
    for (Version cell : inOrder(cells)) {
      if (!started || !cell.qualifier().equals(column)) {
        started = true;
        column = cell.qualifier();
        columnDone = false;
        versions = 0;
        last = null;
      }
      // What has the empty qualifier may be a marker of the family, and is never jumped over.
      if (columnDone && !column.isEmpty()) {
        continue;
      }
      boolean expired = cell.isExpired(schema, now);
      if (schema.minVersions() == 0 && expired) {
        columnDone = true;
        continue;
      }
      if (cell.isExpiredByTag(now)) {
        continue;
      }
      if (!cell.isPut()) {
        if (hidesForGood(cell)) {
          markers.add(cell);
        }
        if (!major) {
          kept.add(cell);
          continue;
        }
        if (schema.keepDeletedCells() == KeepDeletedCells.FALSE
            || schema.keepDeletedCells() == KeepDeletedCells.TTL && expired) {
          continue;
        }
        if (cell.timestamp() < earliestPut) {
          columnDone = true;
          continue;
        }
      } else {
        List<Version> hiding = markers.stream().filter(marker -> marker.hides(cell)).toList();
        if (!hiding.isEmpty()) {
          columnDone |=
              hiding.stream()
                  .anyMatch(
                      marker ->
                          marker.type() == CellType.DELETE_FAMILY
                              || marker.type() == CellType.DELETE_COLUMN);
          continue;
        }
      }
      if (last != null && last.sameKey(cell)) {
        continue;
      }
      int count = versions + (cell.isPut() ? 1 : 0);
      versions = count;
      if (count > schema.maxVersions() || expired && count > schema.minVersions()) {
        columnDone = true;
        continue;
      }
      last = cell;
      kept.add(cell);
    }
    return cells.stream().filter(kept::contains).toList();
  }

  /** Tells whether cells that the marker hides go. */
  private boolean hidesForGood(Version marker) {
    return switch (schema.keepDeletedCells()) {
      case FALSE -> true;
      case TRUE -> false;
      case TTL -> marker.isExpired(schema, now);
    };
  }

  /** Returns cells as a file has them: of those with the same key the latest first. */
  private static List<Version> inOrder(List<Version> cells) {
    List<Version> sorted = new ArrayList<>(cells);
    Collections.reverse(sorted);
    sorted.sort(Version.ORDER);
    return sorted;
  }
}
