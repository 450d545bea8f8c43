package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.WrongRowIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Converts the protocol's mutations into the engine's. The cells of a mutation came beside the
 * request (then it counts them) or inside it, column by column. Stateless; any number of threads.
 */
public final class MutationDecoder {

  /**
   * Lends the memory of what a call's request is decoded to, where that is far larger than the
   * request.
   */
  @FunctionalInterface
  public interface RequestMemory {
    /** Lends without a limit. */
    RequestMemory UNLIMITED = bytes -> {};

    /**
     * Borrows {@code bytes} before they are allocated.
     *
     * @throws IOException the error for the client, if the memory is not available
     */
    void borrow(long bytes) throws IOException;
  }

  /** The attribute's value that means no TTL, as in HBase. */
  private static final long NO_TTL = Long.MAX_VALUE;

  private static final String TTL = "_ttl";
  private static final String RETURN_RESULT = "_rr_";

  private final CellSizeLimit cellSize;

  /**
   * Creates a decoder.
   *
   * @param cellSize the greatest length of a cell
   */
  public MutationDecoder(CellSizeLimit cellSize) {
    this.cellSize = cellSize;
  }

  /**
   * Decodes one mutation. The cells that it counts are taken from {@code cells} in any case, so
   * that the next mutation finds its own. The result may hold cells that the engine refuses; {@link
   * #check} tells why, as HBase does.
   *
   * @param nonceGroup the nonce group of the mutation
   * @param memory lends the memory of cells that are far larger than their message
   * @throws IOException if it is malformed or unsupported, or there is no memory for its cells
   */
  public Mutation decode(
      MutationMessage message,
      long nonceGroup,
      AssociatedCells cells,
      TableSchema schema,
      RequestMemory memory)
      throws IOException {
    CellBuffer own = message.countsCells ? cells.take(message.cellsBeside) : message.room();
    if (message.isExpanding()) {
      memory.borrow(message.cellBytes());
    }
    byte[] row = row(message, own);
    Mutation.Kind kind = message.kind;
    try {
      MutationReader.addCells(message, own);
      if (own.isEmpty() && kind == Mutation.Kind.DELETE) {
        addWholeRow(row, message.timestamp, schema, own);
      }
      Attributes attributes = attributes(message.attributes, kind);
      return new Mutation(
          kind,
          row,
          attributes.ttlMillis == NO_TTL ? own : withTtl(own, attributes.ttlMillis),
          message.durability,
          message.timeRange(),
          kind.isComputed() && attributes.returnResult,
          message.nonce() == 0 ? Nonce.NONE : new Nonce(nonceGroup, message.nonce()),
          attributes.others);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /**
   * The attributes of a mutation.
   *
   * @param others all of them, since hooks read them
   */
  private record Attributes(long ttlMillis, boolean returnResult, Map<String, byte[]> others) {
    static final Attributes NONE = new Attributes(NO_TTL, true, Map.of());
  }

  private static byte[] row(MutationMessage message, CellBuffer cells)
      throws DoNotRetryIOException {
    byte[] row = message.hasRow || cells.isEmpty() ? message.row() : cells.get(0).row();
    if (row.length == 0 || row.length > Cell.MAX_ROW_LENGTH) {
      throw new DoNotRetryIOException(
          "A mutation's row must have 1 to " + Cell.MAX_ROW_LENGTH + " bytes, not " + row.length);
    }
    return row;
  }

  private static void addWholeRow(byte[] row, long timestamp, TableSchema schema, CellBuffer out) {
    for (FamilySchema family : schema.families()) {
      out.add(
          row,
          family.name(),
          Bytes.EMPTY,
          timestamp,
          CellType.DELETE_FAMILY.code(),
          Bytes.EMPTY,
          Bytes.EMPTY);
    }
  }

  private static Attributes attributes(List<NameBytesPair> attributes, Mutation.Kind kind)
      throws DoNotRetryIOException {
    if (attributes.isEmpty()) {
      return Attributes.NONE;
    }
    long ttl = NO_TTL;
    boolean returnResult = true;
    Map<String, byte[]> others = new HashMap<>();
    for (NameBytesPair attribute : attributes) {
      switch (attribute.getName()) {
        case TTL -> {
          if (kind == Mutation.Kind.DELETE) {
            throw new DoNotRetryIOException("A delete cannot have a TTL");
          }
          ttl = ttl(attribute.getValue());
          others.put(TTL, attribute.getValue().toByteArray());
        }
        case RETURN_RESULT -> {
          returnResult = QueryDecoder.isTrue(attribute.getValue());
          others.put(RETURN_RESULT, attribute.getValue().toByteArray());
        }
        case "acl" ->
            throw new DoNotRetryIOException(
                "Cairn does not support cell ACLs: remove the attribute acl from the mutation");
        case "VISIBILITY" ->
            throw new DoNotRetryIOException(
                "Cairn does not support cell visibility: remove the attribute VISIBILITY from the"
                    + " mutation");
        default -> others.put(attribute.getName(), attribute.getValue().toByteArray());
      }
    }
    return new Attributes(ttl, returnResult, others);
  }

  /** Returns a TTL. As in HBase it may be negative: cells then expire before their timestamps. */
  private static long ttl(ByteString value) throws DoNotRetryIOException {
    if (value.size() != Long.BYTES) {
      throw new DoNotRetryIOException("The attribute _ttl must have 8 bytes, not " + value.size());
    }
    return Bytes.getLong(value.toByteArray(), 0);
  }

  /** Returns the same cells, each with a time to live in place of its own one. */
  public static CellBuffer withTtl(CellBuffer cells, long millis) {
    CellBuffer tagged = new CellBuffer(cells.byteSize() + cells.size() * 16, cells.size());
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      tagged.add(
          cell.row(),
          cell.family(),
          cell.qualifier(),
          cell.timestamp(),
          cell.typeCode(),
          cell.value(),
          CellTags.withTtl(cell.tags(), millis));
    }
    return tagged;
  }

  /**
   * Makes the checks that {@link #decode} omits.
   *
   * @throws IOException if the mutation has no cells, or cells of another row, of a type that it
   *     does not take, with an invalid timestamp or value, or too large
   */
  public void check(Mutation mutation, TableSchema schema) throws IOException {
    Mutation.Kind kind = mutation.kind();
    byte[] row = mutation.row();
    CellBuffer cells = mutation.cells();
    long maxCellSize = cellSize.bytes(schema);
    if (cells.isEmpty()) {
      throw new DoNotRetryIOException("A " + kind + " without columns changes nothing");
    }
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      if (!cell.rowEquals(row, 0, row.length)) {
        throw new WrongRowIOException(
            "The cell " + cell + " does not belong to the row " + Bytes.toStringBinary(row));
      }
      if (!kind.takes(cell)) {
        throw new DoNotRetryIOException(
            "The cell " + cell + " is of a type that a " + kind + " does not take");
      }
      if (cell.timestamp() < 0) {
        throw new DoNotRetryIOException("The cell " + cell + " has a negative timestamp");
      }
      if (kind == Mutation.Kind.INCREMENT && cell.valueLength() != Long.BYTES) {
        throw new DoNotRetryIOException(
            "The amount of an increment must have 8 bytes, not "
                + cell.valueLength()
                + " as in "
                + cell);
      }
      if (cells.length(i) > maxCellSize) {
        throw new DoNotRetryIOException(
            "Cell["
                + cell
                + "] with size "
                + cells.length(i)
                + " exceeds limit of "
                + maxCellSize
                + " bytes (hbase.server.keyvalue.maxsize, further limited by the heap)");
      }
    }
  }
}
