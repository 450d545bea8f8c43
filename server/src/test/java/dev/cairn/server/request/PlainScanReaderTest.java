package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.filter.TestFilters;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Plain scans say the same as when protobuf reads them; all others are left to it. */
@SuppressWarnings("deprecation") // clients of HBase 1 set what is deprecated since
class PlainScanReaderTest extends PlainReaderContract {
  /** All rows, and those within some. */
  private static final List<RegionInfo> REGIONS =
      List.of(
          new RegionInfo(SCHEMA.name(), Bytes.EMPTY, Bytes.EMPTY, 7),
          new RegionInfo(SCHEMA.name(), new byte[] {64}, new byte[] {(byte) 128}, 7));

  private final QueryDecoder decoder =
      new QueryDecoder(TestFilters.parser(getClass().getClassLoader()));

  PlainScanReaderTest() {
    super(11);
  }

  @Test
  void readsWhatClientsOpen() throws IOException {
    org.apache.hadoop.hbase.client.Scan scan = scan();
    assertPlain(scan);
    assertPlain(scan.setLimit(20).setCaching(20));
    assertPlain(scan.withStartRow(row("a")));
    assertPlain(scan.withStartRow(row("a"), false).withStopRow(row("b"), true));
    assertPlain(scan.withStopRow(row("a")));
    assertPlain(scan.readVersions(3));
    assertPlain(scan.addFamily(row("f")));
    assertPlain(scan.addColumn(row("g"), row("q")).addColumn(row("g"), row("p")));
    assertPlain(scan.setTimeRange(5, 10));
    assertPlain(scan.setCacheBlocks(false).setMaxResultSize(1000).setAllowPartialResults(true));
    assertPlain(scan.setReadType(org.apache.hadoop.hbase.client.Scan.ReadType.PREAD));
    assertPlain(scan.setConsistency(Consistency.TIMELINE).setNeedCursorResult(true));
    assertPlain(scan().setReversed(true).withStartRow(row("b")));
    assertPlain(scan().setOneRowLimit());
    assertPlain(request(asked().setMvccReadPoint(17)));
    assertPlain(request(asked().setSmall(true)));
  }

  @Test
  void readsWhatClientsSendToGoOnAndToClose() throws IOException {
    assertPlain(RequestConverter.buildScanRequest(77, 100, false, 3, false, false, -1));
    assertPlain(RequestConverter.buildScanRequest(77, 100, true, 3, true, false, 50));
    assertPlain(RequestConverter.buildScanRequest(77, 0, false, 3, false, true, -1));
    assertPlain(RequestConverter.buildScanRequest(77, 0, true, false));
    assertPlain(ScanRequest.newBuilder().setScannerId(-1).build());
  }

