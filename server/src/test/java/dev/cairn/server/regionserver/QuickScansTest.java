package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.region.QuickScan;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.RowScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which scans are answered on the network thread, over a scripted region. */
class QuickScansTest {
  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final OpenScanners scanners = new OpenScanners(clock, 60_000, 1_000);
  private final FakeRegion region = new FakeRegion("");
  private final FakeCall call = new FakeCall();
  private final Script script = new Script();
  private HostedRegion hosted;
  private ScanCalls calls;
  private QuickScans quick;

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
    quick = new QuickScans(calls, regions, scanners, decoder, clock);
    hosted = new HostedRegion(region.info, FakeRegion.SCHEMA, script, region, region);
    regions.beginOpening(region.info);
    regions.opened(hosted);
  }

  @Test
  void aShortScanIsAnsweredAtOnceAndEnds() throws IOException {
    script.row("a", 2).row("b", 1).row("c", 1);
    ScanResponse response = answered(request(10).setLimitOfRows(2).build());
    assertThat(response.getCellsPerResultList()).containsExactly(2, 1);
    assertThat(response.getMoreResults()).isFalse();
    assertThat(response.getMvccReadPoint()).isEqualTo(42);
    assertThat(columns()).containsExactly("a/q0", "a/q1", "b/q0");
    assertThat(script.closed).isTrue();
    assertThat(script.kept).isFalse();
    assertThat(scanners.size()).isZero();
    assertThat(hosted.readRequestCount()).isEqualTo(2);
  }

  @Test
  void theRegionsEndEndsTheScan() throws IOException {
    script.row("a", 1);
    ScanResponse response = answered(request(10).setLimitOfRows(2).build());
    assertThat(response.getMoreResults()).isTrue();
    assertThat(response.getMoreResultsInRegion()).isFalse();
    assertThat(script.closed).isTrue();
  }

  @Test
  void aScannerThatTheClientComesBackToIsKept() throws IOException {
    script.row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = answered(request(2).build());
    assertThat(opened.getMoreResultsInRegion()).isTrue();
    assertThat(script.kept).isTrue();
    ScanResponse second =
        calls.scan(
            call,
            ClientProtos.ScanRequest.newBuilder()
                .setScannerId(opened.getScannerId())
                .setNextCallSeq(0)
                .setNumberOfRows(2)
                .build());
    assertThat(second.getCellsPerResultList()).containsExactly(1);
    assertThat(script.closed).isTrue();
  }

  @Test
  void aScannerThatCannotBeKeptIsAHandlersToOpen() throws IOException {
    script.row("a", 1).row("b", 1);
    script.keepable = false;
    assertDeclined(request(1).build());
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
    assertThat(hosted.readRequestCount()).isZero();
  }

  @Test
  void aHandlerGoesOnWhereTimeRanOut() throws IOException {
    script.row("a", 2).step(ScanProgress.TIME_IN_ROW, "b", 2).row("b", 1).row("c", 1);
    Attempt.Rest<ScanResponse> rest = begun(request(10).setLimitOfRows(3).build());
    assertThat(script.lastLimits.deadlineNanos() - clock.nanoTime()).isEqualTo(500_000);
    assertThat(script.kept).isTrue();
    ScanResponse response = rest.finish();
    assertThat(script.lastLimits.deadlineNanos() - clock.nanoTime()).isGreaterThan(1_000_000_000);
    assertThat(response.getCellsPerResultList()).containsExactly(2, 3, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false, false);
    assertThat(response.getMoreResults()).isFalse();
    assertThat(columns()).containsExactly("a/q0", "a/q1", "b/q0", "b/q1", "b/q2", "c/q0");
    assertThat(script.closed).isTrue();
    assertThat(hosted.readRequestCount()).isEqualTo(3);
  }

  @Test
  void aHandlerGoesOnWhereBytesRanOut() throws IOException {
    script.step(ScanProgress.LIMIT_IN_ROW, "a", 1).row("a", 0).row("b", 1);
    ScanResponse response = begun(request(10).build()).finish();
    assertThat(response.getCellsPerResultList()).containsExactly(1, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false);
  }

  @Test
  void theClientsOwnLimitOfBytesEndsTheResponseAfterAsManyCellsAsAHandlers() throws IOException {
    MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, 1 << 16);
    for (int i = 0; i < 20; i++) {
      byte[] qualifier = Bytes.utf8("q" + (char) ('a' + i));
      segment.add(Cell.put(Bytes.utf8("row"), Bytes.utf8("f"), qualifier, 1, new byte[100]), i + 1);
    }
    script.scans =
        request ->
            new RowScanner(
                request,
                List.of(
                    new StoreSource(
                        FakeRegion.SCHEMA.families().iterator().next(),
                        List.of(segment.cursor(100)),
                        () -> {})),
                CellComparator.USER,
                100,
                clock);
    ClientProtos.ScanRequest request =
        request(10).setScan(ProtobufUtil.toScan(new Scan().setMaxResultSize(700))).build();
    ScanResponse slowly = calls.scan(call, request);
    int cells = call.response.size();
    assertThat(slowly.getCellsPerResultList()).containsExactly(cells);
    assertThat(cells).isBetween(4, 6);
    ScanResponse quickly = answered(request);
    assertThat(call.response.size()).isEqualTo(cells);
    assertThat(quickly.getCellsPerResultList()).isEqualTo(slowly.getCellsPerResultList());
    assertThat(quickly.getPartialFlagPerResultList()).containsExactly(true);
    assertThat(quickly.getMoreResultsInRegion()).isTrue();
    assertThat(script.kept).isTrue();
    ScanResponse rest =
        calls.scan(
            call,
            ClientProtos.ScanRequest.newBuilder()
                .setScannerId(quickly.getScannerId())
                .setNextCallSeq(0)
                .setNumberOfRows(10)
                .setClientHandlesPartials(true)
                .build());
    assertThat(rest.getPartialFlagPerResultList()).containsExactly(true);
    assertThat(columns().get(0)).as("none is lost").isEqualTo("row/q" + (char) ('a' + cells));
  }

  @Test
  void aHandlerGoesOnWhereNothingWasFoundInTime() throws IOException {
    script.step(ScanProgress.LIMIT_BETWEEN_ROWS, "k", 0).row("x", 1);
    ScanResponse response = begun(request(1).setLimitOfRows(1).build()).finish();
    assertThat(response.getHeartbeatMessage()).isFalse();
    assertThat(response.getCellsPerResultList()).containsExactly(1);
  }

  @Test
  void timeMayRunOutForTheHandlerToo() throws IOException {
    script
        .step(ScanProgress.TIME_IN_ROW, "a", 2)
        .step(ScanProgress.TIME_IN_ROW, "a", 1)
        .row("a", 1);
    ScanResponse first = begun(request(10).build()).finish();
    assertThat(first.getCellsPerResultList()).as("one is held back").containsExactly(2);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    assertThat(scanners.size()).isEqualTo(1);
  }

  @Test
  void aRestThatNobodyWaitsForIsDropped() throws IOException {
    script.step(ScanProgress.LIMIT_BETWEEN_ROWS, "k", 0);
    begun(request(1).build()).drop();
    assertThat(script.closed).isTrue();
  }

  @Test
  void aRestThatFailsClosesItsScanner() throws IOException {
    script.step(ScanProgress.LIMIT_BETWEEN_ROWS, "k", 0).failing(new IOException("disk on fire"));
    Attempt.Rest<ScanResponse> rest = begun(request(1).build());
    assertThatThrownBy(rest::finish).hasMessageContaining("disk");
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void aMissingBlockIsAHandlersToRead() throws IOException {
    script.row("a", 1).failing(new NotInMemoryException());
    assertDeclined(request(2).build());
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
    assertThat(hosted.readRequestCount()).isZero();
  }

  @Test
  void errorsAreToldAndCloseTheScanner() throws IOException {
    script.failing(new IOException("corrupt"));
    assertThatThrownBy(() -> quick.attempt(call, request(2).build())).hasMessage("corrupt");
    assertThat(script.closed).isTrue();
  }

  @Test
  void whereBlocksAreMissingAgainAndAgainScansAreNotTried() throws IOException {
    script.failing(new NotInMemoryException());
    for (int i = 0; i < 200; i++) {
      assertDeclined(request(2).build());
    }
    assertThat(script.opened).isBetween(5, 15);
    script.failure = Optional.empty();
    for (int i = 0; i < 100; i++) {
      quick.attempt(call, request(2).build());
    }
    assertThat(script.opened).as("once one was answered, all are tried").isGreaterThan(40);
  }

  @Test
  void whatIsDeclinedBeforeAnythingIsReadSaysNothingAboutOthers() throws IOException {
    script.declining = true;
    for (int i = 0; i < 200; i++) {
      assertDeclined(request(2).build());
    }
    assertThat(script.opened).as("all were tried").isEqualTo(200);
    script.declining = false;
    script.failing(new NotInMemoryException()).failsToOpen = true;
    for (int i = 0; i < 200; i++) {
      assertDeclined(request(2).build());
    }
    assertThat(script.opened).as("a missing block does").isBetween(205, 215);
  }

  @Test
  void whatMayTakeLongIsLeftToHandlers() throws IOException {
    Scan filtered = new Scan().setFilter(new PageFilter(1));
    Scan batched = new Scan().setBatch(2);
    Scan explained = new Scan();
    explained.setAttribute(ExplainOptions.ATTRIBUTE, Bytes.EMPTY);
    Scan measured = new Scan();
    measured.setQueryMetricsEnabled(true);
    for (Scan scan : List.of(filtered, batched, explained, measured)) {
      assertDeclined(request(1).setScan(ProtobufUtil.toScan(scan)).build());
    }
    assertDeclined(request(1).setTrackScanMetrics(true).build());
    assertDeclined(request(0).build());
    assertDeclined(request(-1).build());
    assertDeclined(request(1).clearScan().build());
    assertDeclined(request(1).clearScan().clearRegion().setScannerId(7).build());
    assertThat(script.opened).isZero();
  }

  @Test
  void aRegionThatIsNotOpenIsLeftToHandlers() throws IOException {
    regions.beginClosing(region.info.encodedName());
    assertDeclined(request(1).build());
  }

  private void assertDeclined(ClientProtos.ScanRequest request) throws IOException {
    assertThat(quick.attempt(call, request)).isSameAs(Attempt.declined());
  }

  private ScanResponse answered(ClientProtos.ScanRequest request) throws IOException {
    Attempt<ScanResponse> attempt = quick.attempt(call, request);
    assertThat(attempt).isInstanceOf(Attempt.Answered.class);
    return ((Attempt.Answered<ScanResponse>) attempt).response();
  }

  private Attempt.Rest<ScanResponse> begun(ClientProtos.ScanRequest request) throws IOException {
    Attempt<ScanResponse> attempt = quick.attempt(call, request);
    assertThat(attempt).isInstanceOf(Attempt.Begun.class);
    return ((Attempt.Begun<ScanResponse>) attempt).rest();
  }

  private ClientProtos.ScanRequest.Builder request(int rows) throws IOException {
    return ClientProtos.ScanRequest.newBuilder()
        .setRegion(Messages.specifier(region.info))
        .setScan(ProtobufUtil.toScan(new Scan()))
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .setClientHandlesHeartbeats(true);
  }

  private List<String> columns() {
    return IntStream.range(0, call.response.size())
        .mapToObj(call.response::get)
        .map(cell -> Bytes.utf8(cell.row()) + "/" + Bytes.utf8(cell.qualifier()))
        .toList();
  }

  /** A region whose scans return what they were told to, step by step. */
  private static final class Script implements RegionReads, QuickScan {
    private record Step(ScanProgress progress, String row, int cells) {}

    /** Opens scans of real cells. */
    private interface Scans {
      RegionScanner open(ScanRequest request) throws IOException;
    }

    private Scans scans;
    private Optional<RegionScanner> real = Optional.empty();
    private boolean declining;
    private boolean failsToOpen;
    private final Deque<Step> steps = new ArrayDeque<>();
    private Optional<IOException> failure = Optional.empty();
    private boolean keepable = true;
    private int opened;
    private boolean kept;
    private boolean closed;
    private String lastRow = "";
    private int qualifiers;
    private long rows;
    private ScanLimits lastLimits = ScanLimits.NONE;

    Script row(String row, int cells) {
      return step(ScanProgress.ROW_DONE, row, cells);
    }

    Script step(ScanProgress progress, String row, int cells) {
      steps.add(new Step(progress, row, cells));
      return this;
    }

    Script failing(IOException error) {
      failure = Optional.of(error);
      return this;
    }

    @Override
    public Optional<QuickScan> tryScan(ScanRequest request) throws IOException {
      opened++;
      if (failsToOpen) {
        throw failure.orElseThrow();
      }
      real = Optional.ofNullable(scans).map(open -> opening(open, request));
      return declining ? Optional.empty() : Optional.of(this);
    }

    private static RegionScanner opening(Scans scans, ScanRequest request) {
      try {
        return scans.open(request);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public ScanProgress next(CellBuffer out, ScanLimits limits) throws IOException {
      lastLimits = limits;
      if (real.isPresent()) {
        return real.get().next(out, limits);
      }
      if (steps.isEmpty()) {
        if (failure.isPresent()) {
          throw failure.get();
        }
        return ScanProgress.END;
      }
      Step step = steps.remove();
      qualifiers = step.row().equals(lastRow) ? qualifiers : 0;
      lastRow = step.row();
      for (int i = 0; i < step.cells(); i++) {
        byte[] qualifier = Bytes.utf8("q" + qualifiers++);
        out.add(Cell.put(Bytes.utf8(step.row()), Bytes.utf8("f"), qualifier, 1, Bytes.EMPTY));
      }
      rows += step.progress() == ScanProgress.ROW_DONE ? 1 : 0;
      return step.progress();
    }

    @Override
    public boolean keep() {
      kept = keepable;
      return keepable;
    }

    @Override
    public boolean isExhausted() {
      return false;
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

    @Override
    public void get(ScanRequest request, CellBuffer out) {
      throw new AssertionError("not asked for");
    }

    @Override
    public RegionScanner scan(ScanRequest request) throws IOException {
      if (scans == null) {
        throw new AssertionError("a handler's");
      }
      return scans.open(request);
    }

    @Override
    public Explanation explain(ScanRequest request, int rowsMax, int cellsMax) {
      throw new AssertionError("a handler's");
    }
  }
}
