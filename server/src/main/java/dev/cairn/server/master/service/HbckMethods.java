package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.MethodTables;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
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
 * <p>Assignments are not procedures in Cairn. A response that lists procedure ids has {@link #DONE}
 * for each region in the requested state, and, as in HBase, {@link #NONE} for each unknown region.
 */
final class HbckMethods {
  private static final Logger LOG = LoggerFactory.getLogger(HbckMethods.class);

  /** The id of a procedure that is done and forgotten. */
  static final long DONE = 0;

  /** The id for "no procedure was started". */
  static final long NONE = -1;

  private HbckMethods() {}

  static RpcService service(MasterGate gate) {
    RpcService.Builder service = RpcService.builder(MethodTables.HBCK);
    service.later(methods -> registerRepairs(methods, gate));
    service.later(methods -> registerRefused(methods, gate));
    return service.build();
  }

  private static void registerRepairs(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SetTableStateInMeta",
            MasterProtos.SetTableStateInMetaRequest.getDefaultInstance(),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              TableState.State state = request.getTableState().getState();
              return gate.<MasterProtos.GetTableStateResponse>request(
                  call,
                  (master, future) -> {
                    Tables.Table known = requireChangeable(master, table, state);
                    LOG.warn("{} sets {} from {} to {}", call.user(), table, known.state(), state);
                    master
                        .tables()
                        .set(
                            known.schema(),
                            state,
                            () ->
                                future.complete(
                                    MasterProtos.GetTableStateResponse.newBuilder()
                                        .setTableState(
                                            TableState.newBuilder().setState(known.state()))
                                        .build()));
                  });
            })
        .on(
            "Assigns",
            MasterProtos.AssignsRequest.getDefaultInstance(),
            (call, request) ->
                gate.<MasterProtos.AssignsResponse>request(
                    call,
                    (master, future) -> {
                      RequestedRegions wanted =
                          RequestedRegions.of(master, request.getRegionList());
                      for (RegionStateNode node : wanted.known()) {
                        if (!node.region().table().isMeta()) {
                          master.tables().requireEnabled(node.region().table());
                        }
                      }
                      master
                          .assignments()
                          .want(
                              wanted.known(),
                              true,
                              Completion.of(
                                  () ->
                                      future.complete(
                                          MasterProtos.AssignsResponse.newBuilder()
                                              .addAllPid(wanted.ids())
                                              .build()),
                                  future::completeExceptionally));
                    }))
        .on(
            "Unassigns",
            MasterProtos.UnassignsRequest.getDefaultInstance(),
            (call, request) ->
                gate.<MasterProtos.UnassignsResponse>request(
                    call,
                    (master, future) -> {
                      RequestedRegions wanted =
                          RequestedRegions.of(master, request.getRegionList());
                      for (RegionStateNode node : wanted.known()) {
                        RegionMethods.refuseMeta(node);
                      }
                      master
                          .assignments()
                          .want(
                              wanted.known(),
                              false,
                              Completion.of(
                                  () ->
                                      future.complete(
                                          MasterProtos.UnassignsResponse.newBuilder()
                                              .addAllPid(wanted.ids())
                                              .build()),
                                  future::completeExceptionally));
                    }))
        .on(
            "ScheduleServerCrashProcedure",
            MasterProtos.ScheduleServerCrashProcedureRequest.getDefaultInstance(),
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
            // There is no such chore, so it did not run.
            (call, request) ->
                gate.ask(
                    call,
                    master ->
                        MasterProtos.RunHbckChoreResponse.newBuilder().setRan(false).build()));
  }

  private static void registerRefused(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SetRegionStateInMeta",
            MasterProtos.SetRegionStateInMetaRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      throw new DoNotRetryIOException(
                          "The state of a region cannot be set (HBCK2: setRegionState): the master"
                              + " takes it from the region servers' reports and writes it to hbase:meta. Open"
                              + " or close the region instead (HBCK2: assigns, unassigns)");
                    }))
        .on(
            "BypassProcedure",
            MasterProtos.BypassProcedureRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      throw new DoNotRetryIOException(
                          "Procedures cannot be bypassed (HBCK2: bypass): the master retries each step"
                              + " until it succeeds, also after a restart, so every procedure ends by itself."
                              + " See list_procedures and the server's log for the cause of a delay");
                    }))
        .on(
            "FixMeta",
            MasterProtos.FixMetaRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      throw new DoNotRetryIOException(
                          "hbase:meta needs no repair of holes and overlaps (HBCK2: fixMeta): splits"
                              + " and merges change it in one atomic write. If files of hbase:meta are"
                              + " damaged, restore them from a backup");
                    }));
  }

  /** The regions that a request names. */
  private record RequestedRegions(List<RegionStateNode> known, List<Long> ids) {
    static RequestedRegions of(ActiveMaster master, List<RegionSpecifier> specifiers)
        throws IOException {
      List<RegionStateNode> known = new ArrayList<>();
      List<Long> ids = new ArrayList<>();
      for (RegionSpecifier specifier : specifiers) {
        Optional<RegionStateNode> node =
            RegionMethods.find(master, specifier.getValue().toByteArray());
        if (node.isPresent() && node.get().isHeld()) {
          throw new PleaseHoldException(node.get().region() + " is being split, merged or emptied");
        }
        node.ifPresent(known::add);
        ids.add(node.isPresent() ? DONE : NONE);
      }
      return new RequestedRegions(known, ids);
    }
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
    // The master recovers dead servers without a request.
    return master.members().isRecovering(server) ? NONE : DONE;
  }
}
