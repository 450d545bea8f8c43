package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the answers to callers that wait for the end of a procedure. */
class ProcedureMethodsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final CompletableFuture<String> answer = new CompletableFuture<>();
  private long id;

  @BeforeEach
  void beginAProcedure() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    CompletableFuture<Long> accepted = cluster.submit(cluster.createTable());
    cluster.runUntil(accepted::isDone);
    id = accepted.join();
  }

  @Test
  void aProcedureThatSucceedsIsAnsweredAtItsEnd() {
    ProcedureMethods.completeAtEnd(procedures(), id, LONG, answer, "done");
    assertThat(answer).isNotDone();
    cluster.runUntil(answer::isDone);
    assertThat(answer).isCompletedWithValue("done");
    assertThat(procedures().find(id).orElseThrow().isDone()).isTrue();
  }

  @Test
  void aProcedureThatTakesTooLongIsNotAnsweredAsDone() {
    ProcedureMethods.completeAtEnd(procedures(), id, Duration.ZERO, answer, "done");
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Procedure " + id + " has not ended within 0 ms");
  }

  @Test
  void aProcedureThatFailsIsAnsweredWithItsFailure() {
    ProcedureMethods.completeAtEnd(procedures(), id, LONG, answer, "done");
    assertThat(procedures().abort(id)).isTrue();
    cluster.runUntil(answer::isDone);
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOf(NamedException.class)
        .hasMessageContaining("aborted on request")
        .hasToString(
            DoNotRetryIOException.class.getName() + ": The procedure was aborted on request");
  }

  @Test
  void anAbortIsAnsweredOnceItOutlivesTheMaster() throws IOException {
    CompletableFuture<Boolean> aborted = new CompletableFuture<>();
    ProcedureMethods.abort(procedures(), id, LONG, aborted);
    assertThat(aborted).isNotDone();
    cluster.runUntil(aborted::isDone);
    assertThat(aborted).isCompletedWithValue(true);
    cluster.killMaster();
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(procedures().find(id).orElseThrow().failure()).isPresent();
    assertThat(cluster.openRegions()).isEmpty();
  }

  @Test
  void anAbortThatTakesTooLongIsNotAnsweredAsDone() {
    CompletableFuture<Boolean> aborted = new CompletableFuture<>();
    ProcedureMethods.abort(procedures(), id, Duration.ZERO, aborted);
    assertThatThrownBy(aborted::join).hasMessageContaining("has not ended within 0 ms");
  }

  @Test
  void aProcedureThatIsDoneIsNotAborted() {
    cluster.runUntil(cluster::isIdle);
    CompletableFuture<Boolean> aborted = new CompletableFuture<>();
    ProcedureMethods.abort(procedures(), id, LONG, aborted);
    assertThat(aborted).isCompletedWithValue(false);
  }

  private ProcedureExecutor procedures() {
    return cluster.active().procedures();
  }
}
