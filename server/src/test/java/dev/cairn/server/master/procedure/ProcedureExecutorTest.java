package dev.cairn.server.master.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.StateMachineProcedureData;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the results of procedures for callers, and their stored records. */
class ProcedureExecutorTest {
  private static final Duration LONG = Duration.ofHours(1);
  private final List<String> told = new ArrayList<>();

  @Test
  void whoWaitsForAProcedureHearsOfItsEndOnce() throws Exception {
    SimulatedCluster cluster = started();
    CompletableFuture<Long> id = cluster.submit(cluster.createTable("g"));
    cluster.runUntil(id::isDone);
    cluster.active().procedures().whenDone(id.join(), LONG, () -> told.add("end"));
    assertThat(told).isEmpty();
    cluster.runUntil(() -> !told.isEmpty());
    assertThat(cluster.active().procedures().find(id.join()).orElseThrow().isDone()).isTrue();
    cluster.active().procedures().whenDone(id.join(), LONG, () -> told.add("was done"));
    cluster.active().procedures().whenDone(4711, LONG, () -> told.add("never was"));
    assertThat(told).containsExactly("end", "was done", "never was");
  }

  @Test
  void whoIsNotPatientHearsThatItIsNotDone() throws Exception {
    SimulatedCluster cluster = started();
    CompletableFuture<Long> id = cluster.submit(cluster.createTable("g"));
    cluster.runUntil(id::isDone);
    ProcedureExecutor procedures = cluster.active().procedures();
    procedures.whenDone(id.join(), Duration.ZERO, () -> told.add("now"));
    assertThat(told).containsExactly("now");
    assertThat(procedures.find(id.join()).orElseThrow().isDone()).isFalse();
    procedures.whenDone(id.join(), Duration.ofNanos(1), () -> told.add("soon"));
    cluster.runUntil(() -> procedures.find(id.join()).orElseThrow().isDone());
    assertThat(told).containsExactly("now", "soon");
  }

  @Test
  void aProcedureThatIsNotDecidedYetIsUndoneOnRequest() throws Exception {
    SimulatedCluster cluster = started();
    CompletableFuture<Long> id = cluster.submit(cluster.createTable("g"));
    cluster.runUntil(id::isDone);
    ProcedureExecutor procedures = cluster.active().procedures();
    assertThat(procedures.abort(id.join())).isTrue();
    cluster.runUntil(() -> procedures.find(id.join()).orElseThrow().isDone());
    assertThat(procedures.find(id.join()).orElseThrow().failure().orElseThrow().toString())
        .contains("aborted on request");
    assertThat(cluster.hasFiles()).isFalse();
    assertThat(cluster.tableState()).isEmpty();
    assertThat(procedures.abort(id.join())).as("done").isFalse();
    assertThat(procedures.abort(4711)).as("unknown").isFalse();
  }

  @Test
  void aTableThatIsBeingEnteredInMetaIsUndoneOnRequest() throws Exception {
    SimulatedCluster cluster = started();
    CompletableFuture<Long> id = cluster.submit(cluster.createTable("g"));
    ProcedureExecutor procedures = cluster.active().procedures();
    cluster.runUntil(() -> id.isDone() && procedures.find(id.join()).orElseThrow().step() > 0);
    assertThat(procedures.abort(id.join())).isTrue();
    cluster.runUntil(() -> procedures.find(id.join()).orElseThrow().isDone());
    assertThat(cluster.metaRows()).isEmpty();
    assertThat(cluster.hasFiles()).isFalse();
    assertThat(cluster.tableState()).isEmpty();
    cluster.run(cluster.createTable("g"));
    assertThat(cluster.openRegions()).hasSize(2);
  }

  @Test
  void aProcedureThatIsDecidedIsNotAborted() throws Exception {
    SimulatedCluster cluster = started();
    CompletableFuture<Long> id = cluster.submit(cluster.createTable("g"));
    ProcedureExecutor procedures = cluster.active().procedures();
    cluster.runUntil(() -> id.isDone() && procedures.find(id.join()).orElseThrow().step() > 1);
    assertThat(procedures.abort(id.join())).isFalse();
    cluster.runUntil(() -> procedures.find(id.join()).orElseThrow().isDone());
    assertThat(cluster.openRegions()).hasSize(2);
  }

  @Test
  void theEndOfAStepIsStoredWithTheNextOnesIfItSaysSo() throws Exception {
    SimulatedCluster cluster = started();
    List<Integer> storedSteps = new ArrayList<>();
    Procedure.Action look =
        completion -> {
          ProcedureExecutor procedures = cluster.active().procedures();
          procedures.unfinished().stream()
              .filter(record -> record.kind() == ProcedureKind.SPLIT_REGION)
              .forEach(record -> storedSteps.add(record.step()));
          completion.done();
        };
    cluster.run(
        procedure(
            Procedure.Step.endingWithNext("A", look),
            new Procedure.Step("B", look),
            Procedure.Step.endingWithNext("C", look),
            new Procedure.Step("D", look)));
    assertThat(storedSteps).containsExactly(0, 0, 2, 2);
  }

  private static Procedure procedure(Procedure.Step... steps) {
    return new Procedure() {
      @Override
      public ProcedureKind kind() {
        return ProcedureKind.SPLIT_REGION;
      }

      @Override
      public Message data() {
        return kind().prototype();
      }

      @Override
      public String resource() {
        return "table/some";
      }

      @Override
      public void prepare() {}

      @Override
      public List<Step> steps() {
        return List.of(steps);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void aMessageIsPackedAsProtobufDoesIt(ProcedureKind kind) {
    assertThat(ProcedureRecord.pack(kind.prototype())).isEqualTo(Any.pack(kind.prototype()));
    StateMachineProcedureData progress = StateMachineProcedureData.newBuilder().addState(3).build();
    assertThat(ProcedureRecord.pack(progress)).isEqualTo(Any.pack(progress));
  }

  private static SimulatedCluster started() throws Exception {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    return cluster;
  }
}
