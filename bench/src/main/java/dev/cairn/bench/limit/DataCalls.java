package dev.cairn.bench.limit;

import static dev.cairn.bench.limit.ProtobufWire.delimitedField;
import static dev.cairn.bench.limit.ProtobufWire.readLength;
import static dev.cairn.bench.limit.ProtobufWire.readVarint;
import static dev.cairn.bench.limit.ProtobufWire.skip;
import static dev.cairn.bench.limit.ProtobufWire.varintField;
import static dev.cairn.bench.limit.ProtobufWire.varintLength;
import static dev.cairn.bench.limit.ProtobufWire.writeVarint;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * Answers the calls about data of one connection: any row exists and is the canned one, any
 * mutation succeeds, any condition is met, a counter's new value is the added amount. Used by the
 * connection's network thread alone.
 */
final class DataCalls {
  private static final int LEASE_MILLIS = 60_000;

  private final CannedRows rows;
  private final CallCounts counts;
  private final Responses responses;
  private final ByteBuf get; // the response message of every get
  private final ByteBuf scratch = Unpooled.buffer();
  private final ByteBuf cells = Unpooled.buffer();
  private final LongObjectMap<OpenScan> scans = new LongObjectHashMap<>();
  private long lastScanner;

  /** A scan that is not finished. */
  private static final class OpenScan {
    private long left;
  }

  DataCalls(CannedRows rows, CallCounts counts, Responses responses) {
    this.rows = rows;
    this.counts = counts;
    this.responses = responses;
    this.get =
        Unpooled.wrappedBuffer(
            GetResponse.newBuilder()
                .setResult(Result.newBuilder().setAssociatedCellCount(rows.cellsOfRow()))
                .build()
                .toByteArray());
  }

  /** Answers {@code Get}. */
  void get(int callId) {
    counts.call();
    counts.rows(1);
    responses
        .begin(callId, get.readableBytes(), rows.rowBytes())
        .writeBytes(get, 0, get.readableBytes());
    responses.rows(rows, 1);
  }

  /** Answers {@code Scan}, whose message is in {@code in}. */
  void scan(int callId, ByteBuf in) {
    long scanner = -1;
    long wanted = -1;
    long limit = Long.MAX_VALUE;
    boolean close = false;
    boolean renew = false;
    while (in.isReadable()) {
      int tag = (int) readVarint(in);
      switch (tag >>> 3) {
        case ScanRequest.SCANNER_ID_FIELD_NUMBER -> scanner = readVarint(in);
        case ScanRequest.NUMBER_OF_ROWS_FIELD_NUMBER -> wanted = readVarint(in);
        case ScanRequest.LIMIT_OF_ROWS_FIELD_NUMBER -> limit = readVarint(in);
        case ScanRequest.CLOSE_SCANNER_FIELD_NUMBER -> close = readVarint(in) != 0;
        case ScanRequest.RENEW_FIELD_NUMBER -> renew = readVarint(in) != 0;
        default -> skip(in, tag);
      }
    }
    counts.call();
    boolean opens = scanner < 0;
    OpenScan scan = opens ? new OpenScan() : scans.get(scanner);
    if (opens) {
      scanner = ++lastScanner;
      scan.left = rows.rows();
    }
    if (wanted < 0) {
      wanted = close ? 0 : 1;
    }
    boolean limited = limit > 0 && wanted >= limit;
    long left = scan == null ? 0 : scan.left; // an unknown one was closed before
    int count = renew ? 0 : (int) Math.min(Math.min(wanted, left), rows.pageRows());
    if (limited) {
      count = (int) Math.min(count, limit);
    }
    boolean moreInRegion = left > count;
    boolean more = !close && !(limited && count == limit);
    if (moreInRegion && more) {
      scan.left = left - count;
      if (opens) {
        scans.put(scanner, scan);
      }
    } else if (!opens) {
      scans.remove(scanner);
    }
    counts.rows(count);
    answerScan(callId, scanner, count, more, moreInRegion);
  }

