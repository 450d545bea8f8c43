package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.rpc.service.ClientVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResource;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResourceType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionStateTransitionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionStateTransitionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionTransitionType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ServerCrashStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.StateMachineProcedureData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the procedures and locks that represent moves of regions and deaths of servers. */
class AssignmentProceduresTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ClientVersion CLIENT = new ClientVersion(2, 6);

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void makeATable() throws IOException {
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d"));
    cluster.runUntil(cluster::isIdle);
    assertThat(procedures()).isEmpty();
    assertThat(locks()).isEmpty();
  }

  @Test
  void aMoveIsListedStepByStep() throws IOException {
    RegionStateNode node = regionAt(ONE);
    cluster.master.loop().post(() -> cluster.move(node, TWO));
    List<String> seen = new ArrayList<>();
    cluster.runUntil(
        () -> {
          String now = summary();
          if (seen.isEmpty() || !seen.get(seen.size() - 1).equals(now)) {
            seen.add(now);
          }
          return node.isAt(TWO) && node.isSettled();
        });
    assertThat(seen)
        .containsSubsequence(
            "RUNNABLE CLOSE",
            "WAITING CONFIRM_CLOSED, CloseRegionProcedure",
            "RUNNABLE OPEN",
            "WAITING CONFIRM_OPENED, OpenRegionProcedure",
            "");
  }

  @Test
  void aMovedRegionIsLockedAndItsTableIsShared() throws IOException {
    RegionStateNode node = regionAt(ONE);
    cluster.move(node, TWO);
    Procedure move = procedures().get(0);
    assertThat(move.getStateMessage(2).unpack(RegionStateTransitionStateData.class))
        .returns(RegionTransitionType.MOVE, RegionStateTransitionStateData::getType)
        .returns(TWO.message(), RegionStateTransitionStateData::getAssignCandidate);
    assertThat(locks())
        .extracting(LockedResource::getResourceType, LockedResource::getResourceName)
        .containsExactly(
            tuple(LockedResourceType.REGION, node.region().encodedName()),
            tuple(LockedResourceType.TABLE, SimulatedCluster.TABLE.toString()));
    assertThat(locks().get(0).getExclusiveLockOwnerProcedure()).isEqualTo(move);
    assertThat(locks().get(1).getSharedLockCount()).isEqualTo(1);
  }

  @Test
  void aSplitLocksItsRegionsAndSharesTheirTable() {
    RegionInfo parent = regionAt(ONE).region();
    CompletableFuture<Long> split =
        cluster.submit(
            new SplitRegionProcedure(
                cluster.active().procedureContext(),
                "user",
                parent,
                Bytes.concat(parent.startKey(), Bytes.utf8("0"))));
    cluster.runUntil(split::isDone);
    CompletableFuture<Long> waiting = cluster.submit(cluster.setEnabled(false));
    cluster.runUntil(() -> cluster.active().procedures().locks().size() == 2);
    assertThat(locks())
        .filteredOn(lock -> lock.getResourceType() == LockedResourceType.REGION)
        .hasSize(3)
        .anyMatch(lock -> lock.getResourceName().equals(parent.encodedName()))
        .allMatch(lock -> lock.getLockType() == LockType.EXCLUSIVE)
        .allMatch(lock -> lock.getExclusiveLockOwnerProcedure().getProcId() == split.join());
    assertThat(locks())
        .filteredOn(lock -> lock.getResourceType() == LockedResourceType.TABLE)
        .singleElement()
        .returns(LockType.SHARED, LockedResource::getLockType)
        .returns(1, LockedResource::getSharedLockCount);
    cluster.runUntil(waiting::isDone);
    assertThat(locks())
        .filteredOn(lock -> lock.getResourceType() == LockedResourceType.TABLE)
        .singleElement()
        .returns(LockType.EXCLUSIVE, LockedResource::getLockType)
        .returns(waiting.join(), lock -> lock.getExclusiveLockOwnerProcedure().getProcId());
  }

  @Test
  void theRecoveryOfADeadServerIsListedForAWhileAfterItsEnd() throws IOException {
    int hosted = cluster.servers.hosted.get(TWO).size();
    cluster.killServer(TWO);
    cluster.runUntil(() -> !cluster.active().members().recoveries().isEmpty());
    Procedure crash =
        procedures().stream()
            .filter(one -> one.getClassName().endsWith(".ServerCrashProcedure"))
            .findFirst()
            .orElseThrow();
    assertThat(crash.getState()).isEqualTo(ProcedureState.WAITING);
    ServerCrashStateData data = crash.getStateMessage(1).unpack(ServerCrashStateData.class);
    assertThat(data.getServerName()).isEqualTo(TWO.message());
    assertThat(data.getRegionsOnCrashedServerCount()).isEqualTo(hosted);
    assertThat(procedures()).hasSize(1 + hosted);
    assertThat(locks())
        .filteredOn(lock -> lock.getResourceType() == LockedResourceType.SERVER)
        .singleElement()
        .returns(TWO.toString(), LockedResource::getResourceName)
        .returns(crash, LockedResource::getExclusiveLockOwnerProcedure);
    cluster.runUntil(cluster::isIdle);
    assertThat(locks()).isEmpty();
    assertThat(procedures())
        .singleElement()
        .returns(crash.getProcId(), Procedure::getProcId)
        .returns(crash.getClassName(), Procedure::getClassName)
        .returns(crash.getSubmittedTime(), Procedure::getSubmittedTime)
        .returns(ProcedureState.SUCCESS, Procedure::getState);
    cluster.letTimePass(Duration.ofMinutes(16));
    assertThat(procedures()).isEmpty();
  }

  @Test
  void theResultOfAMoveIsKnown() {
    RegionStateNode node = regionAt(ONE);
    cluster.move(node, TWO);
    long id = node.transition().orElseThrow().id();
    assertThat(result(id)).isEqualTo(GetProcedureResultResponse.State.RUNNING);
    assertThat(result(id + 1_000)).isEqualTo(GetProcedureResultResponse.State.NOT_FOUND);
    cluster.runUntil(cluster::isIdle);
    assertThat(result(id)).isEqualTo(GetProcedureResultResponse.State.FINISHED);
  }

  @Test
  void theResultOfARecoveryIsKnown() {
    cluster.killServer(TWO);
    cluster.runUntil(() -> !cluster.active().members().recoveries().isEmpty());
    long id = cluster.active().members().recoveries().get(0).id();
    assertThat(result(id)).isEqualTo(GetProcedureResultResponse.State.RUNNING);
    cluster.runUntil(cluster::isIdle);
    assertThat(result(id)).isEqualTo(GetProcedureResultResponse.State.FINISHED);
  }

  private GetProcedureResultResponse.State result(long id) {
    return ProcedureMethods.unstoredResult(cluster.active(), id).getState();
  }

  @Test
  void anOldClientGetsNoDataThatItDoesNotKnow() {
    cluster.killServer(TWO);
    cluster.runUntil(() -> !procedures().isEmpty());
    assertThat(
            AssignmentProcedures.all(cluster.active(), new ClientVersion(2, 2)).stream()
                .map(Procedure::getStateMessageCount))
        .containsOnly(0);
  }

  private RegionStateNode regionAt(ServerName server) {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).stream()
        .filter(node -> node.isAt(server))
        .findFirst()
        .orElseThrow();
  }

  private List<Procedure> procedures() {
    return AssignmentProcedures.all(cluster.active(), CLIENT);
  }

  private List<LockedResource> locks() {
    return HeldLocks.all(cluster.active(), CLIENT);
  }

  /** Returns the state of the only transition, and the name of the order on its way, if any. */
  private String summary() {
    StringBuilder text = new StringBuilder();
    for (Procedure procedure : procedures()) {
      String name = procedure.getClassName();
      if (name.endsWith(".TransitRegionStateProcedure")) {
        text.append(procedure.getState()).append(' ').append(step(procedure));
      } else {
        text.append(", ").append(name.substring(name.lastIndexOf('.') + 1));
      }
    }
    return text.toString();
  }

  private static String step(Procedure procedure) {
    try {
      StateMachineProcedureData data =
          procedure.getStateMessage(0).unpack(StateMachineProcedureData.class);
      return RegionStateTransitionState.forNumber(data.getState(data.getStateCount() - 1))
          .name()
          .substring("REGION_STATE_TRANSITION_".length());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