  @Test
  void leavesTheOthersToProtobuf() throws IOException {
    assertNotPlain(scan().setFilter(new PageFilter(1)));
    assertNotPlain(scan().setBatch(1));
    assertNotPlain(scan().setMaxResultsPerColumnFamily(1));
    assertNotPlain(scan().setRowOffsetPerColumnFamily(1));
    assertNotPlain(scan().setColumnFamilyTimeRange(row("f"), 1, 2));
    assertNotPlain(scan().setAttribute("a", row("b")));
    assertNotPlain(scan().setRaw(true));
    assertNotPlain(scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    assertNotPlain(request(asked().setQueryMetricsEnabled(true)));
    assertNotPlain(request(asked()).toBuilder().setScannerId(1).build());
  }

  @Test
  void leavesWhatIsToBeRefusedToProtobuf() {
    assertNotPlain(request(asked().setMaxVersions(0)));
    assertNotPlain(request(asked().setMaxVersions(-1)));
    assertNotPlain(request(asked().setTimeRange(HBaseProtos.TimeRange.newBuilder().setTo(-1))));
    assertNotPlain(
        request(asked().setTimeRange(HBaseProtos.TimeRange.newBuilder().setFrom(2).setTo(1))));
    assertNotPlain(request(asked()).toBuilder().clearRegion().build());
    assertNotPlain(request(asked()).toBuilder().clearScan().build());
    assertNotPlain(ScanRequest.getDefaultInstance());
    assertNotPlain(request(asked()).toBuilder().setRegion(encodedRegion()).build());
  }

  @Override
  ScanRequest anyMessage() {
    ScanRequest.Builder request =
        random.onceIn(3)
            ? ScanRequest.newBuilder().setScannerId(random.number())
            : request(anyScan()).toBuilder();
    if (random.onceIn(2)) {
      request.setNumberOfRows(random.oneOf(4) - 1);
    }
    if (random.onceIn(2)) {
      request.setNextCallSeq(random.oneOf(3));
    }
    if (random.onceIn(4)) {
      request.setCloseScanner(random.flag());
    }
    if (random.onceIn(4)) {
      request.setRenew(random.flag());
    }
    if (random.onceIn(4)) {
      request.setTrackScanMetrics(random.flag());
    }
    if (random.onceIn(2)) {
      request.setLimitOfRows(random.oneOf(3) - 1);
    }
    if (random.onceIn(2)) {
      request.setClientHandlesPartials(random.flag());
      request.setClientHandlesHeartbeats(random.flag());
    }
    return request.build();
  }

  private Scan.Builder anyScan() {
    Scan.Builder scan = Scan.newBuilder();
    ByteString start = random.bytes(random.oneOf(2));
    if (random.oneOf(4) > 0) {
      scan.setStartRow(start);
    }
    if (random.onceIn(2)) {
      scan.setStopRow(random.onceIn(3) ? start : random.bytes(random.oneOf(2)));
    }
    if (random.onceIn(3)) {
      scan.setIncludeStartRow(random.flag());
    }
    if (random.onceIn(3)) {
      scan.setIncludeStopRow(random.flag());
    }
    if (random.onceIn(3)) {
      scan.setReversed(random.flag());
    }
    for (int i = random.oneOf(3); i > 0; i--) {
      scan.addColumn(random.column());
    }
    if (random.onceIn(3)) {
      scan.setTimeRange(random.timeRange());
    }
    if (random.onceIn(2)) {
      scan.setMaxVersions(random.oneOf(4))
          .setMaxResultSize(random.oneOf(3) - 1)
          .setCaching(random.oneOf(3));
    }
    if (random.onceIn(2)) {
      scan.setCacheBlocks(random.flag()).setNeedCursorResult(random.flag());
    }
    if (random.onceIn(2)) {
      scan.setLoadColumnFamiliesOnDemand(random.flag()).setSmall(random.flag());
    }
    if (random.onceIn(2)) {
      scan.setConsistency(ClientProtos.Consistency.TIMELINE).setReadType(Scan.ReadType.STREAM);
    }
    switch (random.oneOf(14)) {
      case 0 -> scan.setStoreLimit(random.oneOf(3));
      case 1 -> scan.setStoreOffset(random.oneOf(3));
      case 2 -> scan.setBatchSize(random.oneOf(3));
      case 3 -> scan.setMvccReadPoint(random.oneOf(3));
      case 4 -> scan.setQueryMetricsEnabled(true);
      case 5 -> scan.setQueryMetricsEnabled(false);
      case 6 -> scan.setAllowPartialResults(random.flag());
      case 7 ->
          scan.addAttribute(NameBytesPair.newBuilder().setName("a").setValue(random.bytes(1)));
      default -> {
        // Nothing else.
      }
    }
    return scan;
  }

  @Override
  boolean isPlain(byte[] message) {
    return PlainScanReader.read(message).isPresent();
  }

  @Override
  boolean agrees(byte[] message) throws IOException {
    Optional<ScanMessage> read = PlainScanReader.read(message);
    if (read.isEmpty()) {
      return false;
    }
    ScanMessage other = ScanMessage.of(ScanRequest.parseFrom(message));
    assertThat(withSubject(read.get(), other.subject())).isEqualTo(other);
    if (!(read.get().subject() instanceof ScanMessage.Plain scan)) {
      assertThat(read.get().subject()).isEqualTo(other.subject());
      return true;
    }
    ScanMessage.Any any = (ScanMessage.Any) other.subject();
    assertThat(scan.region()).isEqualTo(any.region());
    assertThat(any.scan().getBatchSize()).isZero();
    assertThat(Math.max(0, scan.maxResultSize()))
        .isEqualTo(Math.max(0, any.scan().getMaxResultSize()));
    assertThat(scan.small()).isEqualTo(any.scan().getSmall());
    assertThat(scan.wantsCursor()).isEqualTo(any.scan().getNeedCursorResult());
    for (RegionInfo region : REGIONS) {
      QueryDecoder.DecodedScan one = decoder.scan(scan, region, SCHEMA);
      QueryDecoder.DecodedScan two = decoder.scan(any, region, SCHEMA);
      assertThat(RequestText.of(one.request())).isEqualTo(RequestText.of(two.request()));
      assertThat(one.filter()).isEqualTo(two.filter());
    }
    assertThat(decoder.explain(scan)).isEqualTo(decoder.explain(any));
    return true;
  }

  private static ScanMessage withSubject(ScanMessage message, ScanMessage.Subject subject) {
    return new ScanMessage(
        subject,
        message.rows(),
        message.closes(),
        message.renews(),
        message.sequence(),
        message.takesParts(),
        message.takesHeartbeats(),
        message.tracked(),
        message.trackedByResult(),
        message.limitOfRows());
  }

  private void assertPlain(org.apache.hadoop.hbase.client.Scan scan) throws IOException {
    assertPlain(RequestConverter.buildScanRequest(regionName(), scan, 100, false));
    assertPlain(RequestConverter.buildScanRequest(regionName(), scan, 1, true));
  }

  private void assertNotPlain(org.apache.hadoop.hbase.client.Scan scan) throws IOException {
    assertNotPlain(request(ProtobufUtil.toScan(scan).toBuilder()));
  }

  private static org.apache.hadoop.hbase.client.Scan scan() {
    return new org.apache.hadoop.hbase.client.Scan();
  }

  private static Scan.Builder asked() {
    return Scan.newBuilder().setStartRow(ByteString.copyFromUtf8("r"));
  }

  private static ScanRequest request(Scan.Builder scan) {
    return ScanRequest.newBuilder().setRegion(region()).setScan(scan).build();
  }

  private static byte[] row(String text) {
    return Bytes.utf8(text);
  }
}
