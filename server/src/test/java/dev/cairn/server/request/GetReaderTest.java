package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.request.QueryFields.QueryExtras;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** Gets say the same to the engine as when protobuf reads them. */
class GetReaderTest extends ReaderContract {
  private final QueryDecoder decoder =
      new QueryDecoder(TestFilters.parser(getClass().getClassLoader()));

  @Test
  void leavesAPlainGetComplete() throws IOException {
    Get get = new Get(Bytes.utf8("r")).addColumn(Bytes.utf8("f"), Bytes.utf8("q"));
    GetMessage query = query(get);
    assertThat(decoder.get(query, SCHEMA)).isSameAs(query.row());
  }

  @Test
  void completesTheRequestWithItsFilter() throws IOException {
    Get get = new Get(Bytes.utf8("r")).setFilter(new PageFilter(1));
    assertThat(query(get).hasFilter()).isTrue();
    assertThat(decoder.get(query(get), SCHEMA).filter()).isPresent();
  }

  @Override
  GetRequest anyMessage() {
    ClientProtos.Get.Builder get =
        ClientProtos.Get.newBuilder().setRow(random.bytes(1 + random.oneOf(20)));
    for (int i = random.oneOf(3); i > 0; i--) {
      get.addColumn(random.column());
    }
    if (random.onceIn(2)) {
      get.setTimeRange(random.timeRange());
    }
    if (random.onceIn(2)) {
      get.setMaxVersions(random.oneOf(4));
    }
    if (random.onceIn(2)) {
      get.setCacheBlocks(random.flag());
    }
    if (random.onceIn(2)) {
      get.setLoadColumnFamiliesOnDemand(random.flag());
    }
    if (random.onceIn(2)) {
      get.setConsistency(ClientProtos.Consistency.TIMELINE);
    }
    random.queryParts(get::setFilter, get::addAttribute, get::addCfTimeRange);
    if (random.onceIn(10)) {
      get.clearRow();
    }
    switch (random.oneOf(12)) {
      case 0 -> get.setStoreLimit(random.oneOf(3));
      case 1 -> get.setStoreOffset(random.oneOf(3));
      case 2 -> get.setExistenceOnly(random.flag());
      case 3 -> get.setClosestRowBefore(random.flag());
      case 4 -> get.setQueryMetricsEnabled(true);
      case 5 -> get.setQueryMetricsEnabled(false); // as clients say
      case 6 -> get.setRow(ByteString.EMPTY);
      default -> {
        // Nothing else.
      }
    }
    GetRequest.Builder request = GetRequest.newBuilder().setRegion(random.region());
    if (random.onceIn(50)) {
      request.clearRegion();
    }
    if (!random.onceIn(50)) {
      request.setGet(get.buildPartial());
    }
    return random.withUnknownFields(request).buildPartial();
  }

  @Override
  void parseWithProtobuf(byte[] message) throws InvalidProtocolBufferException {
    GetRequest.parseFrom(message);
  }

  @Override
  void read(byte[] message) throws IOException {
    GetMessage read = GetMessage.parse(message);
    GetRequest request = GetRequest.parseFrom(message);
    ClientProtos.Get get = request.getGet();
    assertSameRegion(read, request.getRegion());
    assertThat(read.existenceOnly()).isEqualTo(get.getExistenceOnly());
    assertThat(read.isForReplicasToo())
        .isEqualTo(get.getConsistency() == ClientProtos.Consistency.TIMELINE);
    assertThat(read.closestBefore()).isEqualTo(get.getClosestRowBefore());
    assertThat(read.tracked()).isEqualTo(get.getQueryMetricsEnabled());
    QueryExtras extras = read.extras();
    assertThat(extras.filter())
        .isEqualTo(get.hasFilter() ? Optional.of(get.getFilter()) : Optional.empty());
    assertThat(extras.attributes()).isEqualTo(get.getAttributeList());
    assertThat(extras.familyRanges()).isEqualTo(get.getCfTimeRangeList());
    assertThat(extras.refusal().isPresent()).isEqualTo(isRefused(get));
    assertThat(read.anyCellDoes())
        .isEqualTo(get.getExistenceOnly() && !get.hasFilter() && !get.hasStoreLimit());
    if (!isRefused(get)) {
      assertSameRow(read, get);
    }
  }

  /** Tells whether a get is well formed as a message and asks for something that is not. */
  static boolean isRefused(ClientProtos.Get get) {
    return get.getRow().isEmpty()
        || get.getMaxVersions() <= 0
        || !isRange(get.getTimeRange())
        || get.getClosestRowBefore() && get.getColumnCount() != 1;
  }

  private static void assertSameRow(GetMessage read, ClientProtos.Get get) {
    boolean closest = get.getClosestRowBefore();
    ScanRequest row = read.row();
    assertThat(row.startRow()).isEqualTo(get.getRow().toByteArray());
    assertThat(row.includeStart()).isTrue();
    assertThat(row.stopRow()).isEqualTo(closest ? Bytes.EMPTY : row.startRow());
    assertThat(row.includeStop()).isEqualTo(!closest);
    assertThat(row.reversed()).isEqualTo(closest);
    assertSameColumns(row, get.getColumnList(), closest);
    assertSameTimes(row.timeRange(), get.getTimeRange());
    assertThat(row.maxVersions()).isEqualTo(get.getMaxVersions());
    assertThat(row.cacheBlocks()).isEqualTo(get.getCacheBlocks());
    assertThat(row.cellsPerFamilyLimit())
        .isEqualTo(get.hasStoreLimit() ? get.getStoreLimit() : read.anyCellDoes() ? 1 : -1);
    assertThat(row.cellsPerFamilyOffset()).isEqualTo(get.getStoreOffset());
    assertThat(row.loadFamiliesOnDemand())
        .isEqualTo(!get.hasLoadColumnFamiliesOnDemand() || get.getLoadColumnFamiliesOnDemand());
    assertThat(row.mob()).isEqualTo(read.anyCellDoes() ? MobOptions.KEYS : MobOptions.DEFAULT);
    assertThat(row.raw() || row.readUncommitted()).isFalse();
    assertThat(row.observer()).isEmpty();
    assertThat(row.resumedFrom()).isEmpty();
  }

  private static GetMessage query(Get get) throws IOException {
    byte[] region = Bytes.utf8("t,,1.0123456789abcdef0123456789abcdef.");
    return GetMessage.parse(RequestConverter.buildGetRequest(region, get).toByteArray());
  }
}
