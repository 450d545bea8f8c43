package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.RegionBusyException;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.CellView;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.CallMemory;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes, one by one and many at once, as messages that HBase's own client code makes. */
class MultiCallsTest {
  private static final byte[] F = Bytes.utf8("f");

  private final ManualClock clock = new ManualClock();
  private final ServerName self = new ServerName("localhost", 16020, 1);
  private final OnlineRegions regions = new OnlineRegions(self, clock);
  private final FakeRegion region = new FakeRegion("");
  private final FakeRegion other = new FakeRegion("m");
  private final FakeCall call = new FakeCall();
  private final Map<String, List<Cell>> cellsOf = new HashMap<>();
  private HostedRegion hostedOther;
  private MultiCalls multis;
  private MutateCalls mutates;

  @BeforeEach
  void wire() {
    wire(Map.of());
    for (FakeRegion each : new FakeRegion[] {region, other}) {
      regions.beginOpening(each.info);
      hostedOther = each.hosted(); // finally the one of the last region
      regions.opened(hostedOther);
    }
  }

  private void wire(Map<String, String> settings) {
    CallLimits limits = CallLimits.of(new SiteConfig(settings), MemoryAccount.unlimited());
    FilterParser filters = TestFilters.parser(getClass().getClassLoader());
    Nonces nonces = new Nonces(clock, 60_000, 1 << 20);
    CallTimes times = new CallTimes(clock, 1_000);
    MutationDecoder mutations = new MutationDecoder(CellSizeLimit.of(FakeRegion.CELL_BYTES_MAX));
    ConditionDecoder conditions = new ConditionDecoder(filters);
    GetCalls gets = new GetCalls(regions, new QueryDecoder(filters), limits);
    CoprocessorCalls services =
        new CoprocessorCalls(
            regions,
            new MultiRowMutations(mutations, conditions, new NumberedChanges(nonces)),
            times);
    multis = new MultiCalls(regions, gets, services, mutations, conditions, nonces, times, limits);
    mutates = new MutateCalls(regions, mutations, conditions, new NumberedChanges(nonces), times);
  }

