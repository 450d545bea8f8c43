package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * One atomic change of one region, as the log holds it.
 *
 * @param region the region's encoded name, 32 hexadecimal digits
 * @param table the region's table
 * @param sequence the region's sequence number of the change; ascending within a region
 * @param writeTimeMillis when it was written, milliseconds since 1970
 * @param cells the cells, with final timestamps; all share {@code sequence}. Markers have the
 *     family {@code METAFAMILY}
 * @param nonce the number of the change, if it has one; an entry without cells only carries on the
 *     number of a change that was made before
 * @param clusterIds the {@link ClusterIds} of a change that was made at another cluster first
 * @param attributes what hooks have added for readers of the log
 */
public record WalEntry(
    String region,
    TableName table,
    long sequence,
    long writeTimeMillis,
    CellBuffer cells,
    Nonce nonce,
    List<UUID> clusterIds,
    WalAttributes attributes) {
  /** The approximate memory of an entry without its cells, bytes. */
  private static final int OVERHEAD = 256;

  /** The heap that a cluster id takes, about. */
  private static final int CLUSTER_ID_BYTES = 40;

  /** Checks that nothing is missing. */
  public WalEntry {
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(cells, "cells");
    Objects.requireNonNull(nonce, "nonce");
    Objects.requireNonNull(attributes, "attributes");
    clusterIds = List.copyOf(clusterIds);
  }

  /** Creates an entry without attributes. */
  public WalEntry(
      String region,
      TableName table,
      long sequence,
      long writeTimeMillis,
      CellBuffer cells,
      Nonce nonce,
      List<UUID> clusterIds) {
    this(region, table, sequence, writeTimeMillis, cells, nonce, clusterIds, WalAttributes.NONE);
  }

  /** Creates an entry of a change that was made here. */
  public WalEntry(
      String region,
      TableName table,
      long sequence,
      long writeTimeMillis,
      CellBuffer cells,
      Nonce nonce) {
    this(region, table, sequence, writeTimeMillis, cells, nonce, List.of());
  }

  /** Creates an entry without a number. */
  public WalEntry(
      String region, TableName table, long sequence, long writeTimeMillis, CellBuffer cells) {
    this(region, table, sequence, writeTimeMillis, cells, Nonce.NONE);
  }

  /** Returns the same entry with other cells and attributes. */
  public WalEntry with(CellBuffer otherCells, WalAttributes otherAttributes) {
    return new WalEntry(
        region, table, sequence, writeTimeMillis, otherCells, nonce, clusterIds, otherAttributes);
  }

  /** Returns the approximate size of the entry in memory, bytes. */
  public long heapBytes() {
    return (long) cells.byteSize()
        + OVERHEAD
        + (long) CLUSTER_ID_BYTES * clusterIds.size()
        + attributes.byteSize();
  }
}
