package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterLoop.Completion;
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
 * {@code HbckService}, by which HBCK2 repairs a cluster. The repairs that mean something here are
 * done; each other one is refused with the reason why it is not needed.
 *
 * <p>Assignments are not procedures here. An answer that lists procedure ids has {@link #DONE} for
 * a region that is as it was asked for, and, as in HBase, {@link #NONE} for one that is not known.
 */
final class HbckMethods {
  private static final Logger LOG = LoggerFactory.getLogger(HbckMethods.class);

  /** Stands for a procedure that is done and that nobody knows any more. */
  static final long DONE = 0;

  /** Stands for a procedure that was not begun. */
  static final long NONE = -1;

  private HbckMethods() {}

  static RpcService service(MasterGate gate) {
    RpcService.Builder service =
        RpcService.builder("HbckService", MasterProtos.HbckService::getDescriptor);
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
              TableName table = TableChecks.name(request.getTableName());
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
                      Wanted wanted = Wanted.of(master, request.getRegionList());
                      for (RegionNode node : wanted.known()) {
                        if (!node.region.table().isMeta()) {
                          master.tables().requireEnabled(node.region.table());
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
                      Wanted wanted = Wanted.of(master, request.getRegionList());
                      for (RegionNode node : wanted.known()) {
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
            // A master that starts takes all servers that are not alive for dead, also those that
            // only hbase:meta names: none is unknown.
            (call, request) ->
                gate.ask(
                    call,
                    master ->
                        MasterProtos.ScheduleSCPsForUnknownServersResponse.getDefaultInstance()))
        .on(
            "RunHbckChore",
            MasterProtos.RunHbckChoreRequest.getDefaultInstance(),
            // There is no such chore, and so it did not run.
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
                              + " goes by what the region servers report, and writes it to"
                              + " hbase:meta itself. Have the region opened or closed (HBCK2:"
                              + " assigns, unassigns)");
                    }))
        .on(
            "BypassProcedure",
            MasterProtos.BypassProcedureRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      throw new DoNotRetryIOException(
                          "Procedures cannot be bypassed (HBCK2: bypass): each step is repeated"
                              + " until it is done, also after a restart, and the procedure ends"
                              + " by itself. list_procedures and the server's log say what it"
                              + " waits for");
                    }))
        .on(
            "FixMeta",
            MasterProtos.FixMetaRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      throw new DoNotRetryIOException(
                          "hbase:meta is not repaired on request (HBCK2: fixMeta): splits and"
                              + " merges change it in one write, which leaves no holes and no"
                              + " overlaps");
                    }));
  }

  /** The regions that a request names. */
  private record Wanted(List<RegionNode> known, List<Long> ids) {
    static Wanted of(ActiveMaster master, List<RegionSpecifier> specifiers) throws IOException {
      List<RegionNode> known = new ArrayList<>();
      List<Long> ids = new ArrayList<>();
      for (RegionSpecifier specifier : specifiers) {
        Optional<RegionNode> node = RegionMethods.find(master, specifier.getValue().toByteArray());
        if (node.isPresent() && node.get().held) {
          throw new PleaseHoldException(node.get().region + " is being split, merged or emptied");
        }
        node.ifPresent(known::add);
        ids.add(node.isPresent() ? DONE : NONE);
      }
      return new Wanted(known, ids);
    }
  }

  /** Returns the table if its state may be set. */
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
              + ": nothing would bring it to an end");
    }
    if (master.procedures().isBusy(TableResource.of(table))) {
      throw new DoNotRetryIOException(
          "A procedure is changing the table " + table + "; wait for its end (list_procedures)");
    }
    return known;
  }

  /** Answers whoever says that a server has crashed. */
  private static long crashed(ActiveMaster master, ServerName server) throws IOException {
    if (master.servers().isLive(server)) {
      throw new DoNotRetryIOException(
          "The region server "
              + server
              + " is alive (HBCK2: scheduleRecoveries). Stop it; its regions are recovered when it"
              + " is gone");
    }
    // What dead servers left is recovered without being asked for.
    return master.members().isRecovering(server) ? NONE : DONE;
  }
}
