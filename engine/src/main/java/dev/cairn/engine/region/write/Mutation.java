package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.wal.file.Nonce;
import java.util.Map;
import java.util.Objects;

/**
 * One change of one row.
 *
 * @param kind its kind
 * @param row the row; every cell has it
 * @param cells the cells, of any number of families. Of a {@link Kind#PUT} they are puts and
 *     markers, of a {@link Kind#DELETE} markers; a timestamp of {@link
 *     dev.cairn.engine.cell.Cell#LATEST_TIMESTAMP} stands for the server's time (and in a marker of
 *     type {@code DELETE} for the newest version's). Of an {@link Kind#INCREMENT} the values are
 *     eight-byte amounts, of an {@link Kind#APPEND} what is to be appended. The region overwrites
 *     timestamps in place
 * @param durability the durability that is required before the acknowledgement
 * @param timeRange for increments and appends: which existing cells count as present
 * @param returnResult for increments and appends: whether the new cells are wanted back
 * @param nonce the number that the log keeps with the change, if it must not be made twice; of
 *     mutations that are applied together the first one counts
 * @param attributes the client's attributes. The region reads those of clusters alone; hooks read
 *     the others
 */
public record Mutation(
    Kind kind,
    byte[] row,
    CellBuffer cells,
    Durability durability,
    TimeRange timeRange,
    boolean returnResult,
    Nonce nonce,
    Map<String, byte[]> attributes)
    implements WriteRequest {

  /** The kinds of mutations. */
  public enum Kind {
    /** Writes values, and perhaps delete markers with them. */
    PUT,
    /** Writes delete markers. */
    DELETE,
    /** Adds to counters. */
    INCREMENT,
    /** Appends to values. */
    APPEND;

    /** Tells whether {@code cell} is of a type that such a mutation may have. */
    public boolean takes(Cell cell) {
      return switch (this) {
        case PUT -> cell.typeCode() == CellType.PUT.code() || cell.isDelete();
        case DELETE -> cell.isDelete();
        case INCREMENT, APPEND -> cell.typeCode() == CellType.PUT.code();
      };
    }

    /**
     * Tells whether values are computed from those that are there: then it must not be done twice.
     */
    public boolean isComputed() {
      return this == INCREMENT || this == APPEND;
    }
  }

  /** The durability that a change needs before it is acknowledged. */
  public enum Durability {
    /** The table's setting, or the server's if it has none. */
    USE_DEFAULT,
    /** It is not logged: it is lost with the process, unless it was flushed before. */
    SKIP_WAL,
    /** It is logged, but not waited for. */
    ASYNC_WAL,
    /** It is logged and waited for, with the {@code SyncLevel} of the server's log. */
    SYNC_WAL,
    /** It is logged and on the device. */
    FSYNC_WAL
  }

  /** Checks that nothing is missing. */
  public Mutation {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(cells, "cells");
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(timeRange, "timeRange");
    Objects.requireNonNull(nonce, "nonce");
    attributes = Map.copyOf(attributes);
  }

  @Override
  public int mutationCount() {
    return 1;
  }

  @Override
  public Kind kind(int i) {
    return kind;
  }

  @Override
  public byte[] row(int i) {
    return row;
  }

  @Override
  public CellBuffer cells(int i) {
    return cells;
  }

  @Override
  public Map<String, byte[]> attributes(int i) {
    return attributes;
  }

  @Override
  public int[] stripes() {
    return new int[] {RowStripes.of(row)};
  }

  @Override
  public int cellCount() {
    return cells.size();
  }

  @Override
  public long memStoreBytes() {
    return WriteRequest.memStoreBytes(cells);
  }

  /** Creates a mutation without attributes. */
  public Mutation(
      Kind kind,
      byte[] row,
      CellBuffer cells,
      Durability durability,
      TimeRange timeRange,
      boolean returnResult,
      Nonce nonce) {
    this(kind, row, cells, durability, timeRange, returnResult, nonce, Map.of());
  }

  /** Creates a mutation without a number. */
  public Mutation(
      Kind kind,
      byte[] row,
      CellBuffer cells,
      Durability durability,
      TimeRange timeRange,
      boolean returnResult) {
    this(kind, row, cells, durability, timeRange, returnResult, Nonce.NONE);
  }

  /** Returns the same mutation with another number. */
  public Mutation numbered(Nonce number) {
    return new Mutation(kind, row, cells, durability, timeRange, returnResult, number, attributes);
  }

  /** Returns the same mutation with other cells. */
  public Mutation withCells(CellBuffer others) {
    return new Mutation(kind, row, others, durability, timeRange, returnResult, nonce, attributes);
  }

  /** Creates a put with default durability. */
  public static Mutation put(byte[] row, CellBuffer cells) {
    return new Mutation(Kind.PUT, row, cells, Durability.USE_DEFAULT, TimeRange.ALL, false);
  }

  /** Creates a delete with default durability. */
  public static Mutation delete(byte[] row, CellBuffer cells) {
    return new Mutation(Kind.DELETE, row, cells, Durability.USE_DEFAULT, TimeRange.ALL, false);
  }
}
