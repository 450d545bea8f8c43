package dev.cairn.coprocessor.convert;

import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.filter.FilterAdapter;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.QueryDecoder.DecodedScan;
import dev.cairn.server.request.ScanMessage;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * HBase's gets and scans in place of the messages of clients, and the engine's requests in place of
 * those: by way of the message that a client would send, so that both ways of a query have one
 * meaning. A filter stays the same object, because hooks may keep it. Any number of threads.
 */
public final class Queries {
  private final RegionInfo info;
  private final TableSchema schema;
  private final FilterParser filters;
  private final QueryDecoder decoder;

  /**
   * Creates it for the queries of one region.
   *
   * @param filters reads the filters of messages
   */
  public Queries(RegionInfo info, TableSchema schema, FilterParser filters) {
    this.info = info;
    this.schema = schema;
    this.filters = filters;
    this.decoder = new QueryDecoder(filters);
  }

  /** Returns the scan that a client sent; as in HBase, with all families if it names none. */
  public Scan scan(ScanMessage.Opening opening) throws IOException {
    ClientProtos.Scan sent = opening.sent();
    try {
      Scan scan = ProtobufUtil.toScan(sent.toBuilder().clearFilter().build());
      if (sent.hasFilter()) {
        scan.setFilter(filters.filter(sent.getFilter()));
      }
      return complete(scan);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** Fills in what HBase's server fills in before it asks hooks. */
  public Scan complete(Scan scan) {
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(true);
    }
    if (!scan.hasFamilies()) {
      schema.families().forEach(family -> scan.addFamily(family.name()));
    }
    return scan;
  }

  /** Returns the get that a client sent; as in HBase, with all families if it names none. */
  public Get get(GetMessage get) throws IOException {
    ClientProtos.Get sent = get.sent();
    try {
      Get made = ProtobufUtil.toGet(sent.toBuilder().clearFilter().build());
      if (sent.hasFilter()) {
        made.setFilter(filters.filter(sent.getFilter()));
      }
      return made;
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** As {@link #complete(Scan)}. */
  public Get complete(Get get) {
    if (!get.hasFamilies()) {
      schema.families().forEach(family -> get.addFamily(family.name()));
    }
    return get;
  }

  /** Returns the engine's request for a scan, and the filter in it. */
  public DecodedScan request(Scan scan) throws IOException {
    Scan plain = new Scan(scan);
    plain.setFilter(null);
    byte[] message =
        RequestConverter.buildScanRequest(info.regionName(), plain, 1, false).toByteArray();
    if (!(ScanMessage.parse(message).subject() instanceof ScanMessage.Opening opening)) {
      throw new IllegalStateException("the message of a scan opens none");
    }
    return decoder.scan(opening, info, schema, adapter(scan.getFilter(), scan.isReversed()));
  }

  /** Returns the engine's request for all cells that a get asks for, also if it asks for none. */
  public ScanRequest request(Get get) throws IOException {
    Get plain = new Get(get);
    plain.setFilter(null);
    plain.setCheckExistenceOnly(false);
    byte[] message = RequestConverter.buildGetRequest(info.regionName(), plain).toByteArray();
    return decoder.get(GetMessage.parse(message), schema, adapter(get.getFilter(), false));
  }

  private static Optional<FilterAdapter> adapter(Filter filter, boolean reversed)
      throws DoNotRetryIOException {
    return filter == null ? Optional.empty() : Optional.of(new FilterAdapter(filter, reversed));
  }

  /** Returns about the scan that a request is for; without its filter. */
  public Scan scan(ScanRequest request) {
    Scan scan =
        new Scan()
            .withStartRow(request.startRow(), request.includeStart())
            .withStopRow(request.stopRow(), request.includeStop())
            .setReversed(request.reversed())
            .setCacheBlocks(request.cacheBlocks())
            .readVersions(request.maxVersions())
            .setRaw(request.raw());
    for (Map.Entry<byte[], FamilySelection> family : request.families().entrySet()) {
      scan.addFamily(family.getKey());
    }
    return complete(scan);
  }

  /** Returns the families of the table. */
  public Iterable<FamilySchema> families() {
    return schema.families();
  }
}