  private void answerScan(int callId, long scanner, int count, boolean more, boolean moreInRegion) {
    int perRow = 1 + varintLength(rows.cellsOfRow());
    int length =
        count * perRow + 1 + varintLength(scanner) + 2 + 1 + varintLength(LEASE_MILLIS) + 2;
    ByteBuf out = responses.begin(callId, length, count * rows.rowBytes());
    for (int i = 0; i < count; i++) {
      out.writeByte(varintField(ScanResponse.CELLS_PER_RESULT_FIELD_NUMBER));
      writeVarint(out, rows.cellsOfRow());
    }
    out.writeByte(varintField(ScanResponse.SCANNER_ID_FIELD_NUMBER));
    writeVarint(out, scanner);
    out.writeByte(varintField(ScanResponse.MORE_RESULTS_FIELD_NUMBER));
    out.writeBoolean(more);
    out.writeByte(varintField(ScanResponse.TTL_FIELD_NUMBER));
    writeVarint(out, LEASE_MILLIS);
    out.writeByte(varintField(ScanResponse.MORE_RESULTS_IN_REGION_FIELD_NUMBER));
    out.writeBoolean(moreInRegion);
    responses.rows(rows, count);
  }

  /** Answers {@code Mutate}, whose message is in {@code in}. */
  void mutate(int callId, ByteBuf in) {
    counts.call();
    counts.mutations(1);
    cells.clear();
    int cellCount = 0;
    while (in.isReadable()) {
      int tag = (int) readVarint(in);
      if (tag >>> 3 == MutateRequest.MUTATION_FIELD_NUMBER) {
        cellCount = readMutation(in, readLength(in));
      } else {
        skip(in, tag);
      }
    }
    int resultLength = 1 + varintLength(cellCount);
    int length = 2 + (cellCount == 0 ? 0 : 2 + resultLength);
    ByteBuf out = responses.begin(callId, length, cells.readableBytes());
    if (cellCount > 0) {
      out.writeByte(delimitedField(MutateResponse.RESULT_FIELD_NUMBER));
      out.writeByte(resultLength);
      out.writeByte(varintField(Result.ASSOCIATED_CELL_COUNT_FIELD_NUMBER));
      writeVarint(out, cellCount);
    }
    out.writeByte(varintField(MutateResponse.PROCESSED_FIELD_NUMBER));
    out.writeBoolean(true);
    out.writeBytes(cells);
  }

  /**
   * Reads a mutation of {@code length} bytes. If it returns cells, which it does as an increment or
   * an append, they are gathered.
   *
   * @return how many they are
   */
  private int readMutation(ByteBuf in, int length) {
    int end = in.readerIndex() + length;
    ByteBuf row = Unpooled.EMPTY_BUFFER;
    boolean returnsCells = false;
    int count = 0;
    while (in.readerIndex() < end) {
      int tag = (int) readVarint(in);
      switch (tag >>> 3) {
        case MutationProto.ROW_FIELD_NUMBER -> {
          int rowLength = readLength(in);
          row = in.slice(in.readerIndex(), rowLength);
          in.skipBytes(rowLength);
        }
        case MutationProto.MUTATE_TYPE_FIELD_NUMBER -> {
          long type = readVarint(in);
          if (type != MutationType.INCREMENT_VALUE && type != MutationType.APPEND_VALUE) {
            in.readerIndex(end);
            return 0;
          }
          returnsCells = true;
        }
        case MutationProto.COLUMN_VALUE_FIELD_NUMBER -> {
          int columnEnd = readLength(in) + in.readerIndex();
          count += returnsCells ? readColumns(in, columnEnd, row) : 0;
          in.readerIndex(columnEnd);
        }
        default -> skip(in, tag);
      }
    }
    return count;
  }

  /** Gathers the cells of one family. */
  private int readColumns(ByteBuf in, int end, ByteBuf row) {
    ByteBuf family = Unpooled.EMPTY_BUFFER;
    int count = 0;
    while (in.readerIndex() < end) {
      int tag = (int) readVarint(in);
      if (tag >>> 3 == ColumnValue.FAMILY_FIELD_NUMBER) {
        family = readBytes(in);
      } else if (tag >>> 3 == ColumnValue.QUALIFIER_VALUE_FIELD_NUMBER) {
        int cellEnd = readLength(in) + in.readerIndex();
        ByteBuf qualifier = Unpooled.EMPTY_BUFFER;
        ByteBuf value = Unpooled.EMPTY_BUFFER;
        while (in.readerIndex() < cellEnd) {
          int cellTag = (int) readVarint(in);
          switch (cellTag >>> 3) {
            case ColumnValue.QualifierValue.QUALIFIER_FIELD_NUMBER -> qualifier = readBytes(in);
            case ColumnValue.QualifierValue.VALUE_FIELD_NUMBER -> value = readBytes(in);
            default -> skip(in, cellTag);
          }
        }
        CannedRows.writeCell(cells, row, family, qualifier, value);
        count++;
      } else {
        skip(in, tag);
      }
    }
    return count;
  }

