package dev.cairn.engine.changes;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.WalEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * One committed, atomic change of one region. Region and sequence number identify it: the stream
 * has each pair once.
 *
 * @param table the region's table
 * @param region the region's encoded name
 * @param sequence the region's number of the change; ascending within a region
 * @param writeTimeMillis when the region's server wrote it, by that server's clock, milliseconds
 *     since 1970
 * @param cells the cells as the region stored them: with final timestamps, delete markers, and the
 *     results of increments and appends. A bulk load has one cell, of the family {@code METAFAMILY}
 * @param kind whether the cells are those of the table or describe a bulk load
 * @param clusterIds the ids of the clusters that the change passed before it came here; none if it
 *     was made here
 */
public record Change(
    TableName table,
    String region,
    long sequence,
    long writeTimeMillis,
    CellBuffer cells,
    Kind kind,
    List<UUID> clusterIds) {

  private static final byte[] MARKERS = Bytes.utf8("METAFAMILY");
  private static final byte[] BULK_LOAD = Bytes.utf8("HBASE::BULK_LOAD");

  /** The kinds of changes. */
  public enum Kind {
    /** Cells of the table. */
    CELLS,
    /** Files that were loaded in bulk. The log names the files but does not contain their cells. */
    BULK_LOAD
  }

  /** Checks that nothing is missing. */
  public Change {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(cells, "cells");
    Objects.requireNonNull(kind, "kind");
    clusterIds = List.copyOf(clusterIds);
  }

  /** Tells whether an entry changes its region: most markers and mere nonces do not. */
  static boolean isChange(WalEntry entry) {
    return !entry.cells().isEmpty() && (!isMarker(entry) || isBulkLoad(entry.cells()));
  }

  /** Returns an entry that {@linkplain #isChange changes} its region. */
  static Change of(WalEntry entry) {
    return new Change(
        entry.table(),
        entry.region(),
        entry.sequence(),
        entry.writeTimeMillis(),
        entry.cells(),
        isMarker(entry) ? Kind.BULK_LOAD : Kind.CELLS,
        entry.clusterIds());
  }

  private static boolean isMarker(WalEntry entry) {
    return Arrays.equals(entry.cells().get(0).family(), MARKERS);
  }

  /** Tells whether the cells of an entry are those of a bulk load. */
  public static boolean isBulkLoad(CellBuffer cells) {
    Cell first = cells.get(0);
    return Arrays.equals(first.family(), MARKERS) && Arrays.equals(first.qualifier(), BULK_LOAD);
  }
}
