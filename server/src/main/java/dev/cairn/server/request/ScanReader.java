package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the message of a {@code Scan} straight into the engine's request, without the objects of
 * protobuf. The filter and the attributes stay serialized. Used once.
 *
 * <p>Format: the messages {@code ScanRequest} and {@code Scan} of HBase's {@code Client.proto}.
 */
final class ScanReader extends QueryFields {
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

  private static final int BATCH = number(Scan.BATCH_SIZE_FIELD_NUMBER);
  private static final int START = bytes(Scan.START_ROW_FIELD_NUMBER);
  private static final int STOP = bytes(Scan.STOP_ROW_FIELD_NUMBER);
  private static final int RESULT_SIZE = number(Scan.MAX_RESULT_SIZE_FIELD_NUMBER);
  private static final int SMALL = number(Scan.SMALL_FIELD_NUMBER);
  private static final int REVERSED = number(Scan.REVERSED_FIELD_NUMBER);
  private static final int READ_POINT = number(Scan.MVCC_READ_POINT_FIELD_NUMBER);
  private static final int WITH_START = number(Scan.INCLUDE_START_ROW_FIELD_NUMBER);
  private static final int WITH_STOP = number(Scan.INCLUDE_STOP_ROW_FIELD_NUMBER);
  private static final int CURSOR = number(Scan.NEED_CURSOR_RESULT_FIELD_NUMBER);
  private static final int TRACKED_BY_RESULT = number(Scan.QUERY_METRICS_ENABLED_FIELD_NUMBER);
  private static final Tags TAGS =
      new Tags(
          bytes(Scan.COLUMN_FIELD_NUMBER),
          bytes(Scan.ATTRIBUTE_FIELD_NUMBER),
          bytes(Scan.FILTER_FIELD_NUMBER),
          bytes(Scan.TIME_RANGE_FIELD_NUMBER),
          number(Scan.MAX_VERSIONS_FIELD_NUMBER),
          number(Scan.CACHE_BLOCKS_FIELD_NUMBER),
          number(Scan.STORE_LIMIT_FIELD_NUMBER),
          number(Scan.STORE_OFFSET_FIELD_NUMBER),
          bytes(Scan.CF_TIME_RANGE_FIELD_NUMBER),
          number(Scan.LOAD_COLUMN_FAMILIES_ON_DEMAND_FIELD_NUMBER),
          number(Scan.CONSISTENCY_FIELD_NUMBER));

  // Of the scan that the message opens.
  private boolean opens;
  private byte[] start = Bytes.EMPTY;
  private byte[] stop = Bytes.EMPTY;
  private boolean hasStart;
  private boolean includeStart = true;
  private boolean hasIncludeStop;
  private boolean includeStop;
  private boolean reversed;
  private int batch;
  private long maxResultSize;
  private boolean small;
  private boolean wantsCursor;
  private boolean trackedByResult;
  private long readPoint;

  ScanReader(byte[] message) {
    super(message, TAGS);
  }

  ScanMessage message() throws IOException {
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
        region();
      } else if (tag == SCAN) {
        opens = true;
        readScan();
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
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    in.checkLastTagWas(0);
    return new ScanMessage(
        subject(scannerId),
        ScanMessage.rows(rows, closes),
        closes,
        renews,
        sequence,
        takesParts,
        takesHeartbeats,
        tracked,
        trackedByResult,
        limitOfRows);
  }

  /** Returns the subject of the message: an open scan, or the scan that the message opens. */
  private ScanMessage.Subject subject(OptionalLong scannerId)
      throws InvalidProtocolBufferException {
    ByteString region = regionName();
    ScanMessage.Opening opening = opens ? opening(region) : null;
    if (scannerId.isPresent()) {
      return new ScanMessage.Known(scannerId.getAsLong());
    }
    return opens ? opening : ScanMessage.NOTHING;
  }

  private ScanMessage.Opening opening(ByteString region) throws InvalidProtocolBufferException {
    if (versions == 0) {
      refuse("max_versions must be positive");
    }
    // Clients that do not know the flag ask for a single row with equal start and stop.
    boolean isRow = hasStart && stop.length > 0 && Arrays.equals(start, stop);
    ScanRequest request =
        request(
            start,
            includeStart,
            stop,
            hasIncludeStop ? includeStop : isRow,
            reversed,
            times(),
            hasStoreLimit ? storeLimit : -1,
            readPoint > 0 ? OptionalLong.of(readPoint) : OptionalLong.empty(),
            MobOptions.DEFAULT);
    return new ScanMessage.Opening(
        region,
        hasEncodedName(),
        request,
        batch,
        maxResultSize,
        small,
        wantsCursor,
        extras(),
        message,
        queryOffset(),
        queryLength());
  }

  private void readScan() throws IOException {
    int limit = begin();
    int offset = position();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == START) {
        start = in.readByteArray();
        hasStart = true;
      } else if (tag == STOP) {
        stop = in.readByteArray();
      } else if (tag == WITH_START) {
        includeStart = in.readBool();
      } else if (tag == WITH_STOP) {
        hasIncludeStop = true;
        includeStop = in.readBool();
      } else if (tag == RESULT_SIZE) {
        maxResultSize = in.readUInt64();
      } else if (tag == SMALL) {
        small = in.readBool();
      } else if (tag == REVERSED) {
        reversed = in.readBool();
      } else if (tag == READ_POINT) {
        readPoint = in.readUInt64();
      } else if (tag == CURSOR) {
        wantsCursor = in.readBool();
      } else if (tag == TRACKED_BY_RESULT) {
        trackedByResult = in.readBool();
      } else if (tag == BATCH) {
        batch = in.readUInt32();
      } else if (!readField(tag)) {
        break;
      }
    }
    end(limit);
    queryBegan(offset);
  }
}
