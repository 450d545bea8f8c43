package dev.cairn.server.request;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * A mutation inside a message. {@link MutationReader} fills it; nothing changes it afterwards.
 * {@link MutationDecoder} creates the engine's mutation from it, a new one on each call.
 */
public final class MutationMessage {
  /** The bytes of a cell besides its row, family, qualifier, value and tags. */
  private static final int CELL_BYTES = Cell.LENGTHS_SIZE + Cell.KEY_OVERHEAD;

  private static final int ROOM_MAX_BYTES = 1 << 20;

  final byte[] message;
  final int offset;
  final int length;

  Kind kind = Kind.APPEND; // protobuf's default
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
  ByteArrayOutputStream more; // later occurrences of the field; null if there are none

  // Of the cells in the columns.
  int cells;
  long partBytes; // of families, qualifiers, values and tags

  MutationMessage(byte[] message, int offset, int length) {
    this.message = message;
    this.offset = offset;
    this.length = length;
  }

  /** Tells whether it computes values from existing ones. */
  public boolean isComputed() {
    return kind.isComputed();
  }

  /** Returns the mutation's length in bytes, without the cells beside the message. */
  public int length() {
    return length;
  }

  /**
   * Returns the number of its cells beside the message; empty if the message does not contain it.
   */
  public OptionalInt cellsBeside() {
    return countsCells ? OptionalInt.of(cellsBeside) : OptionalInt.empty();
  }

  /** Returns the value of an attribute, if the mutation has it. */
  public Optional<ByteString> attribute(String name) {
    for (NameBytesPair attribute : attributes) {
      if (attribute.getName().equals(name)) {
        return Optional.of(attribute.getValue());
      }
    }
    return Optional.empty();
  }

  /** Returns the nonce of a mutation that must not be applied twice; 0 for other mutations. */
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
   * Returns the time range of the existing cells that an increment or append builds on.
   *
   * @throws IllegalArgumentException if the bounds are not a range
   */
  TimeRange timeRange() {
    return times == null ? TimeRange.ALL : times.range();
  }

  /**
   * Returns an empty buffer with room for the cells of the columns. The room is limited if the
   * cells are far longer than their message, as many cells of a long row are; then the buffer
   * grows.
   */
  CellBuffer room() {
    return new CellBuffer(isExpanding() ? ROOM_MAX_BYTES : (int) cellBytes(), cells);
  }

  /**
   * Tells whether its cells take far more memory than its message, as many cells of a long row do.
   */
  public boolean isExpanding() {
    return cellBytes() > Math.max(ROOM_MAX_BYTES, 2L * length);
  }

  /** Returns the memory that the cells of its columns take, bytes. */
  long cellBytes() {
    return partBytes + (long) cells * (CELL_BYTES + rowLength);
  }
}
