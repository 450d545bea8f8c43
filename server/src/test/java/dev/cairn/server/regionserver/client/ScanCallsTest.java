package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scan protocol over a scripted region scanner, with a clock that the test moves. */
class ScanCallsTest {
  private final ScanCallsFixture fixture = new ScanCallsFixture();
  private final ManualClock clock = fixture.clock;
  private final OnlineRegions regions = fixture.regions;
  private final OpenScanners scanners = fixture.scanners;
  private final FakeRegion region = fixture.region;
  private final FakeCall call = fixture.call;
  private ScriptedScan script;

  @BeforeEach
  void hostRegion() {
    fixture.host(region.hosted());
    region.scans = request -> script;
  }

  @Test
  void rowsUntilTheRegionEnds() throws IOException {
    script = new ScriptedScan().row("a", 2).row("b", 1).row("c", 1);
    ScanResponse first = fixture.scan(fixture.open(2).build());
    assertThat(first.getCellsPerResultList()).containsExactly(2, 1);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(false, false);
    assertThat(first.getMoreResults()).isTrue();
    assertThat(first.getMoreResultsInRegion()).isTrue();
    assertThat(first.getTtl()).isEqualTo((int) ScanCallsFixture.LEASE_MILLIS);
    assertThat(first.getMvccReadPoint()).isEqualTo(42);
    assertThat(call.response.size()).isEqualTo(3);

    ScanResponse second = fixture.scan(ScanCallsFixture.next(first, 0, 2).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1);
    assertThat(second.getMoreResultsInRegion()).isFalse();
    assertThat(second.getMoreResults()).isTrue();
    assertThat(second.getScannerId()).isEqualTo(first.getScannerId());
    assertThat(scanners.size()).isZero();
    assertThat(script.closed).isTrue();
  }

