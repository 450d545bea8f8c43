package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.check;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellParts;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.wal.Nonce;
import dev.cairn.server.request.PlainFields.NotPlainException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the message of a {@code Mutate} that is no more than columns of one row, as clients send
 * it, without the objects that protobuf makes of it. Any other message it leaves to protobuf and
 * {@link MutationDecoder}: one with a field that it does not know, a condition, an attribute, tags,
 * or cells beside it, a delete of a whole row, or one that is malformed.
 *
 * <p>It goes over the message twice. Once when that comes, to find all this out and how much memory
 * the cells take; and when they are wanted, each of their parts is copied straight to its place.
 * Used once.
 *
 * <p>Format: the messages {@code MutateRequest} and {@code MutationProto} of HBase's {@code
 * Client.proto}.
 */
final class PlainMutationReader {
  private static final int REGION = bytes(MutateRequest.REGION_FIELD_NUMBER);
  private static final int MUTATION = bytes(MutateRequest.MUTATION_FIELD_NUMBER);
  private static final int NONCE_GROUP = number(MutateRequest.NONCE_GROUP_FIELD_NUMBER);
  private static final int ROW = bytes(MutationProto.ROW_FIELD_NUMBER);
  private static final int TYPE = number(MutationProto.MUTATE_TYPE_FIELD_NUMBER);
  private static final int COLUMN = bytes(MutationProto.COLUMN_VALUE_FIELD_NUMBER);
  private static final int TIMESTAMP = number(MutationProto.TIMESTAMP_FIELD_NUMBER);
  private static final int DURABILITY = number(MutationProto.DURABILITY_FIELD_NUMBER);
  private static final int TIME_RANGE = bytes(MutationProto.TIME_RANGE_FIELD_NUMBER);
  private static final int NONCE = number(MutationProto.NONCE_FIELD_NUMBER);
  private static final int FAMILY = bytes(ColumnValue.FAMILY_FIELD_NUMBER);
  private static final int VALUES = bytes(ColumnValue.QUALIFIER_VALUE_FIELD_NUMBER);
  private static final int QUALIFIER = bytes(QualifierValue.QUALIFIER_FIELD_NUMBER);
  private static final int VALUE = bytes(QualifierValue.VALUE_FIELD_NUMBER);
  private static final int VALUE_TIMESTAMP = number(QualifierValue.TIMESTAMP_FIELD_NUMBER);
  private static final int DELETE_TYPE = number(QualifierValue.DELETE_TYPE_FIELD_NUMBER);

  /** What a cell takes beside its row, family, qualifier and value. */
  private static final int CELL_BYTES = Cell.LENGTHS_SIZE + Cell.KEY_OVERHEAD;

  /** Many cells of a long row may be far longer than their message; then protobuf gets it. */
  private static final int CELLS_BYTES_MAX = 1 << 20;

  private final byte[] message;
  private final CodedInputStream in;
  private final PlainMutationFields fields;

  // Of the mutation that is being read.
  private Kind kind;
  private int rowOffset;
  private int rowLength;
  private long timestamp = Cell.LATEST_TIMESTAMP;
  private int durability = MutationProto.Durability.USE_DEFAULT_VALUE;
  private TimeRange times = TimeRange.ALL;
  private long nonce;
  private int cells;
  private long namesAndValues;
  private boolean someWithoutValue;
  private boolean someDeleted;

  private PlainMutationReader(byte[] message, int offset, int length) {
    this.message = message;
    this.in = CodedInputStream.newInstance(message, offset, length);
    this.fields = new PlainMutationFields(message, in);
  }

  /** Reads a message; empty if it is not a plain one, or none at all. */
  static Optional<MutateMessage.Plain> read(byte[] message) {
    try {
      return Optional.of(new PlainMutationReader(message, 0, message.length).request());
    } catch (NotPlainException | InvalidProtocolBufferException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw noSuchError(e);
    }
  }

  /** Appends the cells of a mutation that was read before. */
  static void addCells(PlainMutation mutation, CellBuffer out) {
    try {
      new PlainMutationReader(mutation.message(), mutation.offset(), mutation.length())
          .add(mutation, out);
    } catch (IOException e) {
      throw noSuchError(e);
    }
  }

  private static AssertionError noSuchError(IOException error) {
    return new AssertionError("An array has no other errors", error);
  }

