package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.row.RowScanner;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.regionserver.CheckedMethod;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.UnlimitedMemory;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionReads;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.service.AnswerCheck;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallWork;
import dev.cairn.server.rpc.service.RpcMethod;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which scans are answered on the network thread, over a scripted region. */
class QuickScansTest {
  private final ScanCallsFixture fixture = new ScanCallsFixture();
  private final ManualClock clock = fixture.clock;
  private final OnlineRegions regions = fixture.regions;
  private final OpenScanners scanners = fixture.scanners;
  private final FakeRegion region = fixture.region;
  private final FakeCall call = fixture.call;
  private final Script script = new Script();
  private final HostedRegion hosted =
      new HostedRegion(region.info, FakeRegion.SCHEMA, script, region, region.maintenance());

  @BeforeEach
  void hostRegion() {
    fixture.host(hosted);
  }

  @Test
  void aShortScanIsAnsweredAtOnceAndEnds() throws IOException {
    script.row("a", 2).row("b", 1).row("c", 1);
    ScanResponse response = answered(fixture.open(10).setLimitOfRows(2).build());
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
    ScanResponse response = answered(fixture.open(10).setLimitOfRows(2).build());
    assertThat(response.getMoreResults()).isTrue();
    assertThat(response.getMoreResultsInRegion()).isFalse();
    assertThat(script.closed).isTrue();
  }

  @Test
  void aScannerThatTheClientComesBackToIsKept() throws IOException {
    script.row("a", 1).row("b", 1).row("c", 1);
    ScanResponse opened = answered(fixture.open(2).build());
    assertThat(opened.getMoreResultsInRegion()).isTrue();
    assertThat(script.kept).isTrue();
    ScanResponse second = fixture.scan(ScanCallsFixture.next(opened, 0, 2).build());
    assertThat(second.getCellsPerResultList()).containsExactly(1);
    assertThat(script.closed).isTrue();
  }

  @Test
  void aScannerThatCannotBeKeptIsAHandlersToOpen() throws IOException {
    script.row("a", 1).row("b", 1);
    script.keepable = false;
    assertUnfinished(fixture.open(1).build());
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
    assertThat(hosted.readRequestCount()).isZero();
  }

  @Test
  void aScannerThatThereIsNoRoomForIsRefusedBeforeItPinsFiles() throws IOException {
    MemoryAccount none = new MemoryAccount(OpenScanner.KEPT_BYTES, 1, Clock.SYSTEM);
    script.row("a", 1).row("b", 1);
    assertThatThrownBy(() -> attemptWith(none)).isInstanceOf(RegionTooBusyException.class);
    assertThat(script.kept).isFalse();
    assertThat(script.closed).isTrue();
  }

  @Test
  void aScannerThatThereIsNoMemoryForIsRefusedBeforeItPinsFiles() throws IOException {
    MemoryAccount full = new MemoryAccount(4 * OpenScanner.KEPT_BYTES, 1, Clock.SYSTEM);
    while (full.tryBorrow(OpenScanner.KEPT_BYTES)) {
      // until nothing is left
    }
    script.row("a", 1).row("b", 1);
    assertThatThrownBy(() -> attemptWith(full)).isInstanceOf(MemoryShortageException.class);
    assertThat(script.kept).isFalse();
    assertThat(script.closed).isTrue();
    assertThat(full.borrowedBytes()).isEqualTo(full.limitBytes());
  }

  /**
   * Attempts a scan that goes on after its first row, with scanners that borrow from an account.
   */
  private void attemptWith(MemoryAccount memory) throws IOException {
    ScanCallsFixture bounded = new ScanCallsFixture(memory);
    bounded.host(
        new HostedRegion(
            bounded.region.info,
            FakeRegion.SCHEMA,
            script,
            bounded.region,
            bounded.region.maintenance()));
    bounded.calls.scan(
        bounded.call.inline("Scan"), ScanCallsFixture.message(bounded.open(1).build()));
  }

