package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellParts;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads a mutation inside a message in two passes. The first pass checks the message and computes
 * how much memory the cells take. The second pass copies each part of the cells to its place in the
 * engine's buffer.
 *
 * <p>Format: the message {@code MutationProto} of HBase's {@code Client.proto}.
 */
final class MutationReader extends MessageReader {
  private static final int ROW = bytes(MutationProto.ROW_FIELD_NUMBER);
  private static final int TYPE = number(MutationProto.MUTATE_TYPE_FIELD_NUMBER);
  private static final int COLUMN = bytes(MutationProto.COLUMN_VALUE_FIELD_NUMBER);
  private static final int TIMESTAMP = number(MutationProto.TIMESTAMP_FIELD_NUMBER);
  private static final int ATTRIBUTE = bytes(MutationProto.ATTRIBUTE_FIELD_NUMBER);
  private static final int DURABILITY = number(MutationProto.DURABILITY_FIELD_NUMBER);
  private static final int TIME_RANGE = bytes(MutationProto.TIME_RANGE_FIELD_NUMBER);
  private static final int CELLS = number(MutationProto.ASSOCIATED_CELL_COUNT_FIELD_NUMBER);
  private static final int NONCE = number(MutationProto.NONCE_FIELD_NUMBER);
  private static final int FAMILY = bytes(ColumnValue.FAMILY_FIELD_NUMBER);
  private static final int VALUES = bytes(ColumnValue.QUALIFIER_VALUE_FIELD_NUMBER);
  private static final int QUALIFIER = bytes(QualifierValue.QUALIFIER_FIELD_NUMBER);
  private static final int VALUE = bytes(QualifierValue.VALUE_FIELD_NUMBER);
  private static final int VALUE_TIMESTAMP = number(QualifierValue.TIMESTAMP_FIELD_NUMBER);
  private static final int DELETE_TYPE = number(QualifierValue.DELETE_TYPE_FIELD_NUMBER);
  private static final int TAGS = bytes(QualifierValue.TAGS_FIELD_NUMBER);

  private final MutationMessage mutation;
  private boolean isFamilyFirst = true; // in each column

  private MutationReader(MutationMessage mutation) {
    super(mutation.message, mutation.offset, mutation.length);
    this.mutation = mutation;
  }

  /**
   * Reads the mutation in {@code length} bytes of an array.
   *
   * @throws InvalidProtocolBufferException if the bytes are not such a message
   */
  static MutationMessage read(byte[] message, int offset, int length) throws IOException {
    return new MutationReader(new MutationMessage(message, offset, length)).message();
  }

  /**
   * Reads a mutation inside the message of {@code outer}; {@link #merged} merges repeated
   * occurrences.
   *
   * @param before the earlier occurrence of the field; null if there is none
   */
  static MutationMessage read(MessageReader outer, MutationMessage before) throws IOException {
    int length = outer.in.readRawVarint32();
    MutationMessage read = read(outer.message, outer.skip(length), length);
    if (before == null) {
      return read;
    }
    before.more = before.more == null ? new ByteArrayOutputStream() : before.more;
    before.more.write(read.message, read.offset, read.length);
    return before;
  }

  /** Returns a mutation merged with the later occurrences of its field. */
  static MutationMessage merged(MutationMessage mutation) throws IOException {
    if (mutation.more == null) {
      return mutation;
    }
    byte[] all = Bytes.concat(mutation.bytes(), mutation.more.toByteArray());
    return read(all, 0, all.length);
  }