  @Test
  void theResponseWithTheLastRowEndsTheScanner() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse first = fixture.scan(fixture.open(2).build());
    ScanResponse last = fixture.scan(ScanCallsFixture.next(first, 0, 1).build());
    assertThat(last.getCellsPerResultList()).containsExactly(1);
    assertThat(last.getMoreResultsInRegion()).isFalse();
    assertThat(last.getMoreResults()).isTrue();
    assertThat(scanners.size()).isZero();
    assertThat(script.closed).isTrue();
  }

  @Test
  void openingWithoutRowsOnlyOpens() throws IOException {
    script = new ScriptedScan().row("a", 1);
    ScanResponse opened = fixture.scan(fixture.open(0).build());
    assertThat(opened.getMoreResultsInRegion()).isTrue();
    assertThat(opened.getCellsPerResultCount()).isZero();
    assertThat(scanners.size()).isEqualTo(1);
  }

  @Test
  void theClientsLimitEndsTheScan() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse response = fixture.scan(fixture.open(10).setLimitOfRows(2).build());
    assertThat(response.getCellsPerResultCount()).isEqualTo(2);
    assertThat(response.getMoreResults()).isFalse();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void aScannerThatAnOperatorEndsIsUnknownToItsNextCall() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse first = fixture.scan(fixture.open(1).build());
    assertThat(scanners.stop(first.getScannerId() + 1)).isFalse();
    assertThat(scanners.stop(first.getScannerId())).isTrue();
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
    assertThatThrownBy(() -> fixture.scan(ScanCallsFixture.next(first, 0, 1).build()))
        .isInstanceOf(UnknownScannerException.class);
  }

  @Test
  void aScannerThatAnOperatorEndsDuringACallIsUnknownToThatCall() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse first = fixture.scan(fixture.open(1).build());
    script.beforeStep = () -> assertThat(scanners.stop(first.getScannerId())).isTrue();
    assertThatThrownBy(() -> fixture.scan(ScanCallsFixture.next(first, 0, 1).build()))
        .isInstanceOf(UnknownScannerException.class)
        .hasMessageContaining("operator");
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void aCallThatAnOperatorEndsFailsForGood() {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    script.beforeStep = call::end;
    assertThatThrownBy(() -> fixture.scan(fixture.open(1).build()))
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("operator");
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void closingInTheSameCall() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse response = fixture.scan(fixture.open(1).setCloseScanner(true).build());
    assertThat(response.getCellsPerResultCount()).isEqualTo(1);
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void goingOnBehindTheEndIsNoError() throws IOException {
    script = new ScriptedScan().row("a", 1);
    ScanResponse all = fixture.scan(fixture.open(2).build());
    assertThat(all.getMoreResultsInRegion()).isFalse();
    // Clients before 2.0 close a scanner in the call that asks for its next rows.
    ScanResponse after =
        fixture.scan(ScanCallsFixture.next(all, 1, 2).setCloseScanner(true).build());
    assertThat(after.getScannerId()).isEqualTo(all.getScannerId());
    assertThat(after.getCellsPerResultCount()).isZero();
    assertThat(after.getMoreResults()).isFalse();
    assertThat(fixture.scan(ScanCallsFixture.next(all, 2, 2).build()).getCellsPerResultCount())
        .isZero();
  }

  @Test
  void closingTwiceIsNoError() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    ScanRequest close =
        ScanRequest.newBuilder()
            .setScannerId(opened.getScannerId())
            .setCloseScanner(true)
            .setNumberOfRows(0)
            .build();
    fixture.scan(close);
    assertThat(script.closed).isTrue();
    assertThat(fixture.scan(close).getScannerId()).isEqualTo(opened.getScannerId());
  }

  @Test
  void aLostOrRepeatedCallIsNoticed() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    fixture.scan(ScanCallsFixture.next(opened, 0, 1).build());
    assertThatThrownBy(() -> fixture.scan(ScanCallsFixture.next(opened, 0, 1).build()))
        .isInstanceOf(OutOfOrderScannerNextException.class);
  }

  @Test
  void aRepetitionOfTheLastCallDoesNotLookLikeTheEndOfTheRegion() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    ScanRequest next = ScanCallsFixture.next(opened, 0, 5).build();
    assertThat(fixture.scan(next).getMoreResultsInRegion()).isFalse();
    // Its first answer may be lost, with the rows.
    assertThatThrownBy(() -> fixture.scan(next)).isInstanceOf(OutOfOrderScannerNextException.class);
    assertThat(fixture.scan(ScanCallsFixture.next(opened, 1, 5).build()).getCellsPerResultCount())
        .isZero();
  }

  @Test
  void aScannerIsSuspendedAfterASecondWithoutACall() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    clock.advanceMillis(999);
    scanners.expire();
    fixture.scan(ScanCallsFixture.next(opened, 0, 1).build());
    clock.advanceMillis(999);
    scanners.expire();
    assertThat(script.suspensions).isZero();
    clock.advanceMillis(1);
    scanners.expire();
    assertThat(script.suspensions).isEqualTo(1);
  }

  @Test
  void withManyOpenScannersEachIsSuspendedAfterEveryCall() throws IOException {
    script = new ScriptedScan();
    for (int i = 0; i < 200; i++) {
      script.row("a" + i, 1);
    }
    for (int i = 0; i < 128; i++) {
      fixture.scan(fixture.open(1).build());
    }
    assertThat(script.suspensions).isZero();
    fixture.scan(fixture.open(1).build());
    assertThat(script.suspensions).isEqualTo(1);
  }

  @Test
  void aScannerLivesAsLongAsItsLease() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    clock.advanceMillis(ScanCallsFixture.LEASE_MILLIS - 1);
    scanners.expire();
    ScanRequest renew = ScanCallsFixture.next(opened, 0, 0).setRenew(true).build();
    assertThat(fixture.scan(renew).getMoreResults()).isTrue();
    clock.advanceMillis(ScanCallsFixture.LEASE_MILLIS - 1);
    scanners.expire();
    assertThat(fixture.scan(ScanCallsFixture.next(opened, 1, 1).build()).getCellsPerResultCount())
        .isEqualTo(1);
    clock.advanceMillis(ScanCallsFixture.LEASE_MILLIS + 1);
    scanners.expire();
    assertThat(script.closed).isTrue();
    assertThatThrownBy(() -> fixture.scan(ScanCallsFixture.next(opened, 2, 1).build()))
        .isInstanceOf(UnknownScannerException.class)
        .hasMessageContaining("hbase.client.scanner.timeout.period");
  }

  @Test
  void aScannerWhoseRenewalFailsEnds() throws IOException {
    ScriptedScan failing =
        new ScriptedScan() {
          @Override
          public void suspend() {
            throw new IllegalStateException("test");
          }
        };
    script = failing.row("a", 1).row("b", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    for (int i = 0; i < 128; i++) { // with so many others, scanners keep no blocks
      script = new ScriptedScan().row("a", 1).row("b", 1);
      fixture.scan(fixture.open(1).build());
    }
    ScanRequest renew = ScanCallsFixture.next(opened, 0, 0).setRenew(true).build();
    assertThatThrownBy(() -> fixture.scan(renew)).hasMessage("test");
    assertThat(failing.closed).isTrue();
  }

  @Test
  void aPartOfARowHoldsItsLastCellBack_soThatTheRowEndsWithAResultThatIsNotPartial()
      throws IOException {
    script = new ScriptedScan().part("a", 3).row("a", 0).row("b", 1);
    ScanResponse first = fixture.scan(fixture.open(10).build());
    assertThat(first.getCellsPerResultList()).containsExactly(2);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    ScanResponse second = fixture.scan(ScanCallsFixture.next(first, 0, 10).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1, 1);
    assertThat(second.getPartialFlagPerResultList()).containsExactly(false, false);
    assertThat(call.response.get(0).qualifier()).isEqualTo(Bytes.utf8("q2"));
  }

  @Test
  void nothingIsHeldBackOfARowThatGoesOn() throws IOException {
    script = new ScriptedScan().full("a", 1).row("a", 1);
    ScanResponse first = fixture.scan(fixture.open(new Scan().setMaxResultSize(1), 10).build());
    assertThat(first.getCellsPerResultList()).containsExactly(1);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    ScanResponse second = fixture.scan(ScanCallsFixture.next(first, 0, 10).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1);
    assertThat(second.getPartialFlagPerResultList()).containsExactly(false);
  }

  @Test
  void theRegionMayEndBehindAPart() throws IOException {
    script = new ScriptedScan().part("a", 2);
    ScanResponse first = fixture.scan(fixture.open(10).build());
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    ScanResponse second = fixture.scan(ScanCallsFixture.next(first, 0, 10).build());
    assertThat(second.getPartialFlagPerResultList()).containsExactly(false);
    assertThat(second.getMoreResultsInRegion()).isFalse();
  }

  @Test
  void aFullBatchThatWasTheRowsLastIsNotPartial() throws IOException {
    script = new ScriptedScan().batch("a", 2).row("a", 0).row("b", 1);
    ScanResponse response = fixture.scan(fixture.open(10).build());
    assertThat(response.getCellsPerResultList()).containsExactly(2, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false);
  }

  @Test
  void timeRunsOut() throws IOException {
    script = new ScriptedScan().late("k");
    Scan scan = new Scan().setNeedCursorResult(true);
    ScanResponse response = fixture.scan(fixture.open(scan, 10).build());
    assertThat(response.getHeartbeatMessage()).isTrue();
    assertThat(response.getMoreResultsInRegion()).isTrue();
    assertThat(response.getCursor().getRow().toStringUtf8()).isEqualTo("k");
    // Half of what the caller waits.
    assertThat(script.lastLimits.deadlineNanos() - clock.nanoTime()).isEqualTo(10_000_000_000L);
  }

  @Test
  void aClientThatPutsNothingTogetherGetsWholeRowsHoweverLongTheyTake() throws IOException {
    script = new ScriptedScan().row("a", 1);
    fixture.scan(
        fixture.open(1).setClientHandlesPartials(false).setClientHandlesHeartbeats(false).build());
    assertThat(script.lastLimits.midRow()).isFalse();
    assertThat(script.lastLimits.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void bytesEndAResponse() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse response = fixture.scan(fixture.open(new Scan().setMaxResultSize(1), 10).build());
    assertThat(response.getCellsPerResultCount()).isEqualTo(1);
    assertThat(response.getMoreResultsInRegion()).isTrue();
  }

  @Test
  void aFullResponseDoesNotTellTheEndOfTheRegion() throws IOException {
    script = new ScriptedScan().row("a", 1);
    ScanResponse full = fixture.scan(fixture.open(new Scan().setMaxResultSize(1), 10).build());
    assertThat(full.getCellsPerResultCount()).isEqualTo(1);
    assertThat(full.getMoreResultsInRegion()).isTrue();
    ScanResponse end = fixture.scan(ScanCallsFixture.next(full, 0, 10).build());
    assertThat(end.getCellsPerResultCount()).isZero();
    assertThat(end.getMoreResultsInRegion()).isFalse();
    assertThat(end.getMoreResults()).isTrue();
  }

  @Test
  void aRegionThatIsGoneSendsTheClientElsewhere() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    HostedRegion hosted = regions.find(region.info.encodedName());
    regions.beginClosing(hosted.encodedName());
    regions.closed(hosted, Optional.empty(), 1);
    assertThatThrownBy(() -> fixture.scan(ScanCallsFixture.next(opened, 0, 1).build()))
        .isInstanceOf(NotServingRegionException.class);
    assertThat(script.closed).isTrue();
  }

  @Test
  void anErrorInTheMiddleMakesTheClientOpenAnotherScanner() throws IOException {
    script = new ScriptedScan().row("a", 1).failing(new IOException("disk on fire"));
    ScanResponse opened = fixture.scan(fixture.open(1).build());
    assertThatThrownBy(() -> fixture.scan(ScanCallsFixture.next(opened, 0, 1).build()))
        .isInstanceOf(UnknownScannerException.class)
        .hasMessageContaining("disk");
    assertThat(scanners.size()).isZero();
  }

  @Test
  void resultsInsideTheMessage() throws IOException {
    call.acceptsCellBlock = false;
    script = new ScriptedScan().row("a", 2).row("b", 1);
    ScanResponse response = fixture.scan(fixture.open(10).build());
    assertThat(response.getResultsList())
        .extracting(result -> result.getCellCount())
        .containsExactly(2, 1);
    assertThat(response.getCellsPerResultCount()).isZero();
  }

  @Test
  void countersForTheClientsMetrics() throws IOException {
    script = new ScriptedScan().row("a", 1).row("b", 1);
    ScanResponse response = fixture.scan(fixture.open(10).setTrackScanMetrics(true).build());
    assertThat(response.getScanMetrics().getMetrics(0).getName()).isEqualTo("ROWS_SCANNED");
    assertThat(response.getScanMetrics().getMetrics(0).getValue()).isEqualTo(2);
  }
}
