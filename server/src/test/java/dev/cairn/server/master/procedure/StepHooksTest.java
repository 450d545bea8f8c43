package dev.cairn.server.master.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.rpc.service.CallMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** Checks how often hooks at moments of procedures are called, and what their failures do. */
class StepHooksTest {
  private static final String BEGIN = "DeleteTableProcedure BEGIN";

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final List<String> calls = new ArrayList<>();

  /** The calls that fail. */
  private Predicate<String> refused = call -> false;

  /** Hooks at all moments of procedures. */
  private final class AllMoments implements MasterHooks {
    @Override
    public void beforeInitialization() {}

    @Override
    public void afterInitialization() {}

    @Override
    public boolean concerns(String method) {
      return false;
    }

    @Override
    public <Q extends Message, R extends Message> R around(
        String method, Q request, Body<Q, R> body) throws IOException {
      return body.run(request);
    }

    @Override
    public Balanced balance(BalanceRequest request, Body<BalanceRequest, Balanced> body)
        throws IOException {
      return body.run(request);
    }

    @Override
    public Optional<StepHook> at(String procedure, Moment moment, String step) {
      String call = procedure + " " + moment;
      return Optional.of(
          (data, user) -> {
            calls.add(call);
            if (refused.test(call)) {
              throw new IOException("refused");
            }
          });
    }

    @Override
    public Optional<NameBytesPair> serve(CoprocessorServiceCall call, CallMemory memory) {
      return Optional.empty();
    }

    @Override
    public List<String> names() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  private void startWithClosedTable() throws IOException {
    cluster.hooks =
        new MasterHookSource() {
          @Override
          public boolean isUsed() {
            return true;
          }

          @Override
          public MasterHooks open(MasterView view) {
            return new AllMoments();
          }
        };
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
        () -> cluster.active() != null && cluster.active().procedures().unfinished().isEmpty());
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

  /**
   * The master before may have begun the first step, so the procedure cannot end as if it had not.
   */
  @Test
  void aRefusalAfterARestartIsTriedAgain() throws IOException {
    startWithClosedTable();
    submit(deletion());
    cluster.runUntil(() -> countOf(BEGIN) == 1);
    cluster.killMaster();
    refused = call -> call.equals(BEGIN) && countOf(BEGIN) < 4;
    cluster.startMaster();
    cluster.runUntil(() -> countOf("DeleteTableProcedure COMPLETED") == 1);
    awaitEnd();
    assertThat(countOf(BEGIN)).isEqualTo(4);
    assertThat(cluster.tableState()).isEmpty();
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
