package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scan protocol over a scripted region scanner, with a clock that the test moves. */
class ScanCallsTest {
  private static final long LEASE_MILLIS = 60_000;

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final OpenScanners scanners = new OpenScanners(clock, LEASE_MILLIS, 1_000);
  private final FakeRegion region = new FakeRegion("");
  private final FakeCall call = new FakeCall();
  private ScanCalls calls;
  private Script script;

  @BeforeEach
  void wire() {
    QueryDecoder decoder = new QueryDecoder(new FilterParser(getClass().getClassLoader()));
    calls =
        new ScanCalls(
            regions,
            scanners,
            decoder,
            new CallTimes(clock, 20_000),
            CallLimits.of(new SiteConfig(Map.of())));
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    region.scans = request -> script;
  }

  @Test
  void rowsUntilTheRegionEnds() throws IOException {
    script = new Script().row("a", 2).row("b", 1).row("c", 1);
    ScanResponse first = calls.scan(call, open(2).build());
    assertThat(first.getCellsPerResultList()).containsExactly(2, 1);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(false, false);
    assertThat(first.getMoreResults()).isTrue();
    assertThat(first.getMoreResultsInRegion()).isTrue();
    assertThat(first.getTtl()).isEqualTo((int) LEASE_MILLIS);
    assertThat(first.getMvccReadPoint()).isEqualTo(42);
    assertThat(call.response.size()).isEqualTo(3);

    ScanResponse second = calls.scan(call, next(first, 0, 2).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1);
    assertThat(second.getMoreResultsInRegion()).isFalse();
    assertThat(second.getMoreResults()).isTrue();
    assertThat(second.getScannerId()).isEqualTo(first.getScannerId());
    assertThat(scanners.size()).isZero();
    assertThat(script.closed).isTrue();
  }

  @Test
  void openingWithoutRowsOnlyOpens() throws IOException {
    script = new Script().row("a", 1);
    ScanResponse opened = calls.scan(call, open(0).build());
    assertThat(opened.getMoreResultsInRegion()).isTrue();
    assertThat(opened.getCellsPerResultCount()).isZero();
    assertThat(scanners.size()).isEqualTo(1);
  }

