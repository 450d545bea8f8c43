package dev.cairn.engine.schema;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import java.util.Arrays;

/**
 * One region: a range of a table's rows. Arrays are not copied and must not be changed.
 *
 * <p>Its name is {@code table,startKey,regionId.encoded.}, where {@code encoded} is the MD5 of the
 * part before it; {@code hbase:meta}'s only region is called {@code hbase:meta,,1} and is encoded
 * as 1588230740, its replica 1 is called {@code hbase:meta,,1_0001} and is encoded as 534574363.
 *
 * <p>The short name is computed once. Immutable and thread-safe.
 */
public final class RegionInfo {
  /** The region of {@code hbase:meta}. */
  public static final RegionInfo META = new RegionInfo(TableName.META, Bytes.EMPTY, Bytes.EMPTY, 1);

  private final TableName table;
  private final byte[] startKey;
  private final byte[] endKey;
  private final long regionId;
  private final int replicaId;
  private final boolean offline;
  private final boolean split;

  /** The short name; null before the first use. Threads that compute it get equal strings. */
  private String encodedName;

  /**
   * Creates a region.
   *
   * @param table the table
   * @param startKey the first row that belongs to the region; empty for the table's first region
   * @param endKey the first row that no longer does; empty for the table's last region
   * @param regionId when the region was made, milliseconds since 1970; part of the name
   * @param replicaId 0 for the region itself
   * @param offline the region serves nothing, because it was split
   * @param split the region was split, and its daughters took its place
   */
  public RegionInfo(
      TableName table,
      byte[] startKey,
      byte[] endKey,
      long regionId,
      int replicaId,
      boolean offline,
      boolean split) {
    this.table = table;
    this.startKey = startKey;
    this.endKey = endKey;
    this.regionId = regionId;
    this.replicaId = replicaId;
    this.offline = offline;
    this.split = split;
  }

  /** Creates a region that serves. */
  public RegionInfo(TableName table, byte[] startKey, byte[] endKey, long regionId) {
    this(table, startKey, endKey, regionId, 0, false, false);
  }

  /** Returns the table. */
  public TableName table() {
    return table;
  }

  /** Returns the first row that belongs to the region; empty for the table's first region. */
  public byte[] startKey() {
    return startKey;
  }

  /** Returns the first row that no longer belongs to it; empty for the table's last region. */
  public byte[] endKey() {
    return endKey;
  }

  /** Returns when the region was made, milliseconds since 1970. */
  public long regionId() {
    return regionId;
  }

  /** Returns the number of the replica; 0 for the region itself. */
  public int replicaId() {
    return replicaId;
  }

  /** Tells whether this is the region of {@code hbase:meta}, and not a replica of it. */
  public boolean isMeta() {
    return replicaId == 0 && table.isMeta();
  }

  /** Tells whether the region serves nothing, because it was split. */
  public boolean offline() {
    return offline;
  }

  /** Tells whether the region was split, and its daughters took its place. */
  public boolean split() {
    return split;
  }

  /** Returns the replica of this region that has the number {@code id}. */
  public RegionInfo replica(int id) {
    return new RegionInfo(table, startKey, endKey, regionId, id, offline, split);
  }

  /** Returns this region as one that was split, and that others have replaced. */
  public RegionInfo asSplit() {
    return new RegionInfo(table, startKey, endKey, regionId, replicaId, true, true);
  }

  /** Returns this region as one that serves. */
  public RegionInfo asServing() {
    return new RegionInfo(table, startKey, endKey, regionId, replicaId, false, false);
  }

  /** Returns the name under which {@code hbase:meta} lists the region. */
  public byte[] regionName() {
    byte[] prefix = prefix();
    return table.isMeta() ? prefix : Bytes.concat(prefix, Bytes.utf8("." + encodedName() + "."));
  }

  /**
   * Returns the short name, also the name of the region's directory: 32 hexadecimal digits, or a
   * decimal number for copies of {@code hbase:meta}.
   */
  public String encodedName() {
    String name = encodedName;
    if (name == null) {
      name =
          table.isMeta()
              ? Integer.toString(Math.abs(JenkinsHash.of(prefix())))
              : Bytes.md5(prefix());
      encodedName = name;
    }
    return name;
  }

  /** Returns the region's name for people. */
  public String regionNameAsString() {
    return Bytes.toStringBinary(regionName());
  }

  /** Tells whether {@code row} belongs to the region. */
  public boolean contains(byte[] row, int offset, int length) {
    CellComparator order = comparator();
    return (startKey.length == 0
            || order.compareRows(row, offset, length, startKey, 0, startKey.length) >= 0)
        && (endKey.length == 0
            || order.compareRows(row, offset, length, endKey, 0, endKey.length) < 0);
  }

  /** Tells whether {@code row} belongs to the region. */
  public boolean contains(byte[] row) {
    return contains(row, 0, row.length);
  }

  /** Tells whether {@code row} belongs to the region and is not its first: a split may be there. */
  public boolean isWithin(byte[] row) {
    return row.length > 0 && contains(row) && !Arrays.equals(row, startKey);
  }

  /** Tells whether some row could belong to both this region and another one of its table. */
  public boolean overlaps(RegionInfo other) {
    return contains(other.startKey) || other.contains(startKey);
  }

  /** Returns the order of the region's cells. */
  public CellComparator comparator() {
    return table.isMeta() ? CellComparator.META : CellComparator.USER;
  }

  private byte[] prefix() {
    return Bytes.concat(
        Bytes.concat(Bytes.utf8(table + ","), startKey),
        Bytes.utf8("," + regionId + (replicaId == 0 ? "" : "_%04X".formatted(replicaId))));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionInfo that
        && table.equals(that.table)
        && Arrays.equals(startKey, that.startKey)
        && Arrays.equals(endKey, that.endKey)
        && regionId == that.regionId
        && replicaId == that.replicaId
        && offline == that.offline
        && split == that.split;
  }

  @Override
  public int hashCode() {
    return 31 * table.hashCode() + Long.hashCode(regionId) + Arrays.hashCode(startKey);
  }

  @Override
  public String toString() {
    return regionNameAsString();
  }
}
