package dev.cairn.coprocessor.facade;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;

/** Converts HBase's queries to the engine's, through the message that a client would send. */
final class Queries {
  private Queries() {}

  /** Returns the engine's request for a scan of one region. */
  static ScanRequest of(Scan scan, RegionInfo info, TableSchema schema, FilterParser filters)
      throws IOException {
    byte[] message =
        RequestConverter.buildScanRequest(info.regionName(), scan, 1, false).toByteArray();
    if (!(ScanMessage.parse(message).subject() instanceof ScanMessage.Opening opening)) {
      throw new IllegalStateException("the message of a scan opens none");
    }
    return new QueryDecoder(filters).scan(opening, info, schema).request();
  }
}
