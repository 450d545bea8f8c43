package dev.cairn.server.request;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;

/**
 * A mutation that lies in a message. {@link MutationDecoder} makes the engine's mutation of it, a
 * new one each time. Filled by {@link MutationReader}, then not changed any more.
 */
public final class MutationMessage {
  /** What a cell takes beside its row, family, qualifier, value and tags. */
  private static final int CELL_BYTES = Cell.LENGTHS_SIZE + Cell.KEY_OVERHEAD;

  private static final int ROOM_MAX_BYTES = 1 << 20;

  final byte[] message;
  final int offset;
  final int length;

  Kind kind = Kind.APPEND; // as protobuf takes it if it is missing
  boolean hasRow;
  int rowOffset;
  int rowLength;
  long timestamp = Cell.LATEST_TIMESTAMP; // of cells that have none of their own
  Durability durability = Durability.USE_DEFAULT;
  MessageReader.Times times; // null if missing
  List<NameBytesPair> attributes = List.of();
  long nonce;
  boolean countsCells;
  int cellsBeside;
  ByteArrayOutputStream more; // of the same field; null if the message has it once

  // Of the cells in the columns.
  int cells;
  long partBytes; // of families, qualifiers, values and tags

  MutationMessage(byte[] message, int offset, int length) {
    this.message = message;
    this.offset = offset;
    this.length = length;
  }

  /** Tells whether it computes values from those that are there. */
  public boolean isComputed() {
    return kind.isComputed();
  }

  /** Returns how long the mutation is, without cells beside the message, bytes. */
  public int length() {
    return length;
  }

  /** Returns how many cells beside the message belong to it; empty if it does not say so. */
  public OptionalInt cellsBeside() {
    return countsCells ? OptionalInt.of(cellsBeside) : OptionalInt.empty();
  }

  /** Returns the number of a mutation that must not be made twice; 0 for the others. */
  long nonce() {
    return isComputed() ? nonce : 0;
  }

  byte[] bytes() {
    return Arrays.copyOfRange(message, offset, offset + length);
  }

  /** Returns the row in the message; empty if it is missing. */
  byte[] row() {
    return Arrays.copyOfRange(message, rowOffset, rowOffset + rowLength);
  }

  /**
   * Returns which existing cells count as present.
   *
   * @throws IllegalArgumentException if the range is none
   */
  TimeRange timeRange() {
    return times == null ? TimeRange.ALL : times.range();
  }

  /**
   * Returns an empty buffer that the cells of the columns fit into without growing. Many cells of a
   * long row may be far longer than their message: then it has to grow after all.
   */
  CellBuffer room() {
    long bytes = partBytes + (long) cells * (CELL_BYTES + rowLength);
    boolean isLikeMessage = bytes <= Math.max(ROOM_MAX_BYTES, 2L * length);
    return new CellBuffer(isLikeMessage ? (int) bytes : ROOM_MAX_BYTES, cells);
  }
}