  private static ByteBuf readBytes(ByteBuf in) {
    int length = readLength(in);
    ByteBuf bytes = in.slice(in.readerIndex(), length);
    in.skipBytes(length);
    return bytes;
  }

  /** Answers {@code Multi}, whose message is in {@code in}: gets, puts and deletes. */
  void multi(int callId, ByteBuf in) {
    counts.call();
    scratch.clear();
    int gets = 0;
    while (in.isReadable()) {
      int tag = (int) readVarint(in);
      if (tag >>> 3 == MultiRequest.REGIONACTION_FIELD_NUMBER) {
        scratch.writeByte(delimitedField(MultiResponse.REGIONACTIONRESULT_FIELD_NUMBER));
        int lengthAt = scratch.writerIndex();
        scratch.writeZero(ProtobufWire.PADDED_LENGTH);
        gets += readRegionAction(in, readLength(in));
        ProtobufWire.setPadded(
            scratch, lengthAt, scratch.writerIndex() - lengthAt - ProtobufWire.PADDED_LENGTH);
      } else {
        skip(in, tag);
      }
    }
    scratch.writeByte(varintField(MultiResponse.PROCESSED_FIELD_NUMBER));
    scratch.writeBoolean(true);
    counts.rows(gets);
    responses
        .begin(callId, scratch.readableBytes(), Math.multiplyExact(gets, rows.rowBytes()))
        .writeBytes(scratch);
    for (int left = gets; left > 0; left -= rows.pageRows()) {
      responses.rows(rows, Math.min(left, rows.pageRows()));
    }
  }

  /** Answers the actions of one region into {@link #scratch}, and returns how many are gets. */
  private int readRegionAction(ByteBuf in, int length) {
    int end = in.readerIndex() + length;
    int gets = 0;
    int mutations = 0;
    while (in.readerIndex() < end) {
      int tag = (int) readVarint(in);
      if (tag >>> 3 != RegionAction.ACTION_FIELD_NUMBER) {
        skip(in, tag);
        continue;
      }
      if (readAction(in, readLength(in))) {
        gets++;
      } else {
        mutations++;
      }
    }
    counts.mutations(mutations);
    scratch.writeByte(varintField(RegionActionResult.PROCESSED_FIELD_NUMBER));
    scratch.writeBoolean(true);
    return gets;
  }

  /** Answers one action into {@link #scratch}, and tells whether it is a get. */
  private boolean readAction(ByteBuf in, int length) {
    int end = in.readerIndex() + length;
    long index = 0;
    boolean isGet = false;
    while (in.readerIndex() < end) {
      int tag = (int) readVarint(in);
      switch (tag >>> 3) {
        case Action.INDEX_FIELD_NUMBER -> index = readVarint(in);
        case Action.GET_FIELD_NUMBER -> {
          isGet = true;
          skip(in, tag);
        }
        case Action.MUTATION_FIELD_NUMBER -> skip(in, tag);
        default ->
            throw new IllegalArgumentException(
                "No canned answer to field " + (tag >>> 3) + " of an action");
      }
    }
    int resultLength = isGet ? 1 + varintLength(rows.cellsOfRow()) : 0;
    scratch.writeByte(delimitedField(RegionActionResult.RESULTOREXCEPTION_FIELD_NUMBER));
    writeVarint(scratch, 1 + varintLength(index) + (isGet ? 2 + resultLength : 0));
    scratch.writeByte(varintField(ResultOrException.INDEX_FIELD_NUMBER));
    writeVarint(scratch, index);
    if (isGet) {
      scratch.writeByte(delimitedField(ResultOrException.RESULT_FIELD_NUMBER));
      scratch.writeByte(resultLength);
      scratch.writeByte(varintField(Result.ASSOCIATED_CELL_COUNT_FIELD_NUMBER));
      writeVarint(scratch, rows.cellsOfRow());
    }
    return isGet;
  }
}
