package dev.cairn.server.master.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.FakeHooks;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.junit.jupiter.api.Test;

/** Checks how often hooks at moments of procedures are called, and what their failures do. */
class StepHooksTest {
  private static final String BEGIN = "DeleteTableProcedure BEGIN";

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final List<String> calls = new ArrayList<>();

  /** The calls that fail. */
  private Predicate<String> refused = call -> false;

  /** Makes their failure. */
  private Supplier<Exception> failure = () -> new IOException("refused");

  /** Hooks at all moments of procedures. */
  private final class AllMoments extends FakeHooks {
    @Override
    public Optional<StepHook> at(String procedure, Moment moment, String step) {
      String call = procedure + " " + moment;
      return Optional.of(
          (data, user) -> {
            calls.add(call);
            if (refused.test(call)) {
              Exception thrown = failure.get();
              if (thrown instanceof IOException known) {
                throw known;
              }
              throw (RuntimeException) thrown;
            }
          });
    }
  }

  private void startWithClosedTable() throws IOException {
    cluster.hooks = new AllMoments().source();
    cluster.addServer(new ServerName("one", 1, 1));
    cluster.startUp();
    cluster.run(cluster.createTable());
    cluster.run(cluster.setEnabled(false));
    calls.clear();
  }

  private Procedure deletion() {
    return new DeleteTableProcedure(
        cluster.active().procedureContext(), "user", SimulatedCluster.TABLE);
  }

  /** Submits a procedure, and returns its id once it is stored. */
  private long submit(Procedure procedure) {
    CompletableFuture<Long> id = cluster.submit(procedure);
    cluster.runUntil(id::isDone);
    return id.join();
  }

  private long countOf(String call) {
    return calls.stream().filter(call::equals).count();
  }

  private void awaitEnd() {
    cluster.runUntil(
        () ->
            cluster.master.isInitialized() && cluster.active().procedures().unfinished().isEmpty());
  }

  @Test
  void aStepThatIsTriedAgainDoesNotRepeatTheHookBeforeIt() throws IOException {
    startWithClosedTable();
    int[] failures = {2};
    cluster.storageFault = (operation, path) -> path.contains("data/default/") && failures[0]-- > 0;
    refused = call -> call.equals(BEGIN) && countOf(BEGIN) > 1;
    submit(deletion());
    awaitEnd();
    assertThat(failures[0]).isNegative();
    assertThat(countOf(BEGIN)).isEqualTo(1);
    assertThat(countOf("DeleteTableProcedure COMPLETED")).isEqualTo(1);
    assertThat(cluster.tableState()).isEmpty();
  }

  @Test
  void aRefusalBeforeTheFirstStepEndsTheProcedure() throws IOException {
    startWithClosedTable();
    refused = BEGIN::equals;
    long id = submit(deletion());
    awaitEnd();
    assertThat(cluster.active().procedures().find(id).orElseThrow().failure()).isPresent();
    assertThat(cluster.tableState()).hasValue(TableState.State.DISABLED);
    assertThat(cluster.hasFiles()).isTrue();
    assertThat(calls).containsExactly(BEGIN);
  }

  @Test
  void aRefusalAfterARestartEndsTheProcedure() throws IOException {
    startWithClosedTable();
    long id = submit(deletion());
    cluster.runUntil(() -> countOf(BEGIN) == 1);
    cluster.killMaster(); // before it stores that the hooks allow the procedure
    refused = BEGIN::equals;
    cluster.startMaster();
    awaitEnd();
    assertThat(countOf(BEGIN)).isEqualTo(2);
    assertThat(cluster.active().procedures().find(id).orElseThrow().failure()).isPresent();
    assertThat(cluster.tableState()).hasValue(TableState.State.DISABLED);
    assertThat(cluster.hasFiles()).isTrue();
  }

  @Test
  void aProcedureThatHasBegunIsNotRefusedAfterARestart() throws IOException {
    startWithClosedTable();
    boolean[] failed = {false};
    submit(deletion());
    cluster.runUntil(() -> countOf(BEGIN) == 1);
    cluster.storageFault = (operation, path) -> failed[0] |= path.contains("data/default/");
    cluster.runUntil(() -> failed[0]);
    cluster.killMaster();
    cluster.storageFault = (operation, path) -> false;
    refused = BEGIN::equals;
    cluster.startMaster();
    awaitEnd();
    assertThat(countOf(BEGIN)).isEqualTo(1);
    assertThat(cluster.tableState()).isEmpty();
  }

  private void checkThatFailuresAfterChangesEndNothing() throws IOException {
    startWithClosedTable();
    refused = call -> !call.endsWith("BEGIN");
    long id = submit(deletion());
    awaitEnd();
    assertThat(cluster.active().procedures().find(id).orElseThrow().failure()).isEmpty();
    assertThat(cluster.tableState()).isEmpty();
    assertThat(countOf("DeleteTableProcedure COMPLETED")).isEqualTo(1);
    refused = call -> !call.contains("AFTER_STEP");
    id = submit(cluster.createTable());
    awaitEnd();
    assertThat(cluster.active().procedures().find(id).orElseThrow().failure()).isPresent();
    assertThat(countOf("CreateTableProcedure UNDONE")).isEqualTo(1);
    assertThat(cluster.hasFiles()).isFalse();
  }

  @Test
  void aHookAfterAChangeThatAlwaysFailsDoesNotKeepTheLock() throws IOException {
    failure = () -> new DoNotRetryIOException("always");
    checkThatFailuresAfterChangesEndNothing();
  }

  @Test
  void aMistakeInAHookAfterAChangeDoesNotKeepTheLock() throws IOException {
    failure = () -> new IllegalStateException("a mistake");
    checkThatFailuresAfterChangesEndNothing();
  }

  @Test
  void theEndWaitsForItsHook() throws IOException {
    startWithClosedTable();
    refused = call -> call.endsWith("COMPLETED") && countOf(call) < 3;
    submit(deletion());
    awaitEnd();
    assertThat(countOf("DeleteTableProcedure COMPLETED")).isEqualTo(3);
    assertThat(countOf(BEGIN)).isEqualTo(1);
  }

  @Test
  void anUndoneProcedureCallsItsHookUntilItSucceeds() throws IOException {
    startWithClosedTable();
    cluster.run(deletion());
    calls.clear();
    refused =
        call ->
            call.equals("CreateTableProcedure BEGIN")
                || call.equals("CreateTableProcedure UNDONE") && countOf(call) < 3;
    long id = submit(cluster.createTable());
    awaitEnd();
    assertThat(cluster.active().procedures().find(id).orElseThrow().failure()).isPresent();
    assertThat(countOf("CreateTableProcedure UNDONE")).isEqualTo(3);
    assertThat(cluster.tableState()).isEmpty();
    assertThat(cluster.hasFiles()).isFalse();
  }
}