  @Test
  void aHandlerGoesOnWhereTimeRanOut() throws IOException {
    script.row("a", 2).part("b", 2).row("b", 1).row("c", 1);
    CallOutcome.Continuation<ScanAnswer> rest = begun(fixture.open(10).setLimitOfRows(3).build());
    assertThat(script.lastLimits.deadlineNanos() - clock.nanoTime()).isEqualTo(1_000_000);
    assertThat(script.kept).isTrue();
    ScanResponse response = ScanCallsFixture.response(rest.finish());
    assertThat(script.lastLimits.deadlineNanos() - clock.nanoTime()).isGreaterThan(1_000_000_000);
    assertThat(response.getCellsPerResultList()).containsExactly(2, 3, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false, false);
    assertThat(response.getMoreResults()).isFalse();
    assertThat(columns()).containsExactly("a/q0", "a/q1", "b/q0", "b/q1", "b/q2", "c/q0");
    assertThat(script.closed).isTrue();
    assertThat(hosted.readRequestCount()).isEqualTo(3);
  }

  @Test
  void aHandlerGoesOnBehindTheRowsThatTookTheTime() throws IOException {
    script.row("a", 2).row("b", 1).row("c", 3).row("d", 1);
    script.beforeNext = () -> clock.advanceMillis(1);
    CallOutcome.Continuation<ScanAnswer> rest = begun(fixture.open(10).setLimitOfRows(3).build());
    assertThat(columns()).as("the first row took all of it").isEmpty();
    assertThat(script.kept).isTrue();
    ScanResponse response = ScanCallsFixture.response(rest.finish());
    assertThat(response.getCellsPerResultList()).containsExactly(2, 1, 3);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false, false);
    assertThat(response.getMoreResults()).isFalse();
    assertThat(columns()).containsExactly("a/q0", "a/q1", "b/q0", "c/q0", "c/q1", "c/q2");
    assertThat(script.closed).isTrue();
    assertThat(hosted.readRequestCount()).isEqualTo(3);
  }

  @Test
  void rowsThatTookTheTimeAndAreAllThatIsWantedAreAnAnswer() throws IOException {
    script.row("a", 2).row("b", 1);
    script.beforeNext = () -> clock.advanceMillis(1);
    ScanResponse response = answered(fixture.open(10).setLimitOfRows(1).build());
    assertThat(response.getCellsPerResultList()).containsExactly(2);
  }

  @Test
  void aHandlerGoesOnBehindRowsWithinTheMessage() throws IOException {
    call.acceptsCellBlock = false;
    script.row("a", 2).row("b", 1).row("c", 3).row("d", 1);
    script.beforeNext = () -> clock.advanceMillis(1);
    ScanResponse response =
        ScanCallsFixture.response(begun(fixture.open(10).setLimitOfRows(3).build()).finish());
    assertThat(response.getResultsList())
        .extracting(ClientProtos.Result::getCellCount)
        .containsExactly(2, 1, 3);
    assertThat(response.getResults(1).getCell(0).getRow().toStringUtf8()).isEqualTo("b");
    assertThat(response.getResults(2).getCell(0).getRow().toStringUtf8()).isEqualTo("c");
  }

  @Test
  void aHandlerGoesOnBehindTheRowsThatTookTheBytes() throws IOException {
    script.row("a", 8000).row("b", 1).row("c", 1);
    CallOutcome.Continuation<ScanAnswer> rest = begun(fixture.open(10).build());
    assertThat(script.statistics().rowsScanned()).isEqualTo(1);
    ScanResponse response = ScanCallsFixture.response(rest.finish());
    assertThat(response.getCellsPerResultList()).containsExactly(8000, 1, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false, false);
  }

  @Test
  void aHandlerGoesOnWhereBytesRanOut() throws IOException {
    script.full("a", 1).row("a", 0).row("b", 1);
    ScanResponse response = ScanCallsFixture.response(begun(fixture.open(10).build()).finish());
    assertThat(response.getCellsPerResultList()).containsExactly(1, 1);
    assertThat(response.getPartialFlagPerResultList()).containsExactly(false, false);
  }

  @Test
  void theClientsOwnLimitOfBytesEndsTheResponseAfterAsManyCellsAsAHandlers() throws IOException {
    script.scans = Optional.of(request -> rowOfTwentyCells(request, clock));
    ClientProtos.ScanRequest request =
        fixture.open(10).setScan(ProtobufUtil.toScan(new Scan().setMaxResultSize(700))).build();
    ScanResponse slowly = fixture.scan(request);
    int cells = call.response.size();
    assertThat(slowly.getCellsPerResultList()).containsExactly(cells);
    assertThat(cells).isBetween(4, 6);
    ScanResponse quickly = answered(request);
    assertThat(call.response.size()).isEqualTo(cells);
    assertThat(quickly.getCellsPerResultList()).isEqualTo(slowly.getCellsPerResultList());
    assertThat(quickly.getPartialFlagPerResultList()).containsExactly(true);
    assertThat(quickly.getMoreResultsInRegion()).isTrue();
    assertThat(script.kept).isTrue();
    ScanResponse rest = fixture.scan(ScanCallsFixture.next(quickly, 0, 10).build());
    assertThat(rest.getPartialFlagPerResultList()).containsExactly(true);
    assertThat(columns().get(0)).as("none is lost").isEqualTo("row/q" + (char) ('a' + cells));
  }

  @Test
  void aHandlerAddsNothingToAPartThatIsFullWhenTimeRunsOut() throws IOException {
    Clock slow =
        new Clock() {
          @Override
          public long currentTimeMillis() {
            return clock.currentTimeMillis();
          }

          @Override
          public long nanoTime() {
            clock.advanceMillis(1); // so time is over at the second cell
            return clock.nanoTime();
          }
        };
    script.scans = Optional.of(request -> rowOfTwentyCells(request, slow));
    for (int bytes : new int[] {1, 700}) {
      ClientProtos.ScanRequest request =
          fixture.open(10).setScan(ProtobufUtil.toScan(new Scan().setMaxResultSize(bytes))).build();
      ScanResponse slowly = fixture.scan(request);
      ScanResponse begun = ScanCallsFixture.response(begun(request).finish());
      assertThat(begun.getCellsPerResultList()).isEqualTo(slowly.getCellsPerResultList());
      assertThat(begun.getPartialFlagPerResultList()).containsExactly(true);
      ScanResponse rest = fixture.scan(ScanCallsFixture.next(begun, 0, 10).build());
      assertThat(rest.getCellsPerResultList()).isEqualTo(slowly.getCellsPerResultList());
      assertThat(columns().get(0))
          .as("none is lost")
          .isEqualTo("row/q" + (char) ('a' + slowly.getCellsPerResult(0)));
    }
  }

  private static RowScanner rowOfTwentyCells(ScanRequest request, Clock clock) throws IOException {
    MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, 1 << 16);
    for (int i = 0; i < 20; i++) {
      byte[] qualifier = Bytes.utf8("q" + (char) ('a' + i));
      segment.add(Cell.put(Bytes.utf8("row"), Bytes.utf8("f"), qualifier, 1, new byte[100]), i + 1);
    }
    StoreSource source =
        new StoreSource(
            FakeRegion.SCHEMA.families().iterator().next(), List.of(segment.cursor(100)));
    RowScanner scanner = new RowScanner(CellComparator.USER, clock);
    scanner.begin(request, List.of(source), 100, ReadMetrics.unused());
    return scanner;
  }

  @Test
  void aHandlerGoesOnWhereNothingWasFoundInTime() throws IOException {
    script.late("k").row("x", 1);
    ScanResponse response =
        ScanCallsFixture.response(begun(fixture.open(1).setLimitOfRows(1).build()).finish());
    assertThat(response.getHeartbeatMessage()).isFalse();
    assertThat(response.getCellsPerResultList()).containsExactly(1);
  }

  @Test
  void timeMayRunOutForTheHandlerToo() throws IOException {
    script.part("a", 2).part("a", 1).row("a", 1);
    ScanResponse first = ScanCallsFixture.response(begun(fixture.open(10).build()).finish());
    assertThat(first.getCellsPerResultList()).as("one is held back").containsExactly(2);
    assertThat(first.getPartialFlagPerResultList()).containsExactly(true);
    assertThat(scanners.size()).isEqualTo(1);
  }

  @Test
  void aRestThatNobodyWaitsForIsDropped() throws IOException {
    script.late("k");
    begun(fixture.open(1).build()).drop();
    assertThat(script.closed).isTrue();
  }

  @Test
  void aRestThatFailsClosesItsScanner() throws IOException {
    script.late("k").failing(new IOException("disk on fire"));
    CallOutcome.Continuation<ScanAnswer> rest = begun(fixture.open(1).build());
    assertThatThrownBy(rest::finish).hasMessageContaining("disk");
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
  }

  @Test
  void aHandlerReadsAllOfAScanAnewWhoseRestLacksMemory() throws IOException {
    CallLimits limits = CallLimits.of(new SiteConfig(Map.of()), MemoryAccount.unlimited());
    CallTimes times = new CallTimes(clock, 20_000);
    @SuppressWarnings("unchecked") // as registered
    RpcMethod<ScanMessage, ScanAnswer> method =
        (RpcMethod<ScanMessage, ScanAnswer>)
            ClientCalls.service(
                    regions,
                    scanners,
                    new NonceManager(clock, 1_000, 1 << 20),
                    getClass().getClassLoader(),
                    new EvaluationGuard(clock),
                    times,
                    () -> limits,
                    FakeRegion.noBulkLoads(regions, clock),
                    RegionServices.NONE,
                    List.of(),
                    AnswerCheck.NONE)
                .method("Scan")
                .orElseThrow();
    ScanMessage message = ScanCallsFixture.message(fixture.open(10).build());
    script.late("k");
    CallWork<ScanMessage, ScanAnswer> work = new CallWork<>(method);
    work.run(call.inline("Scan"), message);
    assertThat(work.isPartial()).isTrue();
    script.beforeNext =
        () -> {
          script.beforeNext = () -> {};
          script.scans = Optional.of(request -> rowOfTwentyCells(request, clock));
          throw MemoryShortageException.forNow(1_000, MemoryAccount.unlimited());
        };
    UnlimitedMemory memory = new UnlimitedMemory();
    call.memory = memory;

    ScanAnswer answer = FakeCall.answer(work.run(call.handled(), message));

    assertThat(memory.awaited).containsExactly(1_000L);
    assertThat(ScanCallsFixture.response(answer).getCellsPerResultList()).containsExactly(20);
    assertThat(columns()).hasSize(20).startsWith("row/qa");
  }

  @Test
  void aMissingBlockIsAHandlersToRead() throws IOException {
    script.row("a", 1);
    script.missesBlock = true;
    assertUnfinished(fixture.open(2).build());
    assertThat(script.closed).isTrue();
    assertThat(scanners.size()).isZero();
    assertThat(hosted.readRequestCount()).isZero();
  }

  @Test
  void errorsAreToldAndCloseTheScanner() throws IOException {
    script.failing(new IOException("corrupt"));
    assertThatThrownBy(() -> attempt(fixture.open(2).build())).hasMessage("corrupt");
    assertThat(script.closed).isTrue();
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
      assertDeclined(fixture.open(1).setScan(ProtobufUtil.toScan(scan)).build());
    }
    assertDeclined(fixture.open(1).setTrackScanMetrics(true).build());
    assertDeclined(fixture.open(0).build());
    assertDeclined(fixture.open(-1).build());
    assertDeclined(fixture.open(1).clearScan().build());
    assertDeclined(fixture.open(1).clearScan().clearRegion().setScannerId(7).build());
    assertThat(script.opened).isZero();
  }

  @Test
  void vainTriesCountForScansOfTheSameRegionAndKind() throws IOException {
    ClientProtos.ScanRequest few = fixture.open(2).build();
    ClientProtos.ScanRequest elsewhere =
        few.toBuilder().setRegion(Messages.specifier(new FakeRegion("m").info)).build();
    assertThat(kind(fixture.open(1000).build())).isEqualTo(kind(few));
    assertThat(kind(fixture.open(1001).build())).as("open-ended").isNotEqualTo(kind(few));
    assertThat(kind(elsewhere)).isNotEqualTo(kind(few));
  }

  private static int kind(ClientProtos.ScanRequest request) throws IOException {
    return ScanCalls.kind(ScanCallsFixture.message(request));
  }

  @Test
  void aRegionThatIsNotOpenIsLeftToHandlers() throws IOException {
    regions.beginClosing(region.info.encodedName());
    assertDeclined(fixture.open(1).build());
  }

  /** Lets the network thread answer a call, after the interceptors. */
  private CallOutcome<ScanAnswer> attempt(ClientProtos.ScanRequest request) throws IOException {
    call.receivedNanos = clock.nanoTime();
    CheckedMethod<ScanMessage, ScanAnswer> scan =
        CheckedMethod.of(
            "Scan",
            List.of(new TimedEvaluations(new EvaluationGuard(clock), new CallTimes(clock, 20_000))),
            CallSubject::cluster,
            fixture.calls::scan);
    return scan.run(call.inline("Scan"), ScanCallsFixture.message(request));
  }

  private void assertUnfinished(ClientProtos.ScanRequest request) throws IOException {
    assertThat(attempt(request)).isEqualTo(CallOutcome.unfinished());
  }

  private void assertDeclined(ClientProtos.ScanRequest request) throws IOException {
    assertThat(attempt(request)).isSameAs(CallOutcome.declined());
  }

  private ScanResponse answered(ClientProtos.ScanRequest request) throws IOException {
    CallOutcome<ScanAnswer> attempt = attempt(request);
    return ScanCallsFixture.response(FakeCall.answer(attempt));
  }

  private CallOutcome.Continuation<ScanAnswer> begun(ClientProtos.ScanRequest request)
      throws IOException {
    CallOutcome<ScanAnswer> attempt = attempt(request);
    assertThat(attempt).isInstanceOf(CallOutcome.Unfinished.class);
    return ((CallOutcome.Unfinished<ScanAnswer>) attempt).continuation().orElseThrow();
  }

  private List<String> columns() {
    return IntStream.range(0, call.response.size())
        .mapToObj(call.response::get)
        .map(cell -> Bytes.utf8(cell.row()) + "/" + Bytes.utf8(cell.qualifier()))
        .toList();
  }

  /** A region with one scan, which returns what it was told to, or real cells. */
  private static final class Script extends ScriptedScan implements RegionReads {
    /** Opens scans of real cells. */
    private interface Scans {
      RowScanner open(ScanRequest request) throws IOException;
    }

    private Optional<Scans> scans = Optional.empty();
    private Optional<RowScanner> real = Optional.empty();
    private boolean keepable = true;
    private int opened;
    private boolean kept;
    private Runnable beforeNext = () -> {};

    @Override
    public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
      if (budget.mayWait()) {
        assertThat(scans).as("a handler's").isPresent();
      } else {
        opened++;
      }
      if (scans.isPresent()) {
        real = Optional.of(scans.get().open(request));
      }
      return this;
    }

    @Override
    public ScanProgress next(CellBuffer out, ReadBudget limits) throws IOException {
      beforeNext.run();
      return real.isPresent() ? real.get().next(out, limits) : super.next(out, limits);
    }

    @Override
    public boolean hold() {
      kept = keepable;
      return keepable;
    }
  }
}