  private MutationMessage message() throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == COLUMN) {
        column();
      } else if (tag == ROW) {
        mutation.hasRow = true;
        mutation.rowLength = in.readRawVarint32();
        mutation.rowOffset = skip(mutation.rowLength);
      } else if (tag == TYPE) {
        MutationType type = MutationType.forNumber(in.readEnum());
        mutation.kind = type == null ? mutation.kind : MutationTerms.kind(type);
      } else if (tag == TIMESTAMP) {
        mutation.timestamp = in.readUInt64();
      } else if (tag == DURABILITY) {
        MutationProto.Durability asked = MutationProto.Durability.forNumber(in.readEnum());
        mutation.durability = asked == null ? mutation.durability : MutationTerms.durability(asked);
      } else if (tag == NONCE) {
        mutation.nonce = in.readUInt64();
      } else if (!readRareField(tag)) {
        break;
      }
    }
    in.checkLastTagWas(0);
    if (isFamilyFirst) {
      return mutation;
    }
    // No client sends the family late; protobuf puts the fields into the usual order.
    byte[] ordered = MutationProto.parseFrom(mutation.bytes()).toByteArray();
    return read(ordered, 0, ordered.length);
  }

  private boolean readRareField(int tag) throws IOException {
    if (tag == CELLS) {
      mutation.countsCells = true;
      mutation.cellsBeside = in.readInt32();
    } else if (tag == TIME_RANGE) {
      mutation.times = timeRange(mutation.times);
    } else if (tag == ATTRIBUTE) {
      mutation.attributes = mutation.attributes.isEmpty() ? new ArrayList<>() : mutation.attributes;
      mutation.attributes.add(initialized(part(NameBytesPair.parser())));
    } else {
      return in.skipField(tag);
    }
    return true;
  }

  private void column() throws IOException {
    int limit = begin();
    int family = -1;
    int before = mutation.cells;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == VALUES) {
        isFamilyFirst &= family >= 0;
        value();
      } else if (tag == FAMILY) {
        isFamilyFirst &= family < 0;
        family = in.readRawVarint32();
        skip(family);
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    end(limit);
    if (family < 0) {
      throw missing("column_value.family");
    }
    mutation.partBytes += (long) (mutation.cells - before) * family;
  }

  private void value() throws IOException {
    int limit = begin();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == QUALIFIER || tag == VALUE || tag == TAGS) {
        int length = in.readRawVarint32();
        skip(length);
        mutation.partBytes += tag == TAGS ? length + Short.BYTES : length;
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    end(limit);
    mutation.cells++;
  }

  /**
   * Appends the cells in a mutation's columns.
   *
   * @throws DoNotRetryIOException if a part of a cell is missing or not allowed
   * @throws IllegalArgumentException if a part is longer than a cell allows
   */
  static void addCells(MutationMessage mutation, CellBuffer out) throws IOException {
    if (mutation.cells > 0) {
      new MutationReader(mutation).addCells(out);
    }
  }

  /** Adds the families of a mutation's columns. Skips the cells. */
  static void addFamilies(MutationMessage mutation, Set<byte[]> out) throws IOException {
    new MutationReader(mutation).addFamilies(out);
  }

  private void addFamilies(Set<byte[]> out) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == COLUMN) {
        int limit = begin();
        for (int part = in.readTag(); part != 0; part = in.readTag()) {
          if (part == FAMILY) {
            int length = in.readRawVarint32();
            int offset = skip(length);
            out.add(Arrays.copyOfRange(message, offset, offset + length));
          } else {
            in.skipField(part);
          }
        }
        in.popLimit(limit);
      } else {
        in.skipField(tag);
      }
    }
  }

  private void addCells(CellBuffer out) throws IOException {
    CellParts cell = new CellParts(message);
    cell.row(mutation.rowOffset, mutation.rowLength);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == COLUMN) {
        addColumn(cell, out);
      } else {
        in.skipField(tag);
      }
    }
  }

  private void addColumn(CellParts cell, CellBuffer out) throws IOException {
    int limit = begin();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == VALUES) {
        addValue(cell, out);
      } else if (tag == FAMILY) {
        int length = in.readRawVarint32();
        cell.family(skip(length), length);
      } else {
        in.skipField(tag);
      }
    }
    in.popLimit(limit);
  }

  private void addValue(CellParts cell, CellBuffer out) throws IOException {
    int limit = begin();
    long timestamp = mutation.timestamp;
    DeleteType marker = mutation.kind == Kind.DELETE ? DeleteType.DELETE_ONE_VERSION : null;
    boolean hasValue = false;
    cell.qualifier(0, 0);
    cell.value(0, 0);
    cell.tags(0, 0);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == VALUE_TIMESTAMP) {
        timestamp = in.readUInt64();
      } else if (tag == DELETE_TYPE) {
        DeleteType asked = DeleteType.forNumber(in.readEnum());
        marker = asked == null ? marker : asked;
      } else if (tag == QUALIFIER) {
        int length = in.readRawVarint32();
        cell.qualifier(skip(length), length);
      } else if (tag == VALUE) {
        int length = in.readRawVarint32();
        cell.value(skip(length), length);
        hasValue = true;
      } else if (tag == TAGS) {
        int length = in.readRawVarint32();
        cell.tags(skip(length), length);
      } else {
        in.skipField(tag);
      }
    }
    in.popLimit(limit);
    check(hasValue, marker != null);
    cell.version(timestamp, marker == null ? CellType.PUT : MutationTerms.marker(marker));
    out.add(cell);
  }

  private void check(boolean hasValue, boolean isMarker) throws DoNotRetryIOException {
    if (mutation.kind != Kind.DELETE && !hasValue) {
      throw new DoNotRetryIOException("Missing required field: qualifier value");
    }
    if (mutation.kind.isComputed() && isMarker) {
      throw new DoNotRetryIOException(
          "Delete markers belong into a delete or a put; an " + mutation.kind + " takes none");
    }
  }
}