  @Test
  void theClientsLimitEndsTheScan() throws IOException {
    script = new Script().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse response = calls.scan(call, open(10).setLimitOfRows(2).build());
    assertThat(response.getCellsPerResultCount()).isEqualTo(2);
    assertThat(response.getMoreResults()).isFalse();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void closingInTheSameCall() throws IOException {
    script = new Script().row("a", 1).row("b", 1);
    ScanResponse response = calls.scan(call, open(1).setCloseScanner(true).build());
    assertThat(response.getCellsPerResultCount()).isEqualTo(1);
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void goingOnBehindTheEndIsNoError() throws IOException {
    script = new Script().row("a", 1);
    ScanResponse all = calls.scan(call, open(2).build());
    assertThat(all.getMoreResultsInRegion()).isFalse();
    // Clients before 2.0 close a scanner in the call that asks for its next rows.
    ScanResponse after = calls.scan(call, next(all, 1, 2).setCloseScanner(true).build());
    assertThat(after.getScannerId()).isEqualTo(all.getScannerId());
    assertThat(after.getCellsPerResultCount()).isZero();
    assertThat(after.getMoreResults()).isFalse();
    assertThat(calls.scan(call, next(all, 2, 2).build()).getCellsPerResultCount()).isZero();
  }

  @Test
  void closingTwiceIsNoError() throws IOException {
    script = new Script().row("a", 1).row("b", 1);
    ScanResponse opened = calls.scan(call, open(1).build());
    ScanRequest close =
        ScanRequest.newBuilder()
            .setScannerId(opened.getScannerId())
            .setCloseScanner(true)
            .setNumberOfRows(0)
            .build();
    calls.scan(call, close);
    assertThat(script.closed).isTrue();
    assertThat(calls.scan(call, close).getScannerId()).isEqualTo(opened.getScannerId());
  }

  @Test
  void aLostOrRepeatedCallIsNoticed() throws IOException {
    script = new Script().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = calls.scan(call, open(1).build());
    calls.scan(call, next(opened, 0, 1).build());
    assertThatThrownBy(() -> calls.scan(call, next(opened, 0, 1).build()))
        .isInstanceOf(OutOfOrderScannerNextException.class);
  }

  @Test
  void aScannerLivesAsLongAsItsLease() throws IOException {
    script = new Script().row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = calls.scan(call, open(1).build());
    clock.advanceMillis(LEASE_MILLIS - 1);
    scanners.expire();
    ScanRequest renew = next(opened, 0, 0).setRenew(true).build();
    assertThat(calls.scan(call, renew).getMoreResults()).isTrue();
    clock.advanceMillis(LEASE_MILLIS - 1);
    scanners.expire();
    assertThat(calls.scan(call, next(opened, 1, 1).build()).getCellsPerResultCount()).isEqualTo(1);
    clock.advanceMillis(LEASE_MILLIS + 1);
    scanners.expire();
    assertThat(script.closed).isTrue();
    assertThatThrownBy(() -> calls.scan(call, next(opened, 2, 1).build()))
        .isInstanceOf(UnknownScannerException.class)
        .hasMessageContaining("hbase.client.scanner.timeout.period");
  }

  @Test
  void aPartOfARowHoldsItsLastCellBack_soThatTheRowEndsWithAResultThatIsNotPartial()
      throws IOException {
    script = new Script().part("a", 3).done("a", 0).row("b", 1);
    ScanResponse first = calls.scan(call, open(10).build());
    assertThat(first.getCellsPerResultList()).containsExactly(2);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    ScanResponse second = calls.scan(call, next(first, 0, 10).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1, 1);
    assertThat(second.getPartialFlagPerResultList()).containsExactly(false, false);
    assertThat(call.response.get(0).qualifier()).isEqualTo(Bytes.utf8("q2"));
  }

  @Test
  void nothingIsHeldBackOfARowThatGoesOn() throws IOException {
    script = new Script().full("a", 1).done("a", 1);
    ScanResponse first = calls.scan(call, open(new Scan().setMaxResultSize(1), 10).build());
    assertThat(first.getCellsPerResultList()).containsExactly(1);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    ScanResponse second = calls.scan(call, next(first, 0, 10).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1);
    assertThat(second.getPartialFlagPerResultList()).containsExactly(false);
  }

  @Test
  void theRegionMayEndBehindAPart() throws IOException {
    script = new Script().part("a", 2);
    ScanResponse first = calls.scan(call, open(10).build());
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    ScanResponse second = calls.scan(call, next(first, 0, 10).build());
    assertThat(second.getPartialFlagPerResultList()).containsExactly(false);
    assertThat(second.getMoreResultsInRegion()).isFalse();
  }

  @Test
  void aFullBatchThatWasTheRowsLastIsNotPartial() throws IOException {
    script = new Script().batch("a", 2).done("a", 0).row("b", 1);
    ScanResponse response = calls.scan(call, open(10).build());
    assertThat(response.getCellsPerResultList()).containsExactly(2, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false);
  }

  @Test
  void timeRunsOut() throws IOException {
    script = new Script().late("k");
    Scan scan = new Scan().setNeedCursorResult(true);
    ScanResponse response = calls.scan(call, open(scan, 10).build());
    assertThat(response.getHeartbeatMessage()).isTrue();
    assertThat(response.getMoreResultsInRegion()).isTrue();
    assertThat(response.getCursor().getRow().toStringUtf8()).isEqualTo("k");
    // Half of what the caller waits.
    assertThat(script.lastLimits.deadlineNanos() - clock.nanoTime()).isEqualTo(10_000_000_000L);
  }

  @Test
  void aClientThatPutsNothingTogetherGetsWholeRowsHoweverLongTheyTake() throws IOException {
    script = new Script().row("a", 1);
    calls.scan(
        call, open(1).setClientHandlesPartials(false).setClientHandlesHeartbeats(false).build());
    assertThat(script.lastLimits.midRow()).isFalse();
    assertThat(script.lastLimits.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void bytesEndAResponse() throws IOException {
    script = new Script().row("a", 1).row("b", 1);
    ScanResponse response = calls.scan(call, open(new Scan().setMaxResultSize(1), 10).build());
    assertThat(response.getCellsPerResultCount()).isEqualTo(1);
    assertThat(response.getMoreResultsInRegion()).isTrue();
  }

  @Test
  void aFullResponseDoesNotTellTheEndOfTheRegion() throws IOException {
    script = new Script().row("a", 1);
    ScanResponse full = calls.scan(call, open(new Scan().setMaxResultSize(1), 10).build());
    assertThat(full.getCellsPerResultCount()).isEqualTo(1);
    assertThat(full.getMoreResultsInRegion()).isTrue();
    ScanResponse end = calls.scan(call, next(full, 0, 10).build());
    assertThat(end.getCellsPerResultCount()).isZero();
    assertThat(end.getMoreResultsInRegion()).isFalse();
    assertThat(end.getMoreResults()).isTrue();
  }

  @Test
  void aRegionThatIsGoneSendsTheClientElsewhere() throws IOException {
    script = new Script().row("a", 1).row("b", 1);
    ScanResponse opened = calls.scan(call, open(1).build());
    HostedRegion hosted = regions.find(region.info.encodedName());
    regions.beginClosing(hosted.encodedName());
    regions.closed(hosted, Optional.empty(), 1);
    assertThatThrownBy(() -> calls.scan(call, next(opened, 0, 1).build()))
        .isInstanceOf(NotServingRegionException.class);
    assertThat(script.closed).isTrue();
  }

  @Test
  void anErrorInTheMiddleMakesTheClientOpenAnotherScanner() throws IOException {
    script = new Script().row("a", 1).failing();
    ScanResponse opened = calls.scan(call, open(1).build());
    assertThatThrownBy(() -> calls.scan(call, next(opened, 0, 1).build()))
        .isInstanceOf(UnknownScannerException.class)
        .hasMessageContaining("disk");
    assertThat(scanners.size()).isZero();
  }

  @Test
  void resultsInsideTheMessage() throws IOException {
    call.acceptsCellBlock = false;
    script = new Script().row("a", 2).row("b", 1);
    ScanResponse response = calls.scan(call, open(10).build());
    assertThat(response.getResultsList())
        .extracting(result -> result.getCellCount())
        .containsExactly(2, 1);
    assertThat(response.getCellsPerResultCount()).isZero();
  }

  @Test
  void countersForTheClientsMetrics() throws IOException {
    script = new Script().row("a", 1).row("b", 1);
    ScanResponse response = calls.scan(call, open(10).setTrackScanMetrics(true).build());
    assertThat(response.getScanMetrics().getMetrics(0).getName()).isEqualTo("ROWS_SCANNED");
    assertThat(response.getScanMetrics().getMetrics(0).getValue()).isEqualTo(2);
  }

  private ScanRequest.Builder open(int rows) throws IOException {
    return open(new Scan(), rows);
  }

  private ScanRequest.Builder open(Scan scan, int rows) throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(Messages.specifier(region.info))
        .setScan(ProtobufUtil.toScan(scan))
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .setClientHandlesHeartbeats(true);
  }

  private static ScanRequest.Builder next(ScanResponse opened, long sequence, int rows) {
    return ScanRequest.newBuilder()
        .setScannerId(opened.getScannerId())
        .setNextCallSeq(sequence)
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .setClientHandlesHeartbeats(true);
  }

  /** Returns what it was told to, step by step. */
  private final class Script implements RegionScanner {
    private record Step(ScanProgress progress, String row, int cells) {}

    private final Deque<Step> steps = new ArrayDeque<>();
    private boolean failing;
    private int qualifiers;
    private long rows;
    private String lastRow = "";
    private boolean closed;
    private ScanLimits lastLimits = ScanLimits.NONE;

    Script row(String row, int cells) {
      return done(row, cells);
    }

    Script done(String row, int cells) {
      return add(ScanProgress.ROW_DONE, row, cells);
    }

    Script part(String row, int cells) {
      return add(ScanProgress.TIME_IN_ROW, row, cells);
    }

    Script full(String row, int cells) {
      return add(ScanProgress.LIMIT_IN_ROW, row, cells);
    }

    Script batch(String row, int cells) {
      return add(ScanProgress.BATCH_FULL, row, cells);
    }

    Script late(String row) {
      return add(ScanProgress.LIMIT_BETWEEN_ROWS, row, 0);
    }

    Script failing() {
      failing = true;
      return this;
    }

    private Script add(ScanProgress progress, String row, int cells) {
      steps.add(new Step(progress, row, cells));
      return this;
    }

    @Override
    public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
      lastLimits = limits;
      if (steps.isEmpty()) {
        if (failing) {
          throw new IOException("disk on fire");
        }
        return ScanProgress.END;
      }
      Step step = steps.remove();
      qualifiers = step.row().equals(lastRow) ? qualifiers : 0;
      lastRow = step.row();
      for (int i = 0; i < step.cells(); i++) {
        out.add(
            Cell.put(
                Bytes.utf8(step.row()),
                Bytes.utf8("f"),
                Bytes.utf8("q" + qualifiers++),
                1,
                Bytes.utf8("v")));
      }
      rows += step.progress() == ScanProgress.ROW_DONE ? 1 : 0;
      return step.progress();
    }

    @Override
    public boolean isExhausted() {
      return steps.isEmpty() && !failing;
    }

    @Override
    public long readPoint() {
      return 42;
    }

    @Override
    public ScanStatistics statistics() {
      return ScanStatistics.of(rows, 0, Bytes.utf8(lastRow));
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
