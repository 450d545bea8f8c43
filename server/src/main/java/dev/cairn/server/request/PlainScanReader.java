package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.check;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.PlainFields.NotPlainException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the message of a {@code Scan} straight into what the engine and the call are asked, without
 * the objects that protobuf makes of it: one that opens a {@link ScanMessage.Plain} scan, or one of
 * a scan that is {@link ScanMessage.Known}. Any other message it leaves to protobuf and {@link
 * QueryDecoder}: one with a field that it does not know, an attribute or a filter, with a value
 * that is to be refused, or one that is malformed. Used once.
 *
 * <p>Format: the messages {@code ScanRequest} and {@code Scan} of HBase's {@code Client.proto}.
 */
final class PlainScanReader {
  private static final int REGION = bytes(ClientProtos.ScanRequest.REGION_FIELD_NUMBER);
  private static final int SCAN = bytes(ClientProtos.ScanRequest.SCAN_FIELD_NUMBER);
  private static final int SCANNER = number(ClientProtos.ScanRequest.SCANNER_ID_FIELD_NUMBER);
  private static final int ROWS = number(ClientProtos.ScanRequest.NUMBER_OF_ROWS_FIELD_NUMBER);
  private static final int CLOSE = number(ClientProtos.ScanRequest.CLOSE_SCANNER_FIELD_NUMBER);
  private static final int SEQUENCE = number(ClientProtos.ScanRequest.NEXT_CALL_SEQ_FIELD_NUMBER);
  private static final int PARTS =
      number(ClientProtos.ScanRequest.CLIENT_HANDLES_PARTIALS_FIELD_NUMBER);
  private static final int HEARTBEATS =
      number(ClientProtos.ScanRequest.CLIENT_HANDLES_HEARTBEATS_FIELD_NUMBER);
  private static final int TRACKED =
      number(ClientProtos.ScanRequest.TRACK_SCAN_METRICS_FIELD_NUMBER);
  private static final int RENEW = number(ClientProtos.ScanRequest.RENEW_FIELD_NUMBER);
  private static final int LIMIT = number(ClientProtos.ScanRequest.LIMIT_OF_ROWS_FIELD_NUMBER);

  private static final int COLUMN = bytes(Scan.COLUMN_FIELD_NUMBER);
  private static final int START = bytes(Scan.START_ROW_FIELD_NUMBER);
  private static final int STOP = bytes(Scan.STOP_ROW_FIELD_NUMBER);
  private static final int TIME_RANGE = bytes(Scan.TIME_RANGE_FIELD_NUMBER);
  private static final int MAX_VERSIONS = number(Scan.MAX_VERSIONS_FIELD_NUMBER);
  private static final int CACHE_BLOCKS = number(Scan.CACHE_BLOCKS_FIELD_NUMBER);
  private static final int RESULT_SIZE = number(Scan.MAX_RESULT_SIZE_FIELD_NUMBER);
  private static final int ON_DEMAND = number(Scan.LOAD_COLUMN_FAMILIES_ON_DEMAND_FIELD_NUMBER);
  private static final int SMALL = number(Scan.SMALL_FIELD_NUMBER);
  private static final int REVERSED = number(Scan.REVERSED_FIELD_NUMBER);
  private static final int CONSISTENCY = number(Scan.CONSISTENCY_FIELD_NUMBER);
  private static final int CACHING = number(Scan.CACHING_FIELD_NUMBER);
  private static final int ALLOWS_PARTS = number(Scan.ALLOW_PARTIAL_RESULTS_FIELD_NUMBER);
  private static final int READ_POINT = number(Scan.MVCC_READ_POINT_FIELD_NUMBER);
  private static final int WITH_START = number(Scan.INCLUDE_START_ROW_FIELD_NUMBER);
  private static final int WITH_STOP = number(Scan.INCLUDE_STOP_ROW_FIELD_NUMBER);
  private static final int READ_TYPE = number(Scan.READTYPE_FIELD_NUMBER);
  private static final int CURSOR = number(Scan.NEED_CURSOR_RESULT_FIELD_NUMBER);
  private static final int TRACKED_BY_RESULT = number(Scan.QUERY_METRICS_ENABLED_FIELD_NUMBER);

  private final CodedInputStream in;
  private final PlainQueryFields fields;

  // What a plain scan says that is not the engine's to know.
  private long maxResultSize = -1;
  private boolean small;
  private boolean wantsCursor;

  private PlainScanReader(byte[] message) {
    this.in = CodedInputStream.newInstance(message);
    this.fields = new PlainQueryFields(message, in);
  }

  /** Reads a message; empty if it is not a plain one, or none at all. */
  static Optional<ScanMessage> read(byte[] message) {
    try {
      return Optional.of(new PlainScanReader(message).message());
    } catch (NotPlainException | InvalidProtocolBufferException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError("An array has no other errors", e);
    }
  }

