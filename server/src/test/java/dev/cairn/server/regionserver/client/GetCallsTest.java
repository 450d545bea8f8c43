package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.regionserver.CheckedMethod;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionReads;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.ClientVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which gets are answered on the network thread. */
class GetCallsTest {
  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final FakeRegion region = new FakeRegion("");
  private final FakeCall call = new FakeCall();
  private final Memory memory = new Memory();
  private final GetCalls gets =
      new GetCalls(
          regions,
          new QueryDecoder(TestFilters.parser(getClass().getClassLoader())),
          CallLimits.of(new SiteConfig(Map.of()), MemoryAccount.unlimited()));
  private HostedRegion hosted;

  @BeforeEach
  void host() {
    hosted = new HostedRegion(region.info, FakeRegion.SCHEMA, memory, region, region.maintenance());
    regions.beginOpening(region.info);
    regions.opened(hosted);
  }

  @Test
  void aRowInMemoryIsAnsweredAtOnce() throws IOException {
    CallOutcome<GetResponse> attempt =
        gets.get(call.inline("Get"), request(new Get(Bytes.utf8("r"))));
    assertThat(attempt).isInstanceOf(CallOutcome.Answered.class);
    assertThat(call.response.size()).isEqualTo(1);
    assertThat(hosted.readRequestCount()).isEqualTo(1);
  }

  @Test
  void whatIsNotInMemoryIsLeftToHandlersAndNotCounted() throws IOException {
    memory.holds = false;
    assertThat(gets.get(call.inline("Get"), request(new Get(Bytes.utf8("r")))))
        .isEqualTo(CallOutcome.unfinished());
    assertThat(hosted.readRequestCount()).isZero();
  }

  @Test
  void filtersAndMetricsAreLeftToHandlers() throws IOException {
    Get filtered = new Get(Bytes.utf8("r"));
    filtered.setFilter(new PageFilter(1));
    Get measured = new Get(Bytes.utf8("r"));
    measured.setQueryMetricsEnabled(true);
    CheckedMethod<GetMessage, GetResponse> limited =
        CheckedMethod.of(
            "Get",
            List.of(new TimedEvaluations(new EvaluationGuard(clock), new CallTimes(clock, 1_000))),
            CallSubject::cluster,
            gets::get);
    assertThat(limited.run(call.inline("Get"), request(filtered))).isSameAs(CallOutcome.declined());
    assertThat(limited.run(call.inline("Get"), request(new Get(Bytes.utf8("r")))))
        .isInstanceOf(CallOutcome.Answered.class);
    assertThat(gets.get(call.inline("Get"), request(measured))).isSameAs(CallOutcome.declined());
  }

  @Test
  void aRegionThatIsNotOpenIsLeftToHandlers() throws IOException {
    regions.beginClosing(region.info.encodedName());
    assertThat(gets.get(call.inline("Get"), request(new Get(Bytes.utf8("r")))))
        .isSameAs(CallOutcome.declined());
  }

  @Test
  void anExistenceIsAnsweredWithoutCells() throws IOException {
    Get exists = new Get(Bytes.utf8("r")).setCheckExistenceOnly(true);
    CallOutcome<GetResponse> attempt = gets.get(call.inline("Get"), request(exists));
    assertThat(attempt)
        .isInstanceOfSatisfying(
            CallOutcome.Answered.class,
            answered ->
                assertThat(((GetResponse) answered.response()).getResult().getExists()).isTrue());
    assertThat(call.response.size()).isZero();
  }

  @Test
  void handlersAnswerPlainGetsAndOthersAlike() throws IOException {
    memory.handled = true;
    Get plain = new Get(Bytes.utf8("r"));
    Get other = new Get(Bytes.utf8("r")).setAttribute("a", Bytes.utf8("b"));
    FakeCall second = new FakeCall();
    assertThat(gets.get(call, request(plain))).isEqualTo(gets.get(second, request(other)));
    assertThat(call.response.size()).isEqualTo(1);
    assertThat(second.response.size()).isEqualTo(1);
    assertThat(hosted.readRequestCount()).isEqualTo(2);
  }

  @Test
  void clientsBeforeOneThreeGetTheCellsInsideTheMessage() throws IOException {
    call.clientVersion = new ClientVersion(1, 2);
    memory.handled = true;
    GetMessage request = request(new Get(Bytes.utf8("r")));
    GetResponse handled = FakeCall.answer(gets.get(call, request));
    assertThat(handled.getResult().getCellCount()).isEqualTo(1);
    assertThat(handled.getResult().hasAssociatedCellCount()).isFalse();
    assertThat(call.response.isEmpty()).isTrue();
    assertThat(gets.get(call.inline("Get"), request))
        .isInstanceOfSatisfying(
            CallOutcome.Answered.class,
            answered -> assertThat(answered.response()).isEqualTo(handled));
    assertThat(call.response.isEmpty()).isTrue();
  }

  private GetMessage request(Get get) throws IOException {
    return GetMessage.parse(
        GetRequest.newBuilder()
            .setRegion(Messages.specifier(region.info))
            .setGet(ProtobufUtil.toGet(get))
            .build()
            .toByteArray());
  }

  /** A region that has every row in memory, or none. */
  private static final class Memory implements RegionReads {
    private boolean holds = true;
    private boolean handled;

    @Override
    public ScanProgress row(ScanRequest request, CellBuffer out, ReadBudget budget) {
      assertThat(handled || !budget.mayWait()).as("a handler's").isTrue();
      if (!holds && !budget.mayWait()) {
        return ScanProgress.WOULD_WAIT;
      }
      out.add(Cell.put(request.startRow(), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.EMPTY));
      return ScanProgress.ROW_DONE;
    }

    @Override
    public RegionRead read(ScanRequest request, ReadBudget budget) {
      throw new AssertionError("a handler's");
    }
  }
}