  private MutateMessage.Plain request() throws IOException {
    ByteString region = ByteString.EMPTY;
    int mutation = -1;
    int mutationLength = 0;
    long nonceGroup = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == REGION) {
        region = fields.regionName();
      } else if (tag == MUTATION) {
        check(mutation < 0);
        mutationLength = in.readRawVarint32();
        int limit = in.pushLimit(mutationLength);
        mutation = in.getTotalBytesRead();
        mutation();
        in.popLimit(limit);
      } else if (tag == NONCE_GROUP) {
        nonceGroup = in.readUInt64();
      } else {
        throw new NotPlainException();
      }
    }
    check(!region.isEmpty() && mutation >= 0);
    return new MutateMessage.Plain(region, plain(mutation, mutationLength, nonceGroup));
  }

  /** Judges what was read, now that the order of the fields does not matter any more. */
  private PlainMutation plain(int offset, int length, long nonceGroup) throws NotPlainException {
    check(kind != null && rowLength > 0 && rowLength <= Cell.MAX_ROW_LENGTH && cells > 0);
    check(kind == Kind.DELETE || !someWithoutValue && !someDeleted);
    long bytes = namesAndValues + (long) cells * (CELL_BYTES + rowLength);
    check(bytes <= CELLS_BYTES_MAX || bytes <= 2L * length);
    MutationProto.Durability asked = MutationProto.Durability.forNumber(durability);
    check(asked != null);
    return new PlainMutation(
        message,
        offset,
        length,
        kind,
        rowOffset,
        rowLength,
        timestamp,
        MutationTerms.durability(asked),
        times,
        kind.isComputed() ? new Nonce(nonceGroup, nonce) : Nonce.NONE,
        cells,
        Math.toIntExact(bytes));
  }

  private void mutation() throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == COLUMN) {
        int limit = in.pushLimit(in.readRawVarint32());
        column();
        in.popLimit(limit);
      } else if (tag == ROW) {
        rowLength = in.readRawVarint32();
        rowOffset = skip(rowLength);
      } else if (tag == TYPE) {
        MutationType type = MutationType.forNumber(in.readEnum());
        check(type != null);
        kind = MutationTerms.kind(type);
      } else if (tag == TIMESTAMP) {
        timestamp = in.readUInt64();
      } else if (tag == DURABILITY) {
        durability = in.readEnum();
      } else if (tag == TIME_RANGE) {
        times = fields.timeRange();
      } else if (tag == NONCE) {
        nonce = in.readUInt64();
      } else {
        throw new NotPlainException();
      }
    }
  }

  private void column() throws IOException {
    int family = -1;
    int before = cells;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == VALUES) {
        check(family >= 0); // as all write it; so the second time, too, it comes first
        int limit = in.pushLimit(in.readRawVarint32());
        value();
        in.popLimit(limit);
      } else if (tag == FAMILY) {
        check(family < 0);
        family = in.readRawVarint32();
        skip(family);
      } else {
        throw new NotPlainException();
      }
    }
    check(family >= 0 && family <= Cell.MAX_FAMILY_LENGTH);
    namesAndValues += (long) (cells - before) * family;
  }

  private void value() throws IOException {
    boolean hasValue = false;
    int qualifierLength = 0;
    int valueLength = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == QUALIFIER) {
        qualifierLength = in.readRawVarint32();
        skip(qualifierLength);
      } else if (tag == VALUE) {
        hasValue = true;
        valueLength = in.readRawVarint32();
        skip(valueLength);
      } else if (tag == VALUE_TIMESTAMP) {
        in.readUInt64();
      } else if (tag == DELETE_TYPE) {
        check(DeleteType.forNumber(in.readEnum()) != null);
        someDeleted = true;
      } else {
        throw new NotPlainException();
      }
    }
    someWithoutValue |= !hasValue;
    namesAndValues += (long) qualifierLength + valueLength;
    cells++;
  }

  /** Skips bytes; returns where they lie. */
  private int skip(int length) throws IOException {
    int at = in.getTotalBytesRead();
    in.skipRawBytes(length);
    return at;
  }

  /** Goes over the columns of a plain mutation once more. */
  private void add(PlainMutation mutation, CellBuffer out) throws IOException {
    CellParts cell = new CellParts(message);
    cell.row(mutation.rowOffset(), mutation.rowLength());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == COLUMN) {
        int limit = in.pushLimit(in.readRawVarint32());
        addColumn(mutation, cell, out);
        in.popLimit(limit);
      } else {
        in.skipField(tag);
      }
    }
  }

  private void addColumn(PlainMutation mutation, CellParts cell, CellBuffer out)
      throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int length = in.readRawVarint32();
      if (tag == FAMILY) {
        cell.family(mutation.offset() + skip(length), length);
      } else {
        int limit = in.pushLimit(length);
        addValue(mutation, cell, out);
        in.popLimit(limit);
      }
    }
  }

  private void addValue(PlainMutation mutation, CellParts cell, CellBuffer out) throws IOException {
    long own = mutation.timestamp();
    CellType type = CellType.PUT;
    if (mutation.kind() == Kind.DELETE) {
      type = MutationTerms.marker(DeleteType.DELETE_ONE_VERSION);
    }
    cell.qualifier(0, 0);
    cell.value(0, 0);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == VALUE_TIMESTAMP) {
        own = in.readUInt64();
      } else if (tag == DELETE_TYPE) {
        type = MutationTerms.marker(DeleteType.forNumber(in.readEnum()));
      } else {
        int length = in.readRawVarint32();
        int at = mutation.offset() + skip(length);
        if (tag == QUALIFIER) {
          cell.qualifier(at, length);
        } else {
          cell.value(at, length);
        }
      }
    }
    cell.version(own, type);
    out.add(cell);
  }
}