  private ScanMessage message() throws IOException {
    ByteString region = ByteString.EMPTY;
    ScanRequest scan = null;
    OptionalLong scannerId = OptionalLong.empty();
    OptionalLong rows = OptionalLong.empty();
    OptionalLong sequence = OptionalLong.empty();
    boolean closes = false;
    boolean renews = false;
    boolean takesParts = false;
    boolean takesHeartbeats = false;
    boolean tracked = false;
    int limitOfRows = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == REGION) {
        region = fields.regionName();
      } else if (tag == SCAN) {
        check(scan == null);
        int limit = in.pushLimit(in.readRawVarint32());
        scan = scan();
        in.popLimit(limit);
      } else if (tag == SCANNER) {
        scannerId = OptionalLong.of(in.readUInt64());
      } else if (tag == ROWS) {
        rows = OptionalLong.of(in.readUInt32());
      } else if (tag == CLOSE) {
        closes = in.readBool();
      } else if (tag == SEQUENCE) {
        sequence = OptionalLong.of(in.readUInt64());
      } else if (tag == PARTS) {
        takesParts = in.readBool();
      } else if (tag == HEARTBEATS) {
        takesHeartbeats = in.readBool();
      } else if (tag == TRACKED) {
        tracked = in.readBool();
      } else if (tag == RENEW) {
        renews = in.readBool();
      } else if (tag == LIMIT) {
        limitOfRows = in.readUInt32();
      } else {
        throw new NotPlainException();
      }
    }
    return new ScanMessage(
        subject(region, scan, scannerId),
        ScanMessage.rows(rows, closes),
        closes,
        renews,
        sequence,
        takesParts,
        takesHeartbeats,
        tracked,
        false,
        limitOfRows);
  }

  /** Returns which scan is meant: one that is opened and has all it needs, or one that was. */
  private ScanMessage.Subject subject(ByteString region, ScanRequest scan, OptionalLong scannerId)
      throws NotPlainException {
    if (scannerId.isPresent()) {
      check(region.isEmpty() && scan == null);
      return new ScanMessage.Known(scannerId.getAsLong());
    }
    check(!region.isEmpty() && scan != null);
    return new ScanMessage.Plain(region, scan, maxResultSize, small, wantsCursor);
  }

  private ScanRequest scan() throws IOException {
    ScanRequest.Builder request = ScanRequest.builder().loadFamiliesOnDemand(true);
    byte[] start = Bytes.EMPTY;
    byte[] stop = Bytes.EMPTY;
    boolean hasStart = false;
    boolean withStart = true;
    boolean saysWithStop = false;
    boolean withStop = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == START) {
        start = in.readByteArray();
        hasStart = true;
      } else if (tag == STOP) {
        stop = in.readByteArray();
      } else if (tag == WITH_START) {
        withStart = in.readBool();
      } else if (tag == WITH_STOP) {
        saysWithStop = true;
        withStop = in.readBool();
      } else if (tag == COLUMN) {
        fields.column(request);
      } else if (tag == TIME_RANGE) {
        request.timeRange(fields.timeRange());
      } else if (tag == MAX_VERSIONS) {
        fields.maxVersions(request);
      } else if (tag == CACHE_BLOCKS) {
        request.cacheBlocks(in.readBool());
      } else if (tag == RESULT_SIZE) {
        maxResultSize = in.readUInt64();
      } else if (tag == ON_DEMAND) {
        request.loadFamiliesOnDemand(in.readBool());
      } else if (tag == SMALL) {
        small = in.readBool();
      } else if (tag == REVERSED) {
        request.reversed(in.readBool());
      } else if (tag == READ_POINT) {
        long readPoint = in.readUInt64();
        check(readPoint > 0);
        request.resumedFrom(readPoint);
      } else if (tag == CURSOR) {
        wantsCursor = in.readBool();
      } else if (tag == TRACKED_BY_RESULT) {
        check(!in.readBool());
      } else if (tag == CACHING) {
        in.readUInt32(); // the call says how many rows it wants
      } else if (tag == ALLOWS_PARTS) {
        in.readBool(); // the client's own affair
      } else if (tag == CONSISTENCY || tag == READ_TYPE) {
        in.readEnum(); // every read is answered as if it asked for the newest, and in one way
      } else {
        throw new NotPlainException();
      }
    }
    // Clients that do not know the flag ask for a single row with equal start and stop.
    boolean isRow = hasStart && stop.length > 0 && Arrays.equals(start, stop);
    return request.start(start, withStart).stop(stop, saysWithStop ? withStop : isRow).build();
  }
}
