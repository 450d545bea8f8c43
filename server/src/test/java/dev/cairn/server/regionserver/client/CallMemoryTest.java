package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.regionserver.CheckedMethod;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.UnlimitedMemory;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.service.CallMemory;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcMethod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.Test;

/** Tests calls that lack memory for their responses. */
class CallMemoryTest {
  private static final long MB = 1 << 20;

  private final MemoryAccount account = new MemoryAccount(MB, 1, Clock.SYSTEM);
  private final FakeRegion region = new FakeRegion("");
  private final FakeCall call = new FakeCall();

  @Test
  void limitsAreAtMostAShareOfTheMemoryForCalls() {
    CallLimits limits = CallLimits.of(new SiteConfig(Map.of()), account);
    assertThat(limits.maxRowBytes()).isEqualTo(account.largestLoan() / 4);
    assertThat(limits.cellSize().bytes()).isEqualTo(account.largestLoan() / 8);
    assertThat(limits.maxResultBytes()).isEqualTo(account.largestLoan() / 8);
    CallLimits large = CallLimits.of(new SiteConfig(Map.of()), MemoryAccount.unlimited());
    assertThat(large.maxRowBytes()).isEqualTo(1L << 30);
    assertThat(large.cellSize().bytes()).isEqualTo(10L << 20);
    assertThat(large.maxResultBytes()).isEqualTo(100L << 20);
  }

  @Test
  void aRowThatIsTooLargeIsRefusedByTheNameOfTheKey() {
    ManualClock clock = new ManualClock();
    OnlineRegions regions = new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    region.values.put("r:q", new byte[2_000]);
    GetCalls gets =
        new GetCalls(
            regions,
            new QueryDecoder(TestFilters.parser(getClass().getClassLoader())),
            CallLimits.of(
                new SiteConfig(Map.of("hbase.table.max.rowsize", "1000")),
                MemoryAccount.unlimited()));
    assertThatThrownBy(() -> gets.get(call, get("r")))
        .isInstanceOf(RowTooBigException.class)
        .hasMessageContaining("hbase.table.max.rowsize")
        .hasMessageContaining("1000");
  }

  @Test
  void aScansResponseEndsWhereItsMemoryEnds() throws IOException {
    ScanCallsFixture fixture = new ScanCallsFixture();
    ScriptedScan script = new ScriptedScan().row("a", 1).row("b", 1).row("c", 1);
    fixture.host(fixture.region.hosted());
    fixture.region.scans = request -> script;
    fixture.call.memory = lending(40);
    ScanResponse response = fixture.scan(fixture.open(10).build());
    assertThat(script.lastLimits.maxBytes()).isLessThanOrEqualTo(40);
    assertThat(response.getCellsPerResultCount()).isEqualTo(1);
    assertThat(response.getMoreResultsInRegion()).isTrue();
  }

  @Test
  void openScannersTakeAtMostAQuarterOfTheMemory() throws IOException {
    OpenScanners scanners = new OpenScanners(new ManualClock(), 60_000, 1, account);
    List<OpenScanner> kept = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                OpenScanner scanner = scanner(scanners.newId());
                scanners.keep(scanner);
                kept.add(scanner);
              }
            })
        .as("told at once: to wait and begin again would not help")
        .isInstanceOf(RegionTooBusyException.class)
        .hasMessageContaining("8 open scanners");
    assertThat(kept).hasSize(8);
    assertThat(account.borrowedBytes()).isEqualTo(MB / 4);
    scanners.keep(kept.get(0));
    kept.forEach(scanners::end);
    assertThat(account.borrowedBytes()).isZero();
  }

  @Test
  void aReadWaitsForMemoryAndStartsAgain() throws IOException {
    List<String> events = new ArrayList<>();
    call.memory =
        new UnlimitedMemory() {
          @Override
          public void await(MemoryShortageException shortage) {
            events.add("waits for " + shortage.neededBytes());
          }
        };
    RpcMethod.Handler<String, String> reads =
        (caller, request) -> {
          events.add("reads");
          if (events.size() < 3) {
            throw MemoryShortageException.forNow(1000, account);
          }
          return new CallOutcome.Answered<>("row");
        };
    CheckedMethod<String, String> get =
        CheckedMethod.of("Get", List.of(), CallSubject::cluster, reads);
    assertThat(FakeCall.answer(get.run(call, "r"))).isEqualTo("row");
    assertThat(events).containsExactly("reads", "waits for 1000", "reads");
  }

  @Test
  void clientsKnowTheErrorsByTheirClasses() {
    assertThat(EngineErrors.forClient(MemoryShortageException.forNow(1, account)))
        .isInstanceOf(RegionTooBusyException.class);
    assertThat(EngineErrors.forClient(MemoryShortageException.forGood(1, "too large")))
        .isInstanceOf(RowTooBigException.class)
        .hasMessage("too large");
  }

  private OpenScanner scanner(long id) {
    return new OpenScanner(
        id,
        region.hosted(),
        new ScriptedScan(),
        new OpenScanner.ScanShape(-1, MB, false, false),
        Optional.empty(),
        Optional.empty(),
        SearchedColumns.NONE);
  }

  private GetMessage get(String row) throws IOException {
    return GetMessage.parse(
        RequestConverter.buildGetRequest(region.info.regionName(), new Get(Bytes.utf8(row)))
            .toByteArray());
  }

  private static CallMemory lending(long bytes) {
    return new UnlimitedMemory() {
      @Override
      public long borrowForCells(long wantedBytes) {
        return Math.min(wantedBytes, bytes);
      }
    };
  }
}
