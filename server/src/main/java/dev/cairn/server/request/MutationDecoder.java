package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.WrongRowIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Makes the engine's mutations of the protocol's. The cells of a mutation came beside the request
 * (then it counts them) or inside it, column by column. Stateless; any number of threads.
 */
public final class MutationDecoder {
  /** What a cell takes beside its row, family, qualifier, value and tags: lengths, time, type. */
  private static final int CELL_BYTES = Cell.LENGTHS_SIZE + 14;

  private static final int ROOM_MAX_BYTES = 1 << 20;

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
   * that the next mutation finds its own.
   *
   * @throws IOException if it is malformed, or asks for what is not supported
   */
  public Mutation decode(MutationProto proto, AssociatedCells cells, TableSchema schema)
      throws IOException {
    CellBuffer own =
        proto.hasAssociatedCellCount()
            ? cells.take(proto.getAssociatedCellCount())
            : roomForColumns(proto);
    byte[] row = row(proto, own);
    Mutation.Kind kind = MutationTerms.kind(proto.getMutateType());
    try {
      addColumns(proto, row, kind, own);
      if (own.isEmpty() && kind == Mutation.Kind.DELETE) {
        addWholeRow(row, timestamp(proto), schema, own);
      }
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
    Attributes attributes = attributes(proto, kind);
    CellBuffer complete = attributes.ttlMillis < 0 ? own : withTtl(own, attributes.ttlMillis);
    check(kind, row, complete, cellSize.bytes(schema));
    return new Mutation(
        kind,
        row,
        complete,
        MutationTerms.durability(proto.getDurability()),
        proto.hasTimeRange() ? QueryDecoder.timeRange(proto.getTimeRange()) : TimeRange.ALL,
        kind.isComputed() && attributes.returnResult);
  }

  /**
   * Decodes one mutation.
   *
   * @throws IOException if it asks for what is not supported
   */
  public Mutation decode(PlainMutation plain, TableSchema schema) throws IOException {
    Mutation mutation = plain.decode();
    check(mutation.kind(), mutation.row(), mutation.cells(), cellSize.bytes(schema));
    return mutation;
  }

  /** Returns the number of a mutation that must not be done twice; 0 for the others. */
  public static long nonce(MutationProto proto) {
    return switch (proto.getMutateType()) {
      case INCREMENT, APPEND -> proto.getNonce();
      case PUT, DELETE -> 0;
    };
  }

  private record Attributes(long ttlMillis, boolean returnResult) {}

  private static byte[] row(MutationProto proto, CellBuffer cells) throws DoNotRetryIOException {
    byte[] row =
        proto.hasRow()
            ? proto.getRow().toByteArray()
            : cells.isEmpty() ? Bytes.EMPTY : cells.get(0).row();
    if (row.length == 0 || row.length > Cell.MAX_ROW_LENGTH) {
      throw new DoNotRetryIOException(
          "A mutation's row must have 1 to " + Cell.MAX_ROW_LENGTH + " bytes, not " + row.length);
    }
    return row;
  }

  private static long timestamp(MutationProto proto) {
    return proto.hasTimestamp() ? proto.getTimestamp() : Cell.LATEST_TIMESTAMP;
  }

  /**
   * Returns an empty buffer that the mutation's columns fit into without growing. Many cells of a
   * long row may be far longer than the message that they come in: then it has to grow after all.
   */
  private static CellBuffer roomForColumns(MutationProto proto) {
    int row = proto.getRow().size();
    int cells = 0;
    long bytes = 0;
    List<ColumnValue> columns = proto.getColumnValueList();
    for (int i = 0; i < columns.size(); i++) {
      int perCell = CELL_BYTES + row + columns.get(i).getFamily().size();
      List<QualifierValue> values = columns.get(i).getQualifierValueList();
      cells += values.size();
      for (int k = 0; k < values.size(); k++) {
        QualifierValue value = values.get(k);
        bytes += perCell + value.getQualifier().size() + value.getValue().size();
        bytes += value.getTags().size();
      }
    }
    return new CellBuffer((int) Math.min(bytes, ROOM_MAX_BYTES), cells);
  }

  private static void addColumns(
      MutationProto proto, byte[] row, Mutation.Kind kind, CellBuffer out)
      throws DoNotRetryIOException {
    for (ColumnValue column : proto.getColumnValueList()) {
      byte[] family = column.getFamily().toByteArray();
      for (QualifierValue value : column.getQualifierValueList()) {
        if (kind != Mutation.Kind.DELETE && !value.hasValue()) {
          throw new DoNotRetryIOException("Missing required field: qualifier value");
        }
        if (kind.isComputed() && value.hasDeleteType()) {
          throw new DoNotRetryIOException(
              "Delete markers belong into a delete or a put; an " + kind + " takes none");
        }
        boolean isMarker = kind == Mutation.Kind.DELETE || value.hasDeleteType();
        out.add(
            row,
            family,
            value.getQualifier().toByteArray(),
            value.hasTimestamp() ? value.getTimestamp() : timestamp(proto),
            (isMarker ? MutationTerms.marker(value.getDeleteType()) : CellType.PUT).code(),
            value.getValue().toByteArray(),
            value.getTags().toByteArray());
      }
    }
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

  private static Attributes attributes(MutationProto proto, Mutation.Kind kind)
      throws DoNotRetryIOException {
    long ttl = -1;
    boolean returnResult = true;
    for (NameBytesPair attribute : proto.getAttributeList()) {
      switch (attribute.getName()) {
        case "_ttl" -> {
          if (kind == Mutation.Kind.DELETE) {
            throw new DoNotRetryIOException("A delete cannot have a TTL");
          }
          ttl = ttl(attribute.getValue());
        }
        case "_rr_" -> returnResult = QueryDecoder.isTrue(attribute.getValue());
        case "acl" ->
            throw new DoNotRetryIOException(
                "Cairn does not support cell ACLs: remove the attribute acl from the mutation");
        case "VISIBILITY" ->
            throw new DoNotRetryIOException(
                "Cairn does not support cell visibility: remove the attribute VISIBILITY from the"
                    + " mutation");
        default -> {
          // Attributes are for whoever knows them; the server passes over the others.
        }
      }
    }
    return new Attributes(ttl, returnResult);
  }

  private static long ttl(ByteString value) throws DoNotRetryIOException {
    if (value.size() != Long.BYTES) {
      throw new DoNotRetryIOException("The attribute _ttl must have 8 bytes, not " + value.size());
    }
    long millis = Bytes.getLong(value.toByteArray(), 0);
    if (millis < 0) {
      throw new DoNotRetryIOException("A TTL must not be negative, as " + millis + " ms is");
    }
    return millis == Long.MAX_VALUE ? -1 : millis;
  }

  private static CellBuffer withTtl(CellBuffer cells, long millis) {
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

  private static void check(Mutation.Kind kind, byte[] row, CellBuffer cells, long maxCellSize)
      throws IOException {
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
