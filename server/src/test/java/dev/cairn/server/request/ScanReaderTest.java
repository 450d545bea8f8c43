package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.server.request.QueryFields.QueryExtras;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** Scans say the same to the engine as when protobuf reads them. */
@SuppressWarnings("deprecation") // clients of HBase 1 set what is deprecated since
class ScanReaderTest extends ReaderContract {
  @Test
  void readsWhatClientsSendToGoOnAndToClose() throws IOException {
    check(RequestConverter.buildScanRequest(77, 100, false, 3, false, false, -1).toByteArray());
    check(RequestConverter.buildScanRequest(77, 100, true, 3, true, false, 50).toByteArray());
    check(RequestConverter.buildScanRequest(77, 0, false, 3, false, true, -1).toByteArray());
    check(RequestConverter.buildScanRequest(77, 0, true, false).toByteArray());
    check(ScanRequest.newBuilder().setScannerId(-1).build().toByteArray());
    check(new byte[0]);
  }

  @Override
  ScanRequest anyMessage() {
    ScanRequest.Builder request =
        random.onceIn(3)
            ? ScanRequest.newBuilder().setScannerId(random.number())
            : ScanRequest.newBuilder().setRegion(random.region()).setScan(anyScan().buildPartial());
    if (random.onceIn(20)) {
      request.clearRegion();
    }
    if (random.onceIn(20)) {
      request.setScannerId(random.number());
    }
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
    return random.withUnknownFields(request).buildPartial();
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
    random.queryParts(scan::setFilter, scan::addAttribute, scan::addCfTimeRange);
    switch (random.oneOf(14)) {
      case 0 -> scan.setStoreLimit(random.oneOf(3));
      case 1 -> scan.setStoreOffset(random.oneOf(3));
      case 2 -> scan.setBatchSize(random.oneOf(3));
      case 3 -> scan.setMvccReadPoint(random.oneOf(3));
      case 4 -> scan.setQueryMetricsEnabled(true);
      case 5 -> scan.setQueryMetricsEnabled(false);
      case 6 -> scan.setAllowPartialResults(random.flag());
      case 7 -> scan.setMaxVersions(-1 - random.oneOf(2));
      default -> {
        // Nothing else.
      }
    }
    return scan;
  }

  @Override
  void parseWithProtobuf(byte[] message) throws InvalidProtocolBufferException {
    ScanRequest.parseFrom(message);
  }

  @Override
  void read(byte[] message) throws IOException {
    ScanMessage read = ScanMessage.parse(message);
    ScanRequest request = ScanRequest.parseFrom(message);
    assertThat(read.rows())
        .isEqualTo(
            request.hasNumberOfRows()
                ? request.getNumberOfRows()
                : request.getCloseScanner() ? 0 : 1);
    assertThat(read.closes()).isEqualTo(request.getCloseScanner());
    assertThat(read.renews()).isEqualTo(request.getRenew());
    assertThat(read.sequence())
        .isEqualTo(
            request.hasNextCallSeq()
                ? OptionalLong.of(request.getNextCallSeq())
                : OptionalLong.empty());
    assertThat(read.takesParts()).isEqualTo(request.getClientHandlesPartials());
    assertThat(read.takesHeartbeats()).isEqualTo(request.getClientHandlesHeartbeats());
    assertThat(read.tracked()).isEqualTo(request.getTrackScanMetrics());
    assertThat(read.trackedByResult()).isEqualTo(request.getScan().getQueryMetricsEnabled());
    assertThat(read.limitOfRows()).isEqualTo(request.getLimitOfRows());
    if (request.hasScannerId()) {
      assertThat(read.subject()).isEqualTo(new ScanMessage.Known(request.getScannerId()));
    } else if (request.hasScan()) {
      assertSameScan((ScanMessage.Opening) read.subject(), request);
    } else {
      assertThat(read.subject()).isEqualTo(new ScanMessage.Nothing());
    }
  }

  private void assertSameScan(ScanMessage.Opening read, ScanRequest request) throws IOException {
    Scan scan = request.getScan();
    assertSameRegion(read, request.getRegion());
    assertThat(read.batch()).isEqualTo(scan.getBatchSize());
    assertThat(read.maxResultSize()).isEqualTo(scan.getMaxResultSize());
    assertThat(read.isForReplicasToo())
        .isEqualTo(scan.getConsistency() == ClientProtos.Consistency.TIMELINE);
    assertThat(read.small()).isEqualTo(scan.getSmall());
    assertThat(read.wantsCursor()).isEqualTo(scan.getNeedCursorResult());
    QueryExtras extras = read.extras();
    assertThat(extras.filter())
        .isEqualTo(scan.hasFilter() ? Optional.of(scan.getFilter()) : Optional.empty());
    assertThat(extras.attributes()).isEqualTo(scan.getAttributeList());
    assertThat(extras.familyRanges()).isEqualTo(scan.getCfTimeRangeList());
    boolean isRefused = scan.getMaxVersions() == 0 || !isRange(scan.getTimeRange());
    assertThat(extras.refusal().isPresent()).isEqualTo(isRefused);
    if (!isRefused) {
      assertSameRows(read.request(), scan);
    }
  }

  private static void assertSameRows(dev.cairn.engine.scan.ScanRequest rows, Scan scan) {
    boolean isRow = !scan.getStopRow().isEmpty() && scan.getStartRow().equals(scan.getStopRow());
    assertThat(rows.startRow()).isEqualTo(scan.getStartRow().toByteArray());
    assertThat(rows.includeStart()).isEqualTo(scan.getIncludeStartRow());
    assertThat(rows.stopRow()).isEqualTo(scan.getStopRow().toByteArray());
    assertThat(rows.includeStop())
        .as("old clients ask for a row by the same start and stop")
        .isEqualTo(scan.hasIncludeStopRow() ? scan.getIncludeStopRow() : isRow);
    assertThat(rows.reversed()).isEqualTo(scan.getReversed());
    assertSameColumns(rows, scan.getColumnList(), false);
    assertSameTimes(rows.timeRange(), scan.getTimeRange());
    assertThat(rows.maxVersions())
        .as("the number has no sign")
        .isEqualTo(scan.getMaxVersions() < 0 ? Integer.MAX_VALUE : scan.getMaxVersions());
    assertThat(rows.cacheBlocks()).isEqualTo(scan.getCacheBlocks());
    assertThat(rows.cellsPerFamilyLimit())
        .isEqualTo(scan.hasStoreLimit() ? scan.getStoreLimit() : -1);
    assertThat(rows.cellsPerFamilyOffset()).isEqualTo(scan.getStoreOffset());
    assertThat(rows.loadFamiliesOnDemand())
        .isEqualTo(!scan.hasLoadColumnFamiliesOnDemand() || scan.getLoadColumnFamiliesOnDemand());
    assertThat(rows.resumedFrom())
        .isEqualTo(
            scan.getMvccReadPoint() > 0
                ? OptionalLong.of(scan.getMvccReadPoint())
                : OptionalLong.empty());
    assertThat(rows.mob()).isEqualTo(MobOptions.DEFAULT);
    assertThat(rows.raw() || rows.readUncommitted()).isFalse();
    assertThat(rows.observer()).isEmpty();
  }
}
