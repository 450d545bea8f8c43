package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.check;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.PlainFields.NotPlainException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the message of a {@code Get} straight into what the engine is asked, without the objects
 * that protobuf makes of it. Any message that is more than a {@link GetMessage.Plain} it leaves to
 * protobuf and {@link QueryDecoder}: one with a field that it does not know, an attribute or a
 * filter, with a value that is to be refused, or one that is malformed. Used once.
 *
 * <p>Format: the messages {@code GetRequest} and {@code Get} of HBase's {@code Client.proto}.
 */
final class PlainGetReader {
  private static final int REGION = bytes(GetRequest.REGION_FIELD_NUMBER);
  private static final int GET = bytes(GetRequest.GET_FIELD_NUMBER);
  private static final int ROW = bytes(Get.ROW_FIELD_NUMBER);
  private static final int COLUMN = bytes(Get.COLUMN_FIELD_NUMBER);
  private static final int TIME_RANGE = bytes(Get.TIME_RANGE_FIELD_NUMBER);
  private static final int MAX_VERSIONS = number(Get.MAX_VERSIONS_FIELD_NUMBER);
  private static final int CACHE_BLOCKS = number(Get.CACHE_BLOCKS_FIELD_NUMBER);
  private static final int CONSISTENCY = number(Get.CONSISTENCY_FIELD_NUMBER);
  private static final int ON_DEMAND = number(Get.LOAD_COLUMN_FAMILIES_ON_DEMAND_FIELD_NUMBER);
  private static final int METRICS = number(Get.QUERY_METRICS_ENABLED_FIELD_NUMBER);

  private final CodedInputStream in;
  private final PlainQueryFields fields;

  private PlainGetReader(byte[] message) {
    this.in = CodedInputStream.newInstance(message);
    this.fields = new PlainQueryFields(message, in);
  }

  /** Reads a message; empty if it is not a plain one, or none at all. */
  static Optional<GetMessage.Plain> read(byte[] message) {
    try {
      return Optional.of(new PlainGetReader(message).request());
    } catch (NotPlainException | InvalidProtocolBufferException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError("An array has no other errors", e);
    }
  }

  private GetMessage.Plain request() throws IOException {
    ByteString region = ByteString.EMPTY;
    ScanRequest row = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == REGION) {
        region = fields.regionName();
      } else if (tag == GET) {
        check(row == null);
        int limit = in.pushLimit(in.readRawVarint32());
        row = get();
        in.popLimit(limit);
      } else {
        throw new NotPlainException();
      }
    }
    check(!region.isEmpty() && row != null);
    return new GetMessage.Plain(region, row);
  }

  private ScanRequest get() throws IOException {
    ScanRequest.Builder request = ScanRequest.builder().loadFamiliesOnDemand(true);
    byte[] row = {};
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ROW) {
        row = in.readByteArray();
        check(row.length > 0 && row.length <= Short.MAX_VALUE);
      } else if (tag == COLUMN) {
        fields.column(request);
      } else if (tag == TIME_RANGE) {
        request.timeRange(fields.timeRange());
      } else if (tag == MAX_VERSIONS) {
        fields.maxVersions(request);
      } else if (tag == CACHE_BLOCKS) {
        request.cacheBlocks(in.readBool());
      } else if (tag == ON_DEMAND) {
        request.loadFamiliesOnDemand(in.readBool());
      } else if (tag == CONSISTENCY) {
        in.readEnum(); // every read is answered as if it asked for the newest
      } else if (tag == METRICS) {
        check(!in.readBool());
      } else {
        throw new NotPlainException();
      }
    }
    check(row.length > 0);
    return request.start(row, true).stop(row, true).build();
  }
}
