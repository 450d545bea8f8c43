package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureExecutor.ProcedureLock;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the answers about snapshots of a table while others are being taken. */
class SnapshotMethodsTest {
  private static final int NEVER = Integer.MAX_VALUE;

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void createTable() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.run(cluster.createTable("g", "p"));
  }

  @Test
  void aSecondSnapshotOfTheNameIsRefusedAtOnceAndOneOfAnotherNameIsTaken() throws IOException {
    CompletableFuture<Long> first = take("a");
    CompletableFuture<Long> again = take("a");
    CompletableFuture<Long> other = take("b");

    cluster.runUntil(again::isDone);
    assertThat(isDone(first)).as("the first is not done yet").isFalse();
    assertThatThrownBy(again::join)
        .cause()
        .isInstanceOf(SnapshotCreationException.class)
        .hasMessageContaining("snapshot of the name a already");

    cluster.runUntil(() -> isDone(first) && isDone(other));
    assertThat(isTaken("a")).isTrue();
    assertThat(isTaken("b")).isTrue();
  }

  @Test
  void aRepeatedCallGetsTheFirstAnswerBeforeAndAfterTheEnd() throws IOException {
    Optional<Nonce> nonce = Nonce.of(1, 2);
    CompletableFuture<Long> first = cluster.submit(taking("a"), nonce);
    CompletableFuture<Long> repeated = cluster.submit(taking("a"), nonce);
    cluster.runUntil(repeated::isDone);
    assertThat(isDone(first)).as("the first is not done yet").isFalse();
    assertThat(repeated.join()).isEqualTo(first.join());

    cluster.runUntil(() -> isDone(first));
    CompletableFuture<Long> late = cluster.submit(taking("a"), nonce);
    cluster.runUntil(late::isDone);
    assertThat(late.join()).isEqualTo(first.join());
  }

  @Test
  void aRegionThatWasClosedOnRequestFailsTheSnapshotAtOnce() throws IOException {
    RegionStateNode region = region();
    cluster.active().assignments().want(region, false, Completion.of(() -> {}, cause -> {}));
    cluster.runUntil(region::isSettled);

    CompletableFuture<Long> accepted = take("a");
    Duration taken = timeUntil(accepted);
    assertThat(taken).isLessThan(Duration.ofSeconds(1));
    assertThat(failure(accepted)).contains("was closed on request", "Assign it, or disable");
    assertThat(isTaken("a")).isFalse();

    cluster.active().assignments().want(region, true, Completion.of(() -> {}, cause -> {}));
    cluster.runUntil(region::isSettled);
    CompletableFuture<Long> later = take("a");
    cluster.runUntil(() -> isDone(later));
    assertThat(isTaken("a")).isTrue();
  }

  @Test
  void aCallThatWaitsForTheTableIsRefusedBeforeItsCallerGoesAway() throws IOException {
    loseARegion();
    CompletableFuture<Long> holder = take("a");
    cluster.runUntil(holder::isDone);

    CompletableFuture<Long> waiting = new CompletableFuture<>();
    Duration patience = Duration.ofSeconds(15);
    procedures().submit(taking("b"), "user", Optional.empty(), Optional.of(patience), waiting);
    long begin = now();
    cluster.runUntil(waiting::isDone);
    assertThat(Duration.ofNanos(now() - begin)).isBetween(patience, patience.plusSeconds(1));
    assertThatThrownBy(waiting::join)
        .cause()
        .isInstanceOf(PleaseHoldException.class)
        .hasMessageContaining("procedure " + holder.join() + " (SNAPSHOT) holds");
    assertThat(procedures().locks()).as("waiting ones").allMatch(ProcedureLock::isHeld);
  }

  @Test
  void aStopDoesNotWaitForARegionThatDoesNotOpen() throws IOException {
    loseARegion();
    CompletableFuture<Long> accepted = take("a");
    cluster.runUntil(accepted::isDone);

    CompletableFuture<Void> ended = new CompletableFuture<>();
    procedures().end(() -> ended.complete(null));
    long begin = now();
    cluster.runUntil(ended::isDone);
    assertThat(Duration.ofNanos(now() - begin)).isLessThan(Duration.ofSeconds(5));
    assertThat(failure(accepted)).contains("is not open");

    cluster.killMaster();
    cluster.startUp();
    assertThat(procedures().unfinished()).isEmpty();
    assertThat(isTaken("a")).isFalse();
    assertThat(cluster.storage.list(".hbase-snapshot/.tmp")).isEmpty();
  }

  @Test
  void aRequestToAServerThatIsLostIsRepeatedInsteadOfFailingTheSnapshot() throws IOException {
    cluster.servers.lostSnapshots = 2;
    CompletableFuture<Long> accepted = take("a");

    assertThat(timeUntil(accepted)).isLessThan(Duration.ofMinutes(3));
    assertThat(isTaken("a")).isTrue();
  }

  /** Closes a region, which then fails to open although it shall be open. */
  private void loseARegion() {
    RegionStateNode region = region();
    cluster.servers.failingOpens.put(region.region().encodedName(), NEVER);
    cluster.active().assignments().want(region, false, Completion.of(() -> {}, cause -> {}));
    cluster.runUntil(region::isSettled);
    cluster.active().assignments().want(region, true, Completion.of(() -> {}, cause -> {}));
  }

  private RegionStateNode region() {
    Assignments assignments = cluster.active().assignments();
    String first = assignments.regionsOf(SimulatedCluster.TABLE).get(0).encodedName();
    return assignments.find(first).orElseThrow();
  }

  private long now() {
    return cluster.active().procedureContext().clock().nanoTime();
  }

  private Duration timeUntil(CompletableFuture<Long> accepted) {
    long begin = now();
    cluster.runUntil(() -> isDone(accepted));
    return Duration.ofNanos(now() - begin);
  }

  private CompletableFuture<Long> take(String name) throws IOException {
    return cluster.submit(taking(name));
  }

  private Procedure taking(String name) throws IOException {
    SnapshotDescription wanted =
        SnapshotDescription.newBuilder()
            .setName(name)
            .setTable(SimulatedCluster.TABLE.toString())
            .build();
    return SnapshotMethods.taking(cluster.active(), wanted, "user", false);
  }

  private boolean isDone(CompletableFuture<Long> accepted) {
    return accepted.isDone()
        && procedures().find(accepted.join()).filter(ProcedureRecord::isDone).isPresent();
  }

  private String failure(CompletableFuture<Long> accepted) {
    return procedures().find(accepted.join()).orElseThrow().failure().orElseThrow().toString();
  }

  private boolean isTaken(String name) throws IOException {
    return new SnapshotDirectory(cluster.storage).find(name).isPresent();
  }

  private ProcedureExecutor procedures() {
    return cluster.active().procedures();
  }
}
