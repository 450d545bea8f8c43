package dev.cairn.server.master.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks of clients and procedures exclude each other. */
class ClientLocksTest {
  private static final RegionInfo LOWER =
      new RegionInfo(SimulatedCluster.TABLE, Bytes.EMPTY, Bytes.utf8("m"), 1);
  private static final RegionInfo UPPER =
      new RegionInfo(SimulatedCluster.TABLE, Bytes.utf8("m"), Bytes.EMPTY, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void start() throws Exception {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
  }

  @Test
  void aProcedureWaitsForTheLockOnItsTable() {
    long lock = request(onTable(LockType.EXCLUSIVE));
    assertThat(locks().heartbeat(lock)).isTrue();
    CompletableFuture<Long> id = cluster.submit(cluster.createTable());
    letPass(SimulatedCluster.LOCK_TIMEOUT.dividedBy(2));
    assertThat(id).isNotDone();
    release(lock);
    cluster.runUntil(() -> id.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(1);
    assertThat(locks().heartbeat(lock)).isFalse();
  }

  /** The client of the earlier lock does not know yet that the master was replaced. */
  @Test
  void aLockOfAnEarlierMasterIsNotTheLockOfAnotherClient() throws Exception {
    for (int i = 0; i < 100; i++) {
      release(request(onTable(LockType.EXCLUSIVE)));
    }
    long earlier = request(onTable(LockType.EXCLUSIVE));
    cluster.killMaster();
    cluster.startUp();
    long later = request(onTable(LockType.EXCLUSIVE));
    assertThat(later).isGreaterThan(earlier);
    assertThat(locks().heartbeat(earlier)).isFalse();
    release(earlier);
    assertThat(locks().heartbeat(later)).isTrue();
  }

  @Test
  void aLockWaitsForTheProcedureOnItsTable() {
    CompletableFuture<Long> id = cluster.submit(cluster.createTable());
    cluster.runUntil(id::isDone);
    long lock = request(onTable(LockType.EXCLUSIVE));
    assertThat(locks().heartbeat(lock)).isFalse();
    cluster.runUntil(cluster::isIdle);
    assertThat(locks().heartbeat(lock)).isTrue();
  }

  @Test
  void aLockDoesNotOvertakeAProcedureThatWaits() {
    long first = request(onTable(LockType.EXCLUSIVE));
    CompletableFuture<Long> id = submitWaiting();
    long late = request(onTable(LockType.EXCLUSIVE));
    release(first);
    assertThat(locks().heartbeat(late)).isFalse();
    cluster.runUntil(() -> id.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(1);
    assertThat(locks().heartbeat(late)).isTrue();
  }

  @Test
  void sharedLocksThatOverlapDoNotKeepAProcedureFromItsTable() {
    long held = request(onTable(LockType.SHARED));
    CompletableFuture<Long> id = submitWaiting();
    long next = request(onTable(LockType.SHARED));
    long last = request(onNamespace(LockType.EXCLUSIVE));
    assertThat(locks().heartbeat(next)).isFalse();
    release(held);
    assertThat(locks().heartbeat(next)).isFalse();
    cluster.runUntil(() -> id.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(1);
    assertThat(locks().heartbeat(next)).isTrue();
    assertThat(locks().heartbeat(last)).isFalse();
  }

  @Test
  void aProcedureDoesNotOvertakeALockThatWaits() {
    CompletableFuture<Long> first = cluster.submit(cluster.createTable());
    cluster.runUntil(first::isDone);
    long lock = request(onTable(LockType.EXCLUSIVE));
    CompletableFuture<Long> second = submitWaiting(cluster.setEnabled(false));
    cluster.runUntil(() -> locks().heartbeat(lock));
    assertThat(second).isNotDone();
    release(lock);
    cluster.runUntil(() -> second.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).isEmpty();
  }

  @Test
  void aMasterThatEndsDoesNotWaitForProceduresThatWaitForALock() {
    cluster.runUntil(cluster::isIdle);
    long lock = request(onTable(LockType.EXCLUSIVE));
    CompletableFuture<Long> first = submitWaiting();
    CompletableFuture<Long> second = submitWaiting(cluster.setEnabled(false));
    AtomicInteger ends = new AtomicInteger();
    cluster.active().procedures().end(ends::incrementAndGet);
    assertThat(ends).hasValue(1);
    assertThat(first).isCompletedExceptionally();
    assertThatThrownBy(second::join).hasCauseInstanceOf(PleaseHoldException.class);
    release(lock);
    letPass(SimulatedCluster.LOCK_TIMEOUT);
    assertThat(ends).hasValue(1);
    assertThat(cluster.openRegions()).isEmpty();
    assertThat(cluster.active().procedures().all()).allMatch(ProcedureRecord::isDone);
  }

  @Test
  void aMasterThatEndsRefusesWhatWaitsAndWaitsForWhatHasBegun() {
    CompletableFuture<Long> begun = cluster.submit(cluster.createTable());
    cluster.runUntil(begun::isDone);
    CompletableFuture<Long> waiting = submitWaiting(cluster.setEnabled(false));
    AtomicInteger ends = new AtomicInteger();
    cluster.active().procedures().end(ends::incrementAndGet);
    assertThat(ends).hasValue(0);
    assertThatThrownBy(waiting::join).hasCauseInstanceOf(PleaseHoldException.class);
    cluster.runUntil(() -> ends.get() > 0);
    assertThat(ends).hasValue(1);
    assertThat(cluster.openRegions()).hasSize(1);
  }

  @Test
  void aProcedureThatWaitsIsRefusedOnRequest() {
    Optional<Nonce> nonce = Nonce.of(1, 2);
    long lock = request(onTable(LockType.SHARED));
    CompletableFuture<Long> refused = submitWaiting(cluster.createTable(), nonce);
    long next = request(onTable(LockType.SHARED));
    assertThat(locks().heartbeat(next)).isFalse();
    assertThat(cluster.active().procedures().abort(lock + 1)).isTrue();
    assertThatThrownBy(refused::join).hasStackTraceContaining("aborted on request");
    assertThat(locks().heartbeat(next)).isTrue();
    assertThat(cluster.active().procedures().abort(lock + 1)).isFalse();

    CompletableFuture<Long> repeated = submitWaiting(cluster.createTable(), nonce);
    release(lock);
    release(next);
    cluster.runUntil(() -> repeated.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(1);
  }

  @Test
  void sharedLocksGoTogetherAndExcludeProcedures() {
    long first = request(onTable(LockType.SHARED));
    long second = request(onTable(LockType.SHARED));
    long alone = request(onTable(LockType.EXCLUSIVE));
    assertThat(locks().heartbeat(first)).isTrue();
    assertThat(locks().heartbeat(second)).isTrue();
    assertThat(locks().heartbeat(alone)).isFalse();
    release(first);
    assertThat(locks().heartbeat(alone)).isFalse();
    release(second);
    assertThat(locks().heartbeat(alone)).isTrue();
  }

  @Test
  void aNamespaceHasItsTablesAndATableHasItsRegions() {
    long namespace = request(onNamespace(LockType.EXCLUSIVE));
    long table = request(onTable(LockType.SHARED));
    assertThat(locks().heartbeat(table)).isFalse();
    release(namespace);
    assertThat(locks().heartbeat(table)).isTrue();
    long region = request(onRegions(LOWER));
    long other = request(onRegions(UPPER));
    long again = request(onRegions(UPPER, LOWER));
    assertThat(locks().heartbeat(region)).isTrue();
    assertThat(locks().heartbeat(other)).isTrue();
    assertThat(locks().heartbeat(again)).isFalse();
    release(table);
    CompletableFuture<Long> id = cluster.submit(cluster.createTable());
    letPass(SimulatedCluster.LOCK_TIMEOUT.dividedBy(2));
    assertThat(id).isNotDone();
  }

  @Test
  void aLockEndsWithoutHeartbeats() {
    long lock = request(onTable(LockType.EXCLUSIVE));
    CompletableFuture<Long> id = cluster.submit(cluster.createTable());
    letPass(SimulatedCluster.LOCK_TIMEOUT.dividedBy(2));
    assertThat(locks().heartbeat(lock)).isTrue();
    letPass(SimulatedCluster.LOCK_TIMEOUT.dividedBy(2).plusMillis(1));
    assertThat(locks().heartbeat(lock)).isTrue();
    assertThat(id).isNotDone();
    letPass(SimulatedCluster.LOCK_TIMEOUT.plusMillis(1));
    assertThat(locks().heartbeat(lock)).isFalse();
    cluster.runUntil(id::isDone);
  }

  @Test
  void aRepeatedRequestIsTheSameLock() {
    Optional<Nonce> nonce = Nonce.of(1, 2);
    long lock = locks().request(onTable(LockType.EXCLUSIVE), "user", nonce);
    assertThat(locks().request(onTable(LockType.EXCLUSIVE), "user", nonce)).isEqualTo(lock);
  }

  @Test
  void aRequestForNothingIsRefused() {
    LockProcedureData.Builder lock = LockProcedureData.newBuilder().setLockType(LockType.SHARED);
    assertThatThrownBy(() -> request(lock.build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a namespace, or on a table, or on regions");
  }

  private CompletableFuture<Long> submitWaiting() {
    return submitWaiting(cluster.createTable());
  }

  /** Submits a procedure, and lets it come to wait for a lock. */
  private CompletableFuture<Long> submitWaiting(Procedure procedure) {
    return submitWaiting(procedure, Optional.empty());
  }

  private CompletableFuture<Long> submitWaiting(Procedure procedure, Optional<Nonce> nonce) {
    CompletableFuture<Long> id = new CompletableFuture<>();
    cluster.active().procedures().submit(procedure, "user", nonce, id);
    assertThat(id).isNotDone();
    return id;
  }

  private ClientLocks locks() {
    return cluster.active().procedures().clientLocks();
  }

  private long request(LockProcedureData lock) {
    return locks().request(lock, "user", Optional.empty());
  }

  private void release(long lock) {
    locks().release(lock);
  }

  private void letPass(Duration duration) {
    cluster.letTimePass(duration);
  }

  private static LockProcedureData onTable(LockType type) {
    return LockProcedureData.newBuilder()
        .setLockType(type)
        .setTableName(Messages.message(SimulatedCluster.TABLE))
        .build();
  }

  private static LockProcedureData onNamespace(LockType type) {
    return LockProcedureData.newBuilder()
        .setLockType(type)
        .setNamespace(SimulatedCluster.TABLE.namespace())
        .build();
  }

  private static LockProcedureData onRegions(RegionInfo... regions) {
    LockProcedureData.Builder lock = LockProcedureData.newBuilder().setLockType(LockType.EXCLUSIVE);
    for (RegionInfo region : regions) {
      lock.addRegionInfo(Messages.message(region));
    }
    return lock.build();
  }
}
