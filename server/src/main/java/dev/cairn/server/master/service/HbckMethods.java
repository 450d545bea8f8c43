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
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
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
    RpcService.Builder service = RpcService.builder(MethodTables.HBCK, interceptors);
    service.later(methods -> registerRepairs(methods, gate));
    service.later(methods -> registerRefused(methods, gate));
    return service.build();
  }

  private static void registerRepairs(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SetTableStateInMeta",
            MasterProtos.SetTableStateInMetaRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              TableState.State state = request.getTableState().getState();
              return gate.<MasterProtos.GetTableStateResponse>request(
                  call,
                  (master, future) -> {
                    Tables.Table known = requireChangeable(master, table, state);
                    LOG.info("{} sets {} from {} to {}", call.user(), table, known.state(), state);
                    master
                        .tables()
                        .set(
                            known.schema(),
                            state,
                            Completion.of(
                                () ->
                                    future.complete(
                                        MasterProtos.GetTableStateResponse.newBuilder()
                                            .setTableState(
                                                TableState.newBuilder().setState(known.state()))
                                            .build()),
                                future::completeExceptionally));
                  });
            })
        .on(
            "Assigns",
            MasterProtos.AssignsRequest.getDefaultInstance(),
            (call, request) -> CallSubject.regions(request.getRegionList()),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      RequestedRegions wanted =
                          RequestedRegions.of(master, request.getRegionList());
                      for (RegionStateNode node : wanted.known()) {
                        if (!node.region().table().isMeta()) {
                          master.tables().requireEnabled(node.region().table());
                        }
                      }
                      return MasterProtos.AssignsResponse.newBuilder()
                          .addAllPid(wanted.begin(master, true))
                          .build();
                    }))
        .on(
            "Unassigns",
            MasterProtos.UnassignsRequest.getDefaultInstance(),
            (call, request) -> CallSubject.regions(request.getRegionList()),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      RequestedRegions wanted =
                          RequestedRegions.of(master, request.getRegionList());
                      for (RegionStateNode node : wanted.known()) {
                        RegionMethods.refuseMeta(node);
                      }
                      return MasterProtos.UnassignsResponse.newBuilder()
                          .addAllPid(wanted.begin(master, false))
                          .build();
                    }))
        .on(
            "ScheduleServerCrashProcedure",
            MasterProtos.ScheduleServerCrashProcedureRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      List<Long> ids = new ArrayList<>();
                      for (HBaseProtos.ServerName server : request.getServerNameList()) {
                        ids.add(crashed(master, ServerName.of(server)));
                      }
                      return MasterProtos.ScheduleServerCrashProcedureResponse.newBuilder()
                          .addAllPid(ids)
                          .build();
                    }))
        .on(
            "ScheduleSCPsForUnknownServers",
            MasterProtos.ScheduleSCPsForUnknownServersRequest.getDefaultInstance(),
            CallSubject::cluster,
            // A starting master treats every server that is not alive as dead, even if only
            // hbase:meta names it. So no server is unknown.
            (call, request) ->
                gate.ask(
                    call,
                    master ->
                        MasterProtos.ScheduleSCPsForUnknownServersResponse.getDefaultInstance()))
        .on(
            "RunHbckChore",
            MasterProtos.RunHbckChoreRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.<MasterProtos.RunHbckChoreResponse>request(
                    call,
                    (master, future) -> {
                      boolean ran = !master.healer().isLooking();
                      master
                          .healer()
                          .look(
                              () ->
                                  future.complete(
                                      MasterProtos.RunHbckChoreResponse.newBuilder()
                                          .setRan(ran)
                                          .build()));
                    }))
        .on(
            "FixMeta",
            MasterProtos.FixMetaRequest.getDefaultInstance(),
            CallSubject::cluster,
            // The same check mends what it finds; the report says what that was.
            (call, request) ->
                gate.<MasterProtos.FixMetaResponse>request(
                    call,
                    (master, future) ->
                        master
                            .healer()
                            .look(
                                () ->
                                    future.complete(
                                        MasterProtos.FixMetaResponse.getDefaultInstance()))));
  }

  private static void registerRefused(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SetRegionStateInMeta",
            MasterProtos.SetRegionStateInMetaRequest.getDefaultInstance(),
            (call, request) ->
                CallSubject.regions(
                    request.getStatesList().stream()
                        .map(MasterProtos.RegionSpecifierAndState::getRegionSpecifier)
                        .toList()),
            (call, request) -> gate.ask(call, master -> setStates(master, request.getStatesList())))
        .on(
            "BypassProcedure",
            MasterProtos.BypassProcedureRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      throw new DoNotRetryIOException(
                          "Procedures cannot be bypassed (HBCK2: bypass): the master retries each"
                              + " step until it succeeds, also after a restart, so every procedure"
                              + " ends by itself. See list_procedures and the server's log for the"
                              + " cause of a delay");
                    }));
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
          refuseHeld(node.get());
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
      master.assignments().want(known, open, Completion.of(() -> {}, cause -> {}));
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

  private static void refuseHeld(RegionStateNode node) throws PleaseHoldException {
    if (node.isHeld()) {
      throw new PleaseHoldException(node.region() + " is being split, merged or emptied");
    }
  }

  /** Sets the states of regions, if each region has its state or can get it. */
  private static MasterProtos.SetRegionStateInMetaResponse setStates(
      ActiveMaster master, List<MasterProtos.RegionSpecifierAndState> wanted) throws IOException {
    MasterProtos.SetRegionStateInMetaResponse.Builder response =
        MasterProtos.SetRegionStateInMetaResponse.newBuilder();
    List<RegionStateNode> closed = new ArrayList<>();
    for (MasterProtos.RegionSpecifierAndState one : wanted) {
      byte[] name = one.getRegionSpecifier().getValue().toByteArray();
      RegionStateNode node =
          RegionMethods.find(master, name).orElseThrow(() -> RegionMethods.unknown(name));
      if (node.region().table().isMeta()) {
        throw new DoNotRetryIOException(
            "The state of hbase:meta cannot be set (HBCK2: setRegionState): it is always open");
      }
      refuseHeld(node);
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
          MasterProtos.RegionSpecifierAndState.newBuilder()
              .setRegionSpecifier(one.getRegionSpecifier())
              .setState(node.state()));
    }
    // To close a region that is at no server, the master stops opening it.
    master.assignments().want(closed, false, Completion.of(() -> {}, cause -> {}));
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
