package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.CellView;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * Calls of {@code Multi} and {@code Mutate} on two regions in memory, as HBase's own client code
 * makes them.
 */
final class MultiCallsFixture {
  static final byte[] F = Bytes.utf8("f");

  final FakeRegion region = new FakeRegion("");
  final FakeRegion other = new FakeRegion("m");
  final HostedRegion hostedOther = other.hosted();
  final FakeCall call = new FakeCall();
  MultiCalls multis;
  MutateCalls mutates;

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final Map<String, List<Cell>> cellsOf = new HashMap<>();

  MultiCallsFixture() {
    configure(Map.of());
    for (HostedRegion each : new HostedRegion[] {region.hosted(), hostedOther}) {
      regions.beginOpening(each.info());
      regions.opened(each);
    }
  }

  /** Makes the calls anew, with these settings. */
  void configure(Map<String, String> settings) {
    CallLimits limits = CallLimits.of(new SiteConfig(settings), MemoryAccount.unlimited());
    FilterParser filters = TestFilters.parser(getClass().getClassLoader());
    NonceManager nonces = new NonceManager(clock, 60_000, 1 << 20);
    CallTimes times = new CallTimes(clock, 1_000);
    MutationDecoder mutations = new MutationDecoder(CellSizeLimit.of(FakeRegion.CELL_BYTES_MAX));
    ConditionDecoder conditions = new ConditionDecoder(filters);
    GetCalls gets = new GetCalls(regions, new QueryDecoder(filters), limits);
    CoprocessorCalls services =
        new CoprocessorCalls(
            regions,
            new MultiRowMutations(mutations, conditions, new NonceGuard(nonces)),
            RegionServices.NONE,
            times);
    multis =
        new MultiCalls(regions, gets, services, mutations, conditions, nonces, times, () -> limits);
    mutates = new MutateCalls(regions, mutations, conditions, new NonceGuard(nonces), times);
  }

  /** Sends groups of puts whose cells lie beside them, in their order. */
  MultiResponse putsAlone(RegionAction.Builder... groups) throws IOException {
    for (RegionAction.Builder group : groups) {
      for (Action action : group.getActionList()) {
        cellsOf.get(action.getMutation().getRow().toStringUtf8()).forEach(call.request::add);
      }
    }
    MultiMessage message = message(groups);
    assertThat(message.groups()).allMatch(group -> group.puts().isPresent());
    return multi(call, message);
  }

  MultiResponse multi(FakeCall from, MultiRequest request) throws IOException {
    return multi(from, MultiMessage.parse(request.toByteArray()));
  }

  MultiResponse multi(FakeCall from, MultiMessage message) throws IOException {
    return multis.multi(from, message);
  }

  static MultiMessage message(RegionAction.Builder... groups) throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (RegionAction.Builder group : groups) {
      request.addRegionAction(group);
    }
    return MultiMessage.parse(request.build().toByteArray());
  }

  static RegionAction.Builder group(FakeRegion region) {
    return RegionAction.newBuilder().setRegion(Messages.specifier(region.info));
  }

  static Action write(int index, MutationType type, Mutation mutation) throws IOException {
    return Action.newBuilder()
        .setIndex(index)
        .setMutation(ProtobufUtil.toMutation(type, mutation))
        .build();
  }

  /** Returns a put as an action whose cells come beside the message. */
  Action counted(int index, Put put) throws IOException {
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

  static Action get(int index, String row) throws IOException {
    return Action.newBuilder().setIndex(index).setGet(ProtobufUtil.toGet(new Get(b(row)))).build();
  }

  static Put put(String row, String qualifier, String value) {
    return new Put(b(row)).addColumn(F, b(qualifier), b(value));
  }

  static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
