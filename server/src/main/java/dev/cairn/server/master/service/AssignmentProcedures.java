package dev.cairn.server.master.service;

import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.assignment.RegionTransition;
import dev.cairn.server.master.members.EndedRecoveries;
import dev.cairn.server.master.members.ServerManager.Recovery;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.recovery.LogRecoveries.OpenOrder;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.walsplit.SplitOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CloseRegionProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.OpenRegionProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionRemoteProcedureBaseState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionRemoteProcedureBaseStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionStateTransitionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionStateTransitionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ServerCrashState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ServerCrashStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ServerRemoteProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitWALRemoteData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.StateMachineProcedureData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Describes what the master does without a stored procedure as the procedures that HBase has for
 * it: assignments of regions, orders to region servers, recoveries of dead servers. Only recoveries
 * are listed after their end, for a while. Called by the loop's owner.
 */
final class AssignmentProcedures {
  private static final String ASSIGNMENT = "org.apache.hadoop.hbase.master.assignment.";
  private static final String CRASH =
      "org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure";

  private static final String SPLIT =
      "org.apache.hadoop.hbase.master.procedure.SplitWALRemoteProcedure";

  /** The user in whose name HBase's master does the same. */
  private static final String OWNER = "hbase";

  private AssignmentProcedures() {}

  /** Returns the procedures for a client of a version, ordered by id. */
  static List<Procedure> all(ActiveMaster master, ClientVersion client) {
    List<Procedure> procedures = new ArrayList<>();
    for (RegionStateNode node : master.assignments().all()) {
      if (node.transition().isPresent()) {
        procedures.add(transition(node, node.transition().get(), client));
        node.order()
            .ifPresent(
                order -> procedures.add(order(node, node.transition().get(), order, client)));
      }
    }
    for (Recovery recovery : master.members().recoveries()) {
      procedures.add(crash(master, recovery, client));
    }
    for (EndedRecoveries.Ended recovery : master.members().endedRecoveries()) {
      procedures.add(ended(recovery, client));
    }
    for (OpenOrder order : master.recoveries().openOrders()) {
      procedures.add(split(master, order, client));
    }
    procedures.sort(Comparator.comparingLong(Procedure::getProcId));
    return procedures;
  }

  /** Tells whether a procedure with this id is under way. */
  static boolean isUnderWay(ActiveMaster master, long id) {
    return master.assignments().all().stream()
            .anyMatch(
                node ->
                    node.transition().filter(transition -> transition.id() == id).isPresent()
                        || node.order().filter(order -> order.id() == id).isPresent())
        || master.members().recoveries().stream().anyMatch(recovery -> recovery.id() == id)
        || master.recoveries().openOrders().stream()
            .anyMatch(order -> order.order().token().order() == id);
  }

  /** Returns the procedure that brings a region to its goal. */
  static Procedure transition(
      RegionStateNode node, RegionTransition transition, ClientVersion client) {
    RegionStateTransitionStateData.Builder data =
        RegionStateTransitionStateData.newBuilder()
            .setType(transition.type())
            .setForceNewPlan(false)
            .setEvictCache(false)
            .setIsSplit(false);
    node.target().ifPresent(server -> data.setAssignCandidate(server.message()));
    StateMachineProcedureData.Builder states = StateMachineProcedureData.newBuilder();
    states(node).forEach(state -> states.addState(state.getNumber()));
    return procedure(
        ASSIGNMENT + "TransitRegionStateProcedure",
        transition.id(),
        transition.sinceMillis(),
        Math.max(transition.sinceMillis(), node.changedMillis()),
        progress(node),
        client,
        states.build(),
        Messages.message(node.region()),
        data.build());
  }

  private static ProcedureState progress(RegionStateNode node) {
    if (node.state() == State.FAILED_OPEN) {
      return ProcedureState.WAITING_TIMEOUT;
    }
    return node.order().isPresent() || node.state() == State.ABNORMALLY_CLOSED
        ? ProcedureState.WAITING
        : ProcedureState.RUNNABLE;
  }

  /** Returns the steps that are done and the one under way. */
  private static List<RegionStateTransitionState> states(RegionStateNode node) {
    RegionStateTransitionState close = RegionStateTransitionState.REGION_STATE_TRANSITION_CLOSE;
    RegionStateTransitionState open = RegionStateTransitionState.REGION_STATE_TRANSITION_OPEN;
    RegionStateTransitionState place =
        RegionStateTransitionState.REGION_STATE_TRANSITION_GET_ASSIGN_CANDIDATE;
    return switch (node.state()) {
      case OPENING ->
          node.order().isPresent()
              ? List.of(
                  place, open, RegionStateTransitionState.REGION_STATE_TRANSITION_CONFIRM_OPENED)
              : List.of(place, open);
      case CLOSING ->
          node.order().isPresent()
              ? List.of(close, RegionStateTransitionState.REGION_STATE_TRANSITION_CONFIRM_CLOSED)
              : List.of(close);
      case OPEN -> List.of(close);
      default ->
          node.isWantedOpen()
              ? List.of(place)
              : List.of(close, RegionStateTransitionState.REGION_STATE_TRANSITION_CONFIRM_CLOSED);
    };
  }

