package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.ddl.FlushTableProcedure;
import dev.cairn.server.master.ddl.ModifyStoreFileTrackerProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.ddl.TruncateTableProcedure;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the master after every action and at every storage operation of each table procedure; the
 * next master must leave the table as before or as asked for, and nothing in between.
 */
class MasterKillTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);

  /** An operation on a table, and the expected result if it was done. */
  enum Scenario {
    CREATE(0, Optional.empty(), Optional.of(State.ENABLED), c -> c.createTable("g", "p")),
    DISABLE(1, Optional.of(State.ENABLED), Optional.of(State.DISABLED), c -> c.setEnabled(false)),
    ENABLE(2, Optional.of(State.DISABLED), Optional.of(State.ENABLED), c -> c.setEnabled(true)),
    DELETE(
        2,
        Optional.of(State.DISABLED),
        Optional.empty(),
        c ->
            new DeleteTableProcedure(
                c.active().procedureContext(), "user", SimulatedCluster.TABLE)),
    TRUNCATE(
        2,
        Optional.of(State.DISABLED),
        Optional.of(State.ENABLED),
        c ->
            new TruncateTableProcedure(
                c.active().procedureContext(), "user", SimulatedCluster.TABLE, true)),
    DELETE_FAMILY(
        1,
        Optional.of(State.ENABLED),
        Optional.of(State.ENABLED),
        c ->
            new ModifyTableProcedure(
                c.active().procedureContext(),
                "user",
                SimulatedCluster.TABLE,
                ModifyTableProcedure.delete(Bytes.utf8("b")))),
    ADD_FAMILY(
        1,
        Optional.of(State.ENABLED),
        Optional.of(State.ENABLED),
        c -> alter(c, ModifyTableProcedure.add(FamilySchema.of("c").message()))),
    MODIFY_FAMILY(
        1,
        Optional.of(State.ENABLED),
        Optional.of(State.ENABLED),
        c ->
            alter(
                c,
                ModifyTableProcedure.modify(
                    FamilySchema.of("a", Map.of("VERSIONS", "5")).message()))),
    MODIFY_TABLE(
        1,
        Optional.of(State.ENABLED),
        Optional.of(State.ENABLED),
        c -> alter(c, present -> present.with("MAX_FILESIZE", "1234567890"))),
    MODIFY_DISABLED_TABLE(
        2,
        Optional.of(State.DISABLED),
        Optional.of(State.DISABLED),
        c -> alter(c, present -> present.with("MAX_FILESIZE", "1234567890"))),
    MODIFY_STORE_FILE_TRACKER(
        1,
        Optional.of(State.ENABLED),
        Optional.of(State.ENABLED),
        c ->
            new ModifyStoreFileTrackerProcedure(
                c.active().procedureContext(),
                "user",
                SimulatedCluster.TABLE,
                Optional.empty(),
                "FILE")),
    FLUSH_TABLE(
        1,
        Optional.of(State.ENABLED),
        Optional.of(State.ENABLED),
        c ->
            new FlushTableProcedure(
                c.active().procedureContext(), SimulatedCluster.TABLE, List.of()));

    private final int preparation;
    private final Optional<State> before;
    private final Optional<State> after;
    private final Function<SimulatedCluster, Procedure> procedure;

    Scenario(
        int preparation,
        Optional<State> before,
        Optional<State> after,
        Function<SimulatedCluster, Procedure> procedure) {
      this.preparation = preparation;
      this.before = before;
      this.after = after;
      this.procedure = procedure;
    }

    private static Procedure alter(SimulatedCluster cluster, ModifyTableProcedure.Change change) {
      return new ModifyTableProcedure(
          cluster.active().procedureContext(), "user", SimulatedCluster.TABLE, change);
    }

    /** Tells whether a descriptor is as asked for. */
    boolean isChanged(TableSchema schema) {
      return switch (this) {
        case DELETE_FAMILY -> schema.familyNames().equals(List.of("a"));
        case ADD_FAMILY -> schema.familyNames().equals(List.of("a", "b", "c"));
        case MODIFY_FAMILY ->
            schema.family(Bytes.utf8("a")).orElseThrow().maxVersions() == 5
                && schema.familyNames().equals(List.of("a", "b"));
        case MODIFY_TABLE, MODIFY_DISABLED_TABLE ->
            schema.attribute("MAX_FILESIZE").equals(Optional.of("1234567890"));
        case MODIFY_STORE_FILE_TRACKER ->
            schema.attribute("hbase.store.file-tracker.impl").equals(Optional.of("FILE"));
        default -> schema.familyNames().equals(List.of("a", "b"));
      };
    }

    SimulatedCluster prepare() throws IOException {
      SimulatedCluster cluster = new SimulatedCluster();
      cluster.addServer(ONE);
      cluster.addServer(TWO);
      cluster.startUp();
      if (preparation > 0) {
        cluster.run(cluster.createTable("g", "p"));
      }
      if (preparation > 1) {
        cluster.run(cluster.setEnabled(false));
      }
      return cluster;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKillBetweenActionsLeavesNothingHalfDone(Scenario scenario) throws IOException {
    MasterKills.betweenActions(
        scenario::prepare,
        scenario.procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  @ParameterizedTest
  @EnumSource
  void aSecondKillDuringTheRecoveryLeavesNothingHalfDone(Scenario scenario) throws IOException {
    MasterKills.betweenActionsAndInRecoveries(
        scenario::prepare,
        scenario.procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  @ParameterizedTest
  @EnumSource
  void aKillWithinAnActionLeavesNothingHalfDone(Scenario scenario) throws IOException {
    MasterKills.withinActions(
        scenario::prepare,
        scenario.procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  private static void check(
      Scenario scenario, SimulatedCluster cluster, CompletableFuture<Long> accepted, String when)
      throws IOException {
    boolean promised = accepted.isDone() && !accepted.isCompletedExceptionally();
    Optional<State> state = cluster.tableState();
    assertThat(
            Optional.ofNullable(cluster.coordination.publishedTables.get(SimulatedCluster.TABLE)))
        .as("what clients before 2.0 read, " + when)
        .isEqualTo(state);
    if (promised) {
      assertThat(state).as(when).isEqualTo(scenario.after);
      ProcedureRecord record = cluster.active().procedures().find(accepted.join()).orElseThrow();
      assertThat(record.state()).as(when).isEqualTo(ProcedureState.SUCCESS);
    } else {
      assertThat(state).as(when).isIn(scenario.before, scenario.after);
    }
    assertThat(cluster.hasFiles()).as(when).isEqualTo(state.isPresent());
    assertThat(new TableFiles(cluster.storage).leftovers()).as(when).isEmpty();
    // The rows of the regions, and the table's.
    assertThat(cluster.metaRows()).as(when).hasSize(state.isPresent() ? 4 : 0);
    assertThat(cluster.openRegions())
        .as(when)
        .hasSize(state.equals(Optional.of(State.ENABLED)) ? 3 : 0);
    List<String> directories =
        cluster.storage.list("data/default/orders").stream()
            .map(file -> file.name())
            .filter(name -> !name.startsWith("."))
            .toList();
    assertThat(directories)
        .as(when)
        .containsExactlyInAnyOrderElementsOf(
            cluster.active().assignments().regionsOf(TableName.parse("orders")).stream()
                .map(region -> region.encodedName())
                .toList());
    if (state.isPresent()) {
      TableSchema schema =
          cluster.active().tables().find(SimulatedCluster.TABLE).orElseThrow().schema();
      assertThat(new TableFiles(cluster.storage).descriptors().require(SimulatedCluster.TABLE))
          .as("the descriptor that servers read, " + when)
          .isEqualTo(schema);
      if (promised) {
        assertThat(scenario.isChanged(schema)).as(schema + ", " + when).isTrue();
      }
      boolean hasB = schema.family(Bytes.utf8("b")).isPresent();
      for (String directory : directories) {
        assertThat(cluster.storage.exists("data/default/orders/" + directory + "/b"))
            .as(when)
            .isEqualTo(hasB);
      }
    }
  }

  @Test
  void aMasterThatIsToEndCarriesOnWhatIsUnderWayAndBeginsNothing() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(ONE);
    cluster.startUp();
    CompletableFuture<Long> created = cluster.submit(cluster.createTable("m"));
    boolean[] ended = {false};
    cluster.master.loop().post(() -> cluster.active().procedures().end(() -> ended[0] = true));
    CompletableFuture<Long> late = cluster.submit(cluster.setEnabled(false));
    cluster.runUntil(() -> ended[0]);
    assertThat(created).isCompleted();
    assertThat(cluster.tableState()).hasValue(State.ENABLED);
    assertThat(cluster.active().procedures().unfinished()).isEmpty();
    assertThat(late).isCompletedExceptionally();
  }

  @Test
  void aRequestRepeatedAtTheNextMasterIsTheSameProcedure() throws IOException {
    SimulatedCluster cluster = Scenario.CREATE.prepare();
    Optional<ProcedureRecord.Nonce> nonce = ProcedureRecord.Nonce.of(7, 8);
    CompletableFuture<Long> first = cluster.submit(cluster.createTable(), nonce);
    cluster.runUntil(first::isDone);
    cluster.killMaster();
    cluster.startUp();
    CompletableFuture<Long> second = cluster.submit(cluster.createTable(), nonce);
    cluster.runUntil(() -> second.isDone() && cluster.isIdle());
    assertThat(second.join()).isEqualTo(first.join());
    assertThat(cluster.openRegions()).hasSize(1);
  }
}
