package dev.cairn.engine.scan.retention;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.scan.match.ColumnMark;
import dev.cairn.engine.scan.match.Expiry;
import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.List;

/**
 * Returns the cells of one family that survive a flush or a compaction. Queries do not notice: it
 * drops only what no scan can ever return again, or what HBase's reference guide says that a major
 * compaction removes.
 *
 * <p>Expired cells go always. Beyond that:
 *
 * <ul>
 *   <li>a flush and a minor compaction drop older writes of the same column, timestamp and type,
 *       and cells that a marker among the merged cells hides for good. They keep all markers, which
 *       may hide cells elsewhere, and cells beyond VERSIONS, which become visible again if a newer
 *       version is deleted, and which a time range can ask for;
 *   <li>a major compaction drops hidden cells, versions beyond VERSIONS, and markers.
 * </ul>
 *
 * <p>Writes after the oldest read point do not take part in such a decision: a marker, version or
 * overwrite that some open scan does not see yet is kept, and causes nothing to be dropped.
 *
 * <p>In families with {@code NEW_VERSION_BEHAVIOR} sequence numbers decide, so the writer of the
 * survivors must keep theirs.
 */
public final class CompactionCursor implements RetainedCells {
  /** The kinds of rewrites. */
  public enum Mode {
    /** A memstore. */
    FLUSH,
    /** Some of a store's files. */
    MINOR,
    /** All of a store's files. */
    MAJOR
  }

  private final CellCursor merged;
  private final Expiry expiry;
  private final boolean dropExpired;
  private final VersionRetention rule;
  private final ColumnMark column = new ColumnMark();
  private byte[] row = Bytes.EMPTY;
  private int rowLength = -1;
  private boolean started;
  private boolean dropped;
  private long readCells;
  private final RowCensus census = new RowCensus();

  /**
   * Begins before the first cell.
   *
   * @param merged all that is rewritten, merged; positioned by this cursor, and closed with it
   * @param now milliseconds since 1970, for expiry
   * @param oldestReadPoint the lowest read point of any open scan; nothing that a scan at it or
   *     above may see is dropped
   * @param purgeDeletesAfterMillis how old (by its timestamp) a delete marker must be before a
   *     major compaction drops it ({@code hbase.hstore.time.to.purge.deletes}); 0 for any age
   * @param earliestPut no put that is rewritten has a lower timestamp: a major compaction drops
   *     markers below it that are else kept ({@code KEEP_DELETED_CELLS})
   * @param deletes how delete markers apply; rules for families with {@code NEW_VERSION_BEHAVIOR}
   *     are not asked for
   */
  public CompactionCursor(
      CellCursor merged,
      FamilySchema family,
      Mode mode,
      long now,
      long oldestReadPoint,
      long purgeDeletesAfterMillis,
      long earliestPut,
      DeleteRules deletes)
      throws IOException {
    this.merged = merged;
    this.expiry = Expiry.of(family, now);
    this.dropExpired = family.minVersions() == 0;
    var purge =
        new DeleteMarkerPurge(family, mode, expiry, now, purgeDeletesAfterMillis, earliestPut);
    this.rule =
        family.newVersionBehavior()
            ? new NewVersionRetention(family, mode, oldestReadPoint, purge)
            : new ClassicRetention(family, mode, oldestReadPoint, purge, deletes);
  }

  @Override
  public boolean next() throws IOException {
    boolean on = started ? merged.next() : merged.seek(Cell.firstOnRow(Bytes.EMPTY));
    started = true;
    while (on && !retain(merged.cell())) {
      on = merged.next();
    }
    if (on) {
      census.add(merged.cell().serializedLength(false));
    } else if (rowLength >= 0) {
      census.endRow(row, rowLength);
      rowLength = -1;
    }
    return on;
  }

  /** Returns the big rows among those that have survived until now, the largest first. */
  public List<BigRow> bigRows() {
    return census.rows();
  }

  @Override
  public Cell cell() {
    return merged.cell();
  }

  /**
   * Tells whether a cell was dropped because of a later write, and not only because it had expired.
   * A read before that later write would miss it.
   */
  public boolean hasDropped() {
    return dropped;
  }

  @Override
  public void close() {
    merged.close();
  }

  /** Returns how many cells were read until now, whether they survive or not. */
  public long readCells() {
    return readCells;
  }

  private boolean retain(Cell cell) {
    readCells++;
    if (column.compare(cell) != ColumnMark.SAME_COLUMN) {
      column.set(cell);
      if (rowLength < 0 || !cell.rowEquals(row, 0, rowLength)) {
        census.endRow(row, Math.max(0, rowLength));
        rowLength = cell.rowLength();
        if (row.length < rowLength) {
          row = new byte[rowLength * 2];
        }
        System.arraycopy(cell.bytes(), cell.rowOffset(), row, 0, rowLength);
        rule.startRow();
      } else {
        census.endColumn();
      }
      rule.startColumn();
    }
    boolean expired = expiry.isExpired(cell.timestamp());
    if (expired && dropExpired || expiry.isExpiredByTag(cell)) {
      return false;
    }
    boolean retained = rule.retain(cell, expired);
    dropped |= !retained;
    return retained;
  }
}