  private static Procedure order(
      RegionStateNode node,
      RegionTransition transition,
      RegionTransition.Order order,
      ClientVersion client) {
    RegionRemoteProcedureBaseStateData.Builder base =
        RegionRemoteProcedureBaseStateData.newBuilder()
            .setRegion(Messages.message(node.region()))
            .setState(
                node.isPublishing()
                    ? RegionRemoteProcedureBaseState.REGION_REMOTE_PROCEDURE_REPORT_SUCCEED
                    : RegionRemoteProcedureBaseState.REGION_REMOTE_PROCEDURE_DISPATCH);
    node.server().ifPresent(server -> base.setTargetServer(server.message()));
    boolean opens = node.state() == State.OPENING;
    return procedure(
            ASSIGNMENT + (opens ? "OpenRegionProcedure" : "CloseRegionProcedure"),
            order.id(),
            order.sinceMillis(),
            order.sinceMillis(),
            ProcedureState.RUNNABLE,
            client,
            base.build(),
            opens
                ? OpenRegionProcedureStateData.getDefaultInstance()
                : CloseRegionProcedureStateData.getDefaultInstance())
        .toBuilder()
        .setParentId(transition.id())
        .build();
  }

  /** Returns the procedure that recovers the log of a dead server. */
  static Procedure crash(ActiveMaster master, Recovery recovery, ClientVersion client) {
    ServerCrashStateData.Builder data =
        ServerCrashStateData.newBuilder()
            .setServerName(recovery.server().message())
            .setShouldSplitWal(true);
    boolean meta = false;
    for (RegionStateNode node : master.assignments().all()) {
      if (node.isAt(recovery.server()) && node.state() == State.ABNORMALLY_CLOSED) {
        meta |= node.region().table().isMeta();
        data.addRegionsOnCrashedServer(Messages.message(node.region()));
      }
    }
    ServerCrashState state =
        meta
            ? ServerCrashState.SERVER_CRASH_SPLIT_META_LOGS
            : ServerCrashState.SERVER_CRASH_SPLIT_LOGS;
    return procedure(
        CRASH,
        recovery.id(),
        recovery.sinceMillis(),
        recovery.sinceMillis(),
        ProcedureState.WAITING,
        client,
        StateMachineProcedureData.newBuilder()
            .addState(ServerCrashState.SERVER_CRASH_START_VALUE)
            .addState(state.getNumber())
            .build(),
        data.setCarryingMeta(meta).build());
  }

  /** Returns the procedure that has recovered the log of a dead server. */
  private static Procedure ended(EndedRecoveries.Ended ended, ClientVersion client) {
    Recovery recovery = ended.recovery();
    return procedure(
        CRASH,
        recovery.id(),
        recovery.sinceMillis(),
        ended.endMillis(),
        ProcedureState.SUCCESS,
        client,
        StateMachineProcedureData.newBuilder()
            .addState(ServerCrashState.SERVER_CRASH_FINISH_VALUE)
            .build(),
        ServerCrashStateData.newBuilder()
            .setServerName(recovery.server().message())
            .setShouldSplitWal(true)
            .build());
  }

  /** Returns the procedure in which a region server splits a part of a dead server's log. */
  private static Procedure split(ActiveMaster master, OpenOrder open, ClientVersion client) {
    SplitOrder order = open.order();
    Procedure.Builder procedure =
        procedure(
            SPLIT,
            order.token().order(),
            open.sinceMillis(),
            open.sinceMillis(),
            ProcedureState.WAITING,
            client,
            SplitWALRemoteData.newBuilder()
                .setWalPath(order.path())
                .setCrashedServer(order.dead().message())
                .setWorker(open.worker().message())
                .setState(ServerRemoteProcedureState.SERVER_REMOTE_PROCEDURE_DISPATCH)
                .build())
            .toBuilder();
    master.members().recoveries().stream()
        .filter(recovery -> recovery.server().equals(order.dead()))
        .forEach(recovery -> procedure.setParentId(recovery.id()));
    return procedure.build();
  }

  private static Procedure procedure(
      String className,
      long id,
      long sinceMillis,
      long updatedMillis,
      ProcedureState state,
      ClientVersion client,
      Message... data) {
    Procedure.Builder procedure =
        Procedure.newBuilder()
            .setClassName(className)
            .setProcId(id)
            .setSubmittedTime(sinceMillis)
            .setLastUpdate(updatedMillis)
            .setOwner(OWNER)
            .setState(state);
    // An older client fails on a message type that it does not know.
    if (client.isAtLeast(2, 4)) {
      for (Message message : data) {
        procedure.addStateMessage(ProcedureRecord.pack(message));
      }
    }
    return procedure.build();
  }
}
