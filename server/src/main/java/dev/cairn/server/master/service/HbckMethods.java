package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.assignment.RegionTransition;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AssignsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AssignsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BypassProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FixMetaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FixMetaResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableStateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RegionSpecifierAndState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RunHbckChoreRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RunHbckChoreResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ScheduleSCPsForUnknownServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ScheduleSCPsForUnknownServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ScheduleServerCrashProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ScheduleServerCrashProcedureResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetRegionStateInMetaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetRegionStateInMetaResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetTableStateInMetaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.UnassignsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.UnassignsResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements {@code HbckService}, which HBCK2 uses to repair a cluster. Repairs that apply to Cairn
 * are done; all others are refused with the reason why they are not needed.
 *
 * <p>A response that lists procedure ids has, as in HBase, {@link #NONE} for each unknown region.
 * {@code getProcedureResult} knows all other ids.
 */
final class HbckMethods {
  private static final Logger LOG = LoggerFactory.getLogger(HbckMethods.class);

  /** The id for "no procedure was started". */
  static final long NONE = -1;

  private HbckMethods() {}

  static RpcService service(MasterGate gate, List<CallInterceptor> interceptors) {
    return RpcService.builder(MethodTables.HBCK, interceptors)
        .later(methods -> registerRepairs(new MethodGroup(methods, gate)))
        .later(methods -> registerRefused(new MethodGroup(methods, gate)))
        .build();
  }

  private static void registerRepairs(MethodGroup rpc) {
    rpc.table(
            "SetTableStateInMeta",
            SetTableStateInMetaRequest.getDefaultInstance(),
            r -> r.getTableName())
        .handle((call, r) -> setState(rpc.gate(), call, r));
    rpc.regions("Assigns", AssignsRequest.getDefaultInstance(), r -> r.getRegionList())
        .ask(
            (master, r) -> {
              RequestedRegions wanted = RequestedRegions.of(master, r.getRegionList());
              for (RegionStateNode node : wanted.known()) {
                if (!node.region().table().isMeta()) {
                  master.tables().requireEnabled(node.region().table());
                }
              }
              return AssignsResponse.newBuilder().addAllPid(wanted.begin(master, true)).build();
            });
    rpc.regions("Unassigns", UnassignsRequest.getDefaultInstance(), r -> r.getRegionList())
        .ask(
            (master, r) -> {
              RequestedRegions wanted = RequestedRegions.of(master, r.getRegionList());
              for (RegionStateNode node : wanted.known()) {
                RegionMethods.refuseMeta(node);
              }
              return UnassignsResponse.newBuilder().addAllPid(wanted.begin(master, false)).build();
            });
    rpc.cluster(
            "ScheduleServerCrashProcedure",
            ScheduleServerCrashProcedureRequest.getDefaultInstance())
        .ask(
            (master, r) -> {
              var response = ScheduleServerCrashProcedureResponse.newBuilder();
              for (HBaseProtos.ServerName server : r.getServerNameList()) {
                response.addPid(crashed(master, ServerName.of(server)));
              }
              return response.build();
            });
    // A starting master treats every server that is not alive as dead, even if only hbase:meta
    // names it. So no server is unknown.
    rpc.cluster(
            "ScheduleSCPsForUnknownServers",
            ScheduleSCPsForUnknownServersRequest.getDefaultInstance())
        .ask((master, r) -> ScheduleSCPsForUnknownServersResponse.getDefaultInstance());
    rpc.cluster("RunHbckChore", RunHbckChoreRequest.getDefaultInstance())
        .<RunHbckChoreResponse>begin(
            (master, r, future) -> {
              boolean ran = !master.healer().isLooking();
              master
                  .healer()
                  .look(
                      () -> future.complete(RunHbckChoreResponse.newBuilder().setRan(ran).build()));
            });
    // The same check mends what it finds; the report says what that was.
    rpc.cluster("FixMeta", FixMetaRequest.getDefaultInstance())
        .complete(
            FixMetaResponse.getDefaultInstance(),
            (master, r, completion) -> master.healer().look(completion::done));
  }

  private static void registerRefused(MethodGroup rpc) {
    rpc.regions(
            "SetRegionStateInMeta",
            SetRegionStateInMetaRequest.getDefaultInstance(),
            r ->
                r.getStatesList().stream()
                    .map(RegionSpecifierAndState::getRegionSpecifier)
                    .toList())
        .ask((master, r) -> setStates(master, r.getStatesList()));
    rpc.cluster("BypassProcedure", BypassProcedureRequest.getDefaultInstance())
        .ask(
            (master, r) -> {
              throw new DoNotRetryIOException(
                  "Procedures cannot be bypassed (HBCK2: bypass): the master retries each step"
                      + " until it succeeds, also after a restart, so every procedure ends by"
                      + " itself. See list_procedures and the server's log for the cause of a"
                      + " delay");
            });
  }

  private static GetTableStateResponse setState(
      MasterGate gate, RpcCall call, SetTableStateInMetaRequest request) throws IOException {
    TableName table = TableDescriptorChecker.name(request.getTableName());
    TableState.State state = request.getTableState().getState();
    return gate.<GetTableStateResponse>request(
        call,
        (master, future) -> {
          Tables.Table known = requireChangeable(master, table, state);
          LOG.info("{} sets {} from {} to {}", call.user(), table, known.state(), state);
          GetTableStateResponse before =
              GetTableStateResponse.newBuilder()
                  .setTableState(TableState.newBuilder().setState(known.state()))
                  .build();
          master
              .tables()
              .set(
                  known.schema(),
                  state,
                  Completion.of(() -> future.complete(before), future::completeExceptionally));
        });
  }

  /** The regions that a request names; empty for each that is not known. */
  private record RequestedRegions(List<Optional<RegionStateNode>> regions) {
    static RequestedRegions of(ActiveMaster master, List<RegionSpecifier> specifiers)
        throws IOException {
      List<Optional<RegionStateNode>> regions = new ArrayList<>();
      for (RegionSpecifier specifier : specifiers) {
        Optional<RegionStateNode> node =
            RegionMethods.find(master, specifier.getValue().toByteArray());
        if (node.isPresent()) {
          RegionMethods.refuseHeld(node.get());
        }
        regions.add(node);
      }
      return new RequestedRegions(regions);
    }

    List<RegionStateNode> known() {
      return regions.stream().flatMap(Optional::stream).toList();
    }

    /**
     * Sets the goal of the regions to open or closed. Returns the ids of the procedures that begin.
     */
    List<Long> begin(ActiveMaster master, boolean open) {
      List<RegionStateNode> known = known();
      master.assignments().want(known, open, Completion.UNHEARD);
      return regions.stream()
          .map(
              region ->
                  region
                      .map(
                          node ->
                              node.transition()
                                  .map(RegionTransition::id)
                                  // The region is in that state already, so its procedure ends as
                                  // it begins.
                                  .orElseGet(master::nextProcedure))
                      .orElse(NONE))
          .toList();
    }
  }

  /** Sets the states of regions, if each region has its state or can get it. */
  private static SetRegionStateInMetaResponse setStates(
      ActiveMaster master, List<RegionSpecifierAndState> wanted) throws IOException {
    SetRegionStateInMetaResponse.Builder response = SetRegionStateInMetaResponse.newBuilder();
    List<RegionStateNode> closed = new ArrayList<>();
    for (RegionSpecifierAndState one : wanted) {
      byte[] name = one.getRegionSpecifier().getValue().toByteArray();
      RegionStateNode node = master.assignments().requireNamed(name);
      if (node.region().table().isMeta()) {
        throw new DoNotRetryIOException(
            "The state of hbase:meta cannot be set (HBCK2: setRegionState): it is always open");
      }
      RegionMethods.refuseHeld(node);
      State state = one.getState();
      if (state != node.state()) {
        if (state != State.CLOSED || node.openServer().isPresent() || isOrdered(node)) {
          throw new DoNotRetryIOException(
              ("%s is %s and cannot be set to %s (HBCK2: setRegionState): the master takes states"
                      + " from the region servers' reports. Open or close the region instead"
                      + " (HBCK2: assigns, unassigns)")
                  .formatted(node.region().regionNameAsString(), node.state(), state));
        }
        closed.add(node);
      }
      response.addStates(
          RegionSpecifierAndState.newBuilder()
              .setRegionSpecifier(one.getRegionSpecifier())
              .setState(node.state()));
    }
    // To close a region that is at no server, the master stops opening it.
    master.assignments().want(closed, false, Completion.UNHEARD);
    return response.build();
  }

  /** Tells whether a server has, or had, the order to open or close a region. */
  private static boolean isOrdered(RegionStateNode node) {
    return node.state() == State.OPENING || node.state() == State.CLOSING;
  }

  /** Returns the table, if its state may be set. */
  private static Tables.Table requireChangeable(
      ActiveMaster master, TableName table, TableState.State state) throws IOException {
    Tables.Table known = master.tables().require(table);
    if (table.isMeta()) {
      throw new DoNotRetryIOException("hbase:meta is always enabled");
    }
    if (state != TableState.State.ENABLED && state != TableState.State.DISABLED) {
      throw new DoNotRetryIOException(
          "The state of a table can be set to ENABLED or DISABLED (HBCK2: setTableState), not to "
              + state
              + ", because no procedure would complete that state");
    }
    if (master.procedures().isBusy(TableResource.of(table))) {
      throw new DoNotRetryIOException(
          "A procedure is changing the table "
              + table
              + "; wait until it ends (shell: list_procedures)");
    }
    return known;
  }

  /** Returns the procedure id for a server that a client reports as crashed. */
  private static long crashed(ActiveMaster master, ServerName server) throws IOException {
    if (master.servers().isLive(server)) {
      throw new DoNotRetryIOException(
          "The region server "
              + server
              + " is alive (HBCK2: scheduleRecoveries). Stop it; the master then recovers its"
              + " regions");
    }
    // As in HBase, nothing begins if a recovery is under way. The master recovers dead servers
    // without a request, so for all others it has ended.
    return master.members().isRecovering(server) ? NONE : master.nextProcedure();
  }
}
