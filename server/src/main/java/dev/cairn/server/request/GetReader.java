package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.TimeRange;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the message of a {@code Get} straight into the engine's request, without the objects of
 * protobuf. The filter and the attributes stay serialized. Used once.
 *
 * <p>Format: the messages {@code GetRequest} and {@code Get} of HBase's {@code Client.proto}.
 */
final class GetReader extends QueryFields {
  private static final int REGION = bytes(GetRequest.REGION_FIELD_NUMBER);
  private static final int GET = bytes(GetRequest.GET_FIELD_NUMBER);
  private static final int ROW = bytes(Get.ROW_FIELD_NUMBER);
  private static final int EXISTENCE_ONLY = number(Get.EXISTENCE_ONLY_FIELD_NUMBER);
  private static final int CLOSEST_BEFORE = number(Get.CLOSEST_ROW_BEFORE_FIELD_NUMBER);
  private static final int METRICS = number(Get.QUERY_METRICS_ENABLED_FIELD_NUMBER);
  private static final Tags TAGS =
      new Tags(
          bytes(Get.COLUMN_FIELD_NUMBER),
          bytes(Get.ATTRIBUTE_FIELD_NUMBER),
          bytes(Get.FILTER_FIELD_NUMBER),
          bytes(Get.TIME_RANGE_FIELD_NUMBER),
          number(Get.MAX_VERSIONS_FIELD_NUMBER),
          number(Get.CACHE_BLOCKS_FIELD_NUMBER),
          number(Get.STORE_LIMIT_FIELD_NUMBER),
          number(Get.STORE_OFFSET_FIELD_NUMBER),
          bytes(Get.CF_TIME_RANGE_FIELD_NUMBER),
          number(Get.LOAD_COLUMN_FAMILIES_ON_DEMAND_FIELD_NUMBER),
          number(Get.CONSISTENCY_FIELD_NUMBER));

  private byte[] row; // null if missing
  private boolean existenceOnly;
  private boolean closestBefore;
  private boolean tracked;

  GetReader(byte[] message) {
    super(message, TAGS);
  }

  /** Reads gets inside the message of another reader, where they have no region. */
  GetReader(MessageReader outer) {
    super(outer, TAGS);
  }

  GetMessage message() throws IOException {
    boolean hasGet = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == REGION) {
        region();
      } else if (tag == GET) {
        hasGet = true;
        readGet();
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    in.checkLastTagWas(0);
    if (!hasRegion() || !hasGet) {
      throw missing(hasGet ? "region" : "get");
    }
    return get();
  }

  /** Reads a get; merges it with an earlier one. */
  void readGet() throws IOException {
    int limit = begin();
    int offset = position();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ROW) {
        row = in.readByteArray();
      } else if (tag == EXISTENCE_ONLY) {
        existenceOnly = in.readBool();
      } else if (tag == CLOSEST_BEFORE) {
        closestBefore = in.readBool();
      } else if (tag == METRICS) {
        tracked = in.readBool();
      } else if (!readField(tag)) {
        break;
      }
    }
    end(limit);
    queryBegan(offset);
  }

  /** Builds the request after all fields are read, because they may come in any order. */
  GetMessage get() throws InvalidProtocolBufferException {
    if (row == null) {
      throw missing("get.row");
    }
    if (row.length == 0 || row.length > Short.MAX_VALUE) {
      refuse("A row must have 1 to " + Short.MAX_VALUE + " bytes, not " + row.length);
    }
    if (versions <= 0) {
      refuse("max_versions must be positive");
    }
    boolean anyCellDoes = existenceOnly && !hasFilter() && !hasStoreLimit;
    TimeRange times = times();
    if (closestBefore && columns() == 1) {
      wholeFamily();
    } else if (closestBefore) {
      refuse("The closest row before needs one family to look for, not " + columns());
    }
    ScanRequest request =
        request(
            row,
            true,
            closestBefore ? Bytes.EMPTY : row,
            !closestBefore,
            closestBefore,
            times,
            hasStoreLimit ? storeLimit : anyCellDoes ? 1 : -1,
            OptionalLong.empty(),
            anyCellDoes ? MobOptions.KEYS : MobOptions.DEFAULT);
    return new GetMessage(
        regionName(),
        hasEncodedName(),
        request,
        existenceOnly,
        anyCellDoes,
        closestBefore,
        tracked,
        extras(),
        message,
        queryOffset(),
        queryLength());
  }
}
