package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.filter.TestFilters;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Plain gets say the same to the engine as when protobuf reads them; all others are left to it. */
class PlainGetReaderTest extends PlainReaderContract {
  private final QueryDecoder decoder =
      new QueryDecoder(TestFilters.parser(getClass().getClassLoader()));

  PlainGetReaderTest() {
    super(11);
  }

  @Test
  void readsWhatClientsSend() throws IOException {
    org.apache.hadoop.hbase.client.Get get = new org.apache.hadoop.hbase.client.Get(row("r"));
    assertPlain(get);
    assertPlain(get.readVersions(3));
    assertPlain(get.addFamily(row("f")));
    assertPlain(get.addColumn(row("g"), row("q")).addColumn(row("g"), row("p")));
    assertPlain(get.setTimeRange(5, 10));
    assertPlain(get.setCacheBlocks(false));
    assertPlain(get.setConsistency(org.apache.hadoop.hbase.client.Consistency.TIMELINE));
  }

  @Test
  void leavesTheOthersToProtobuf() throws IOException {
    assertNotPlain(get().setFilter(new PageFilter(1)));
    assertNotPlain(get().setCheckExistenceOnly(true));
    assertNotPlain(get().setMaxResultsPerColumnFamily(1));
    assertNotPlain(get().setRowOffsetPerColumnFamily(1));
    assertNotPlain(request(read().setQueryMetricsEnabled(true)));
    assertNotPlain(get().setColumnFamilyTimeRange(row("f"), 1, 2));
    assertNotPlain(get().setAttribute("a", row("b")));
  }

  @Test
  void leavesWhatIsToBeRefusedToProtobuf() {
    assertNotPlain(request(read().setMaxVersions(0)));
    assertNotPlain(request(read().setMaxVersions(-1)));
    assertNotPlain(request(read().setRow(ByteString.EMPTY)));
    assertNotPlain(request(read().setRow(ByteString.copyFrom(new byte[1 << 15]))));
    assertNotPlain(request(read().setTimeRange(HBaseProtos.TimeRange.newBuilder().setTo(-1))));
    assertNotPlain(
        request(read().setTimeRange(HBaseProtos.TimeRange.newBuilder().setFrom(2).setTo(1))));
    assertNotPlain(request(read()).toBuilder().clearRegion().buildPartial());
    assertNotPlain(request(read()).toBuilder().clearGet().buildPartial());
    assertNotPlain(request(read()).toBuilder().setRegion(encodedRegion()).build());
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
    switch (random.oneOf(12)) {
      case 0 -> get.setStoreLimit(random.oneOf(3));
      case 1 -> get.setStoreOffset(random.oneOf(3));
      case 2 -> get.setExistenceOnly(random.flag());
      case 3 -> get.setClosestRowBefore(random.flag());
      case 4 -> get.setQueryMetricsEnabled(true);
      case 5 -> get.setQueryMetricsEnabled(false); // as clients say
      case 6 -> get.addAttribute(NameBytesPair.newBuilder().setName("a").setValue(random.bytes(1)));
      default -> {
        // Nothing else.
      }
    }
    return request(get);
  }

  @Override
  boolean isPlain(byte[] message) {
    return PlainGetReader.read(message).isPresent();
  }

  @Override
  boolean agrees(byte[] message) throws IOException {
    Optional<GetMessage.Plain> read = PlainGetReader.read(message);
    if (read.isPresent()) {
      GetRequest request = GetMessage.ANY.parse(message);
      assertThat(read.get().region()).isEqualTo(request.getRegion());
      assertThat(RequestText.of(read.get().row()))
          .isEqualTo(RequestText.of(decoder.get(request.getGet(), SCHEMA)));
    }
    return read.isPresent();
  }

  private void assertPlain(org.apache.hadoop.hbase.client.Get get) throws IOException {
    assertPlain(RequestConverter.buildGetRequest(regionName(), get));
  }

  private void assertNotPlain(org.apache.hadoop.hbase.client.Get get) throws IOException {
    assertNotPlain(request(ProtobufUtil.toGet(get).toBuilder()));
  }

  private static org.apache.hadoop.hbase.client.Get get() {
    return new org.apache.hadoop.hbase.client.Get(row("r"));
  }

  private static ClientProtos.Get.Builder read() {
    return ClientProtos.Get.newBuilder().setRow(ByteString.copyFromUtf8("r"));
  }

  private static GetRequest request(ClientProtos.Get.Builder get) {
    return GetRequest.newBuilder().setRegion(region()).setGet(get).build();
  }

  private static byte[] row(String text) {
    return Bytes.utf8(text);
  }
}