  @Test
  void aBatchOfTooManyActionsIsRefusedIfConfigured() throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(
                group(region)
                    .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
                    .addAction(write(1, MutationType.PUT, put("b", "q", "2"))))
            .build();
    wire(
        Map.of(
            "hbase.rpc.rows.warning.threshold",
            "1",
            "hbase.rpc.rows.size.threshold.reject",
            "true"));
    assertThatThrownBy(() -> multis.multi(call, request))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("2 actions in one call")
        .hasMessageContaining("hbase.rpc.rows.warning.threshold (1)");
    assertThat(region.values).isEmpty();
    wire(Map.of("hbase.rpc.rows.warning.threshold", "1"));
    multis.multi(call, request);
    assertThat(region.values).hasSize(2);
  }

  @Test
  void neighboursAreWrittenTogether_andResultsKeepTheirPlaces() throws IOException {
    MultiResponse response =
        multis.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(
                    group(region)
                        .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
                        .addAction(write(1, MutationType.PUT, put("b", "q", "2")))
                        .addAction(get(2, "a"))
                        .addAction(
                            write(
                                3, MutationType.DELETE, new Delete(b("b")).addColumns(F, b("q")))))
                .addRegionAction(
                    group(other).addAction(write(0, MutationType.PUT, put("x", "q", "3"))))
                .build());

    assertThat(region.batches).containsExactly(2, 1);
    assertThat(region.values).containsOnlyKeys("a:q");
    assertThat(other.values).containsOnlyKeys("x:q");
    RegionActionResult first = response.getRegionActionResult(0);
    assertThat(first.getResultOrExceptionList()).extracting("index").containsExactly(0, 1, 2, 3);
    assertThat(first.getResultOrException(2).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(call.response.size()).isEqualTo(1);
    assertThat(call.response.get(0).value()).isEqualTo(b("1"));
    assertThat(first.hasProcessed()).isFalse();
  }

  @Test
  void aGetWithoutMemoryIsRetried_atOnceIfOthersHaveResults() throws IOException {
    region.values.put("a:q", new byte[100]);
    region.values.put("b:q", new byte[5_000]);
    call.growth =
        capacity -> {
          if (capacity > 4_000) {
            throw MemoryShortageException.forNow(capacity, MemoryAccount.unlimited());
          }
        };
    RegionActionResult result =
        multis
            .multi(
                call,
                MultiRequest.newBuilder()
                    .addRegionAction(
                        group(region)
                            .addAction(get(0, "b"))
                            .addAction(get(1, "a"))
                            .addAction(get(2, "b"))
                            .addAction(get(3, "a")))
                    .build())
            .getRegionActionResult(0);
    assertThat(result.getResultOrException(0).getException().getName())
        .isEqualTo(RegionTooBusyException.class.getName());
    assertThat(result.getResultOrException(1).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(result.getResultOrException(2).getException().getName())
        .isEqualTo(MultiActionResultTooLarge.class.getName());
    assertThat(result.getResultOrException(3).hasResult()).isTrue();
    assertThat(call.response.size()).as("no cells of the failed get remain").isEqualTo(2);
  }

  @Test
  void cellsInsideTheMessageForACallerWithoutACodec() throws IOException {
    region.values.put("a:q", b("1"));
    call.acceptsCellBlock = false;
    MultiResponse response =
        multis.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(group(region).addAction(get(0, "a")))
                .build());
    var result = response.getRegionActionResult(0).getResultOrException(0).getResult();
    assertThat(result.getCell(0).getValue().toByteArray()).isEqualTo(b("1"));
    assertThat(call.response.isEmpty()).isTrue();
  }

  @Test
  void oneBadActionLeavesTheOthersAlone() throws IOException {
    Put unknownFamily = new Put(b("b")).addColumn(b("g"), b("q"), b("2"));
    Put tooLarge = new Put(b("c")).addColumn(F, b("q"), new byte[2_000]);
    MultiResponse response =
        multis.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(
                    group(region)
                        .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
                        .addAction(write(1, MutationType.PUT, unknownFamily))
                        .addAction(write(2, MutationType.PUT, tooLarge))
                        .addAction(write(3, MutationType.PUT, put("d", "q", "4"))))
                .build());
    RegionActionResult result = response.getRegionActionResult(0);
    assertThat(region.values).containsOnlyKeys("a:q", "d:q");
    assertThat(result.getResultOrException(1).getException().getName())
        .isEqualTo(NoSuchColumnFamilyException.class.getName());
    assertThat(result.getResultOrException(2).getException().getValue().toStringUtf8())
        .contains("hbase.server.keyvalue.maxsize");
    assertThat(result.getResultOrException(3).hasResult()).isTrue();
  }

  @Test
  void noMutationGetsTheCellsOfOneThatCountedTooMany() throws IOException {
    Action.Builder greedy = write(0, MutationType.PUT, put("a", "q", "1")).toBuilder();
    greedy.getMutationBuilder().clearColumnValue().setAssociatedCellCount(3);
    call.request.add(b("a"), F, b("q"), 1, (byte) 4, b("1"), new byte[0]);
    MultiResponse response =
        multis.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(
                    group(region).addAction(greedy).addAction(counted(1, put("a", "q", "2"))))
                .build());
    RegionActionResult result = response.getRegionActionResult(0);
    assertThat(result.getResultOrException(0).hasException()).isTrue();
    assertThat(result.getResultOrException(1).hasException()).isTrue();
    assertThat(region.values).isEmpty();
  }

  @Test
  void aRegionThatIsNotHereFailsAlone_andItsCellsArePassedOver() throws IOException {
    FakeRegion elsewhere = new FakeRegion("zz");
    Put strange = put("z", "q", "1");
    Put here = put("a", "q", "2");
    call.request.add(cell(strange));
    call.request.add(cell(here));
    MultiResponse response =
        multis.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(group(elsewhere).addAction(counted(0, strange)))
                .addRegionAction(group(region).addAction(counted(0, here)))
                .build());
    assertThat(response.getRegionActionResult(0).getException().getName())
        .isEqualTo(NotServingRegionException.class.getName());
    assertThat(Bytes.utf8(region.values.get("a:q"))).isEqualTo("2");
  }

  @Test
  void anAtomicGroupFailsAsAWhole() throws IOException {
    RegionAction.Builder group =
        group(region)
            .setAtomic(true)
            .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
            .addAction(get(1, "a"));
    MultiResponse response =
        multis.multi(call, MultiRequest.newBuilder().addRegionAction(group).build());
    assertThat(response.getRegionActionResult(0).hasException()).isTrue();
    assertThat(region.values).isEmpty();
  }

  @Test
  void aGroupUnderACondition() throws IOException {
    RegionAction.Builder group =
        group(region)
            .setCondition(condition("a", "q", CompareType.EQUAL, ""))
            .addAction(write(0, MutationType.PUT, put("a", "q", "1")));
    MultiRequest request = MultiRequest.newBuilder().addRegionAction(group).build();
    assertThat(multis.multi(call, request).getRegionActionResult(0).getProcessed()).isTrue();
    RegionActionResult unmet = multis.multi(call, request).getRegionActionResult(0);
    assertThat(unmet.getProcessed()).isFalse();
    // The asynchronous client looks for as many answers as it sent actions.
    assertThat(unmet.getResultOrExceptionCount()).isEqualTo(1);
    assertThat(region.batches).isEmpty();
  }

  @Test
  void aRepeatedIncrementCountsOnce() throws IOException {
    Increment increment = new Increment(b("a")).addColumn(F, b("n"), 5);
    MutateRequest request =
        MutateRequest.newBuilder()
            .setRegion(Messages.specifier(region.info))
            .setNonceGroup(1)
            .setMutation(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, 77))
            .build();
    MutateMessage message = MutateMessage.parse(request.toByteArray());
    MutateResponse first = mutates.mutate(call, message);
    MutateResponse again = mutates.mutate(call, message);
    assertThat(Bytes.getLong(region.values.get("a:n"), 0)).isEqualTo(5);
    assertThat(again).isEqualTo(first);
    assertThat(Bytes.getLong(call.response.get(0).value(), 0)).isEqualTo(5);
  }

  @Test
  void aFailedAppendMayBeRepeated() throws IOException {
    Append append = new Append(b("a")).addColumn(F, b("q"), b("x"));
    MultiRequest request =
        MultiRequest.newBuilder()
            .setNonceGroup(1)
            .addRegionAction(
                group(region)
                    .addAction(
                        Action.newBuilder()
                            .setIndex(0)
                            .setMutation(ProtobufUtil.toMutation(MutationType.APPEND, append, 9))))
            .build();
    region.failure = new RegionBusyException("later");
    MultiResponse busy = multis.multi(call, request);
    assertThat(busy.getRegionActionResult(0).getResultOrException(0).getException().getName())
        .isEqualTo("org.apache.hadoop.hbase.RegionTooBusyException");
    region.failure = null;
    multis.multi(call, request);
    multis.multi(call, request);
    assertThat(Bytes.utf8(region.values.get("a:q"))).isEqualTo("x");
  }

  @Test
  void appendsWithoutMemoryForTheirResultsAreMadeOnce() throws IOException {
    region.values.put("b:q", new byte[5_000]);
    region.values.put("d:q", new byte[5_000]);
    MultiRequest.Builder request =
        MultiRequest.newBuilder()
            .setNonceGroup(1)
            .addRegionAction(
                group(region)
                    .addAction(append(0, "a", "x", 7))
                    .addAction(append(1, "b", "x", 8))
                    .addAction(append(2, "c", "x", 9))
                    .addAction(append(3, "d", "x", Nonces.NO_NONCE)));
    call.growth = MultiCallsTest::lendLittle;
    RegionActionResult first = multis.multi(call, request.build()).getRegionActionResult(0);
    assertThat(first.getResultOrException(0).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(first.getResultOrException(1).getException().getName())
        .isEqualTo(RegionTooBusyException.class.getName());
    assertThat(first.getResultOrException(2).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(first.getResultOrException(3).getException().getName())
        .as("it has no nonce by which a second try would be known")
        .isEqualTo(DoNotRetryIOException.class.getName());
    assertThat(call.response.size()).isEqualTo(2);

    call.growth = null;
    request.getRegionActionBuilder(0).removeAction(3);
    RegionActionResult again = multis.multi(call, request.build()).getRegionActionResult(0);
    assertThat(again.getResultOrException(1).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(region.values.get("a:q")).hasSize(1);
    assertThat(region.values.get("b:q")).hasSize(5_001);
    assertThat(region.values.get("c:q")).hasSize(1);
  }

  @Test
  void anAtomicGroupWithoutMemoryForItsResultIsMadeOnce() throws IOException {
    region.values.put("a:q", new byte[5_000]);
    MultiRequest request =
        MultiRequest.newBuilder()
            .setNonceGroup(1)
            .addRegionAction(group(region).setAtomic(true).addAction(append(0, "a", "x", 7)))
            .build();
    call.growth = MultiCallsTest::lendLittle;
    assertThat(multis.multi(call, request).getRegionActionResult(0).getException().getName())
        .isEqualTo(RegionTooBusyException.class.getName());
    call.growth = null;
    assertThat(multis.multi(call, request).getRegionActionResult(0).hasException()).isFalse();
    assertThat(region.values.get("a:q")).hasSize(5_001);
  }

  @Test
  void anAppendWaitsForTheMemoryOfItsResult_andIsNotMadeAgain() throws IOException {
    for (String row : new String[] {"a", "b", "c"}) {
      region.values.put(row + ":q", new byte[5_000]);
    }
    MutateMessage message = append("a", "x", Nonces.NO_NONCE);
    call.growth = MultiCallsTest::lendLittle;
    call.memory =
        new MemoryThatComes() {
          @Override
          public void await(MemoryShortageException shortage) {
            assertThat(call.requestReleased).as("the request's memory is given back").isTrue();
            call.growth = null;
          }
        };
    assertThat(mutates.mutate(call, message).getProcessed()).isTrue();
    assertThat(call.response.size()).isEqualTo(1);
    assertThat(region.values.get("a:q")).hasSize(5_001);

    call.growth = MultiCallsTest::lendLittle;
    call.memory =
        new MemoryThatComes() {
          @Override
          public void await(MemoryShortageException shortage) throws IOException {
            throw new RegionTooBusyException("later");
          }
        };
    assertThatThrownBy(() -> mutates.mutate(call, append("b", "x", 5)))
        .isInstanceOf(RegionTooBusyException.class);
    assertThatThrownBy(() -> mutates.mutate(call, append("c", "x", 0)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("The change was made");
  }

  private static void lendLittle(long capacity) {
    if (capacity > 4_000) {
      throw MemoryShortageException.forNow(capacity, MemoryAccount.unlimited());
    }
  }

  private static Action append(int index, String row, String value, long nonce) throws IOException {
    Append append = new Append(b(row)).addColumn(F, b("q"), b(value));
    return Action.newBuilder()
        .setIndex(index)
        .setMutation(ProtobufUtil.toMutation(MutationType.APPEND, append, nonce))
        .build();
  }

  private MutateMessage append(String row, String value, long nonce) throws IOException {
    return MutateMessage.parse(
        MutateRequest.newBuilder()
            .setRegion(Messages.specifier(region.info))
            .setNonceGroup(1)
            .setMutation(append(0, row, value, nonce).getMutation())
            .build()
            .toByteArray());
  }

  /** Lends everything but what grows; tests say what waiting does. */
  private abstract static class MemoryThatComes implements CallMemory {
    @Override
    public void borrowForMessage(long bytes) {}

    @Override
    public void prepare(long cellBytes) {}

    @Override
    public long borrowForCells(long wantedBytes) {
      return wantedBytes;
    }
  }

  @Test
  void theSameNumberTwiceInOneCallIsDoneOnce() throws IOException {
    Increment increment = new Increment(b("a")).addColumn(F, b("n"), 1);
    Action.Builder action =
        Action.newBuilder()
            .setMutation(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, 5));
    multis.multi(
        call,
        MultiRequest.newBuilder()
            .addRegionAction(
                group(region).addAction(action.setIndex(0)).addAction(action.setIndex(1)))
            .build());
    assertThat(Bytes.getLong(region.values.get("a:n"), 0)).isEqualTo(1);
  }

  @Test
  void putsAloneAreWrittenInOnePiece() throws IOException {
    Put one = put("a", "q", "1");
    Put two = put("b", "q", "2").addColumn(F, b("r"), b("3"));
    Put three = put("x", "q", "4");
    MultiResponse response =
        putsAlone(
            group(region).addAction(counted(5, one)).addAction(counted(2, two)),
            group(other).addAction(counted(10_000, three)));
    assertThat(region.putBatches).containsExactly(2);
    assertThat(other.putBatches).containsExactly(1);
    assertThat(region.batches).isEmpty();
    assertThat(region.values).containsOnlyKeys("a:q", "b:q", "b:r");
    assertThat(Bytes.utf8(other.values.get("x:q"))).isEqualTo("4");
    assertThat(response.getRegionActionResult(0).getResultOrExceptionList())
        .extracting("index")
        .containsExactly(5, 2);
    assertThat(response.getRegionActionResult(0).getResultOrException(0).hasResult()).isTrue();
    assertThat(response.getRegionActionResult(1).getResultOrException(0).getIndex())
        .isEqualTo(10_000);
    assertThat(hostedOther.writeRequestCount()).isEqualTo(1);
  }

  @Test
  void ofPutsAloneABadOneFailsAlone() throws IOException {
    Put good = put("a", "q", "1");
    Put unknownFamily = new Put(b("b")).addColumn(b("g"), b("q"), b("2"));
    Put tooLarge = new Put(b("x")).addColumn(F, b("q"), new byte[2_000]);
    Put another = put("y", "q", "1");
    MultiResponse response =
        putsAlone(
            group(region).addAction(counted(0, good)).addAction(counted(1, unknownFamily)),
            group(other).addAction(counted(2, tooLarge)).addAction(counted(3, another)));
    assertThat(region.values).containsOnlyKeys("a:q");
    assertThat(other.values).containsOnlyKeys("y:q");
    assertThat(response.getRegionActionResult(0).getResultOrException(0).hasResult()).isTrue();
    assertThat(response.getRegionActionResult(0).getResultOrException(1).getException().getName())
        .isEqualTo(NoSuchColumnFamilyException.class.getName());
    assertThat(
            response
                .getRegionActionResult(1)
                .getResultOrException(0)
                .getException()
                .getValue()
                .toStringUtf8())
        .contains("hbase.server.keyvalue.maxsize");
    assertThat(response.getRegionActionResult(1).getResultOrException(1).hasResult()).isTrue();
    assertThat(hostedOther.writeRequestCount()).as("of which one was done").isEqualTo(1);
  }

  @Test
  void ofPutsAloneThoseOfARegionThatIsNotHereFail_andTheirCellsArePassedOver() throws IOException {
    Put strange = put("z", "q", "1");
    Put here = put("a", "q", "2");
    MultiResponse response =
        putsAlone(
            group(new FakeRegion("zz")).addAction(counted(0, strange)),
            group(region).addAction(counted(1, here)));
    assertThat(response.getRegionActionResult(0).getException().getName())
        .isEqualTo(NotServingRegionException.class.getName());
    assertThat(Bytes.utf8(region.values.get("a:q"))).isEqualTo("2");
  }

  @Test
  void ofPutsAloneEachIsToldWhyTheRegionTakesNone() throws IOException {
    region.failure = new RegionBusyException("later");
    Put one = put("a", "q", "1");
    Put two = put("b", "q", "2");
    RegionActionResult result =
        putsAlone(group(region).addAction(counted(0, one)).addAction(counted(1, two)))
            .getRegionActionResult(0);
    assertThat(result.getResultOrExceptionList())
        .extracting(told -> told.getException().getName())
        .containsOnly("org.apache.hadoop.hbase.RegionTooBusyException");
    assertThat(result.getResultOrExceptionList()).extracting("index").containsExactly(0, 1);
  }

  @Test
  void aPutGetsNoCellsOfAnotherRow() throws IOException {
    call.request.add(b("other"), F, b("q"), 1, (byte) 4, b("1"), new byte[0]);
    Action named = counted(0, put("a", "q", "1"));
    MultiResponse response = multis.multi(call, message(group(region).addAction(named)));
    assertThat(response.getRegionActionResult(0).getResultOrException(0).getException().getName())
        .isEqualTo("org.apache.hadoop.hbase.client.WrongRowIOException");
    assertThat(region.values).isEmpty();
  }

  /** Sends groups of puts whose cells lie beside them, in their order. */
  private MultiResponse putsAlone(RegionAction.Builder... groups) throws IOException {
    for (RegionAction.Builder group : groups) {
      for (Action action : group.getActionList()) {
        cellsOf.get(action.getMutation().getRow().toStringUtf8()).forEach(call.request::add);
      }
    }
    MultiMessage message = message(groups);
    assertThat(message).isInstanceOf(MultiMessage.Puts.class);
    return multis.multi(call, message);
  }

  private static MultiMessage message(RegionAction.Builder... groups) throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (RegionAction.Builder group : groups) {
      request.addRegionAction(group);
    }
    return MultiMessage.parse(request.build().toByteArray());
  }

  private static RegionAction.Builder group(FakeRegion region) {
    return RegionAction.newBuilder().setRegion(Messages.specifier(region.info));
  }

  private static Action write(int index, MutationType type, Mutation mutation) throws IOException {
    return Action.newBuilder()
        .setIndex(index)
        .setMutation(ProtobufUtil.toMutation(type, mutation))
        .build();
  }

  private Action counted(int index, Put put) throws IOException {
    List<Cell> cells = new ArrayList<>();
    put.getFamilyCellMap()
        .values()
        .forEach(family -> family.forEach(cell -> cells.add(CellView.toEngine(cell))));
    cellsOf.put(Bytes.utf8(put.getRow()), cells);
    return Action.newBuilder()
        .setIndex(index)
        .setMutation(ProtobufUtil.toMutationNoData(MutationType.PUT, put))
        .build();
  }

  private static Action get(int index, String row) throws IOException {
    return Action.newBuilder().setIndex(index).setGet(ProtobufUtil.toGet(new Get(b(row)))).build();
  }

  private static Condition condition(
      String row, String qualifier, CompareType comparison, String value) {
    return Condition.newBuilder()
        .setRow(Messages.wrap(b(row)))
        .setFamily(Messages.wrap(F))
        .setQualifier(Messages.wrap(b(qualifier)))
        .setCompareType(comparison)
        .setComparator(ProtobufUtil.toComparator(new BinaryComparator(b(value))))
        .build();
  }

  private static Put put(String row, String qualifier, String value) {
    return new Put(b(row)).addColumn(F, b(qualifier), b(value));
  }

  private static Cell cell(Put put) {
    org.apache.hadoop.hbase.Cell only = put.getFamilyCellMap().firstEntry().getValue().get(0);
    return CellView.toEngine(only);
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
