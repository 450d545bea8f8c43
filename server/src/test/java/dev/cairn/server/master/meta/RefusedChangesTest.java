package dev.cairn.server.master.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code hbase:meta} refuses changes of one table for good; all others go on. */
class RefusedChangesTest {
  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void start() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
  }

  @Test
  void aTableWhoseRowsAreRefusedIsNotMade() throws IOException {
    cluster.servers.meta.refused = RefusedChangesTest::isOfTable;
    CompletableFuture<Long> refused = cluster.submit(cluster.createTable("m"));
    cluster.run(otherTable());
    cluster.runUntil(cluster::isIdle);
    assertThat(record(refused).failure().orElseThrow().toString()).contains("a test refuses it");
    assertThat(cluster.metaRows()).noneMatch(row -> row.startsWith("orders"));
    assertThat(cluster.metaRows()).anyMatch(row -> row.startsWith("other,"));
    assertThat(cluster.tableState()).isEmpty();
    assertThat(cluster.hasFiles()).isFalse();

    cluster.servers.meta.refused = mutation -> false;
    cluster.run(cluster.createTable("m"));
    assertThat(cluster.openRegions()).hasSize(2);
  }

  @Test
  void aTableOfWhichOneRowIsRefusedLeavesNothing() throws IOException {
    cluster.servers.meta.refused =
        mutation -> mutation.getRow().toStringUtf8().startsWith("orders,m,");
    CompletableFuture<Long> refused = cluster.submit(cluster.createTable("g", "m", "t"));
    cluster.runUntil(() -> refused.isDone() && cluster.isIdle());
    assertThat(record(refused).failure()).isPresent();
    assertThat(cluster.metaRows()).noneMatch(row -> row.startsWith("orders"));
    assertThat(cluster.hasFiles()).isFalse();
  }

  @Test
  void aMasterThatIsKilledWhileItUndoesARefusedTableLeavesAWholeTableOrNone() throws IOException {
    for (int actions = 1; ; actions++) {
      SimulatedCluster killed = new SimulatedCluster();
      killed.addServer(new ServerName("one", 16020, 1));
      killed.startUp();
      killed.runUntil(killed::isIdle);
      killed.servers.meta.refused = RefusedChangesTest::isOfTable;
      CompletableFuture<Long> accepted = killed.submit(killed.createTable());
      killed.runUntil(accepted::isDone);
      int left = actions;
      while (left > 0 && !killed.isIdle()) {
        killed.step();
        left--;
      }
      boolean isOver = killed.isIdle();
      killed.killMaster();
      killed.servers.meta.refused = mutation -> false;
      killed.startUp();
      killed.runUntil(killed::isIdle);
      boolean exists = killed.tableState().isPresent();
      assertThat(killed.hasFiles()).as("killed after %d", actions).isEqualTo(exists);
      assertThat(killed.openRegions()).as("killed after %d", actions).hasSize(exists ? 1 : 0);
      if (isOver) {
        assertThat(exists).isFalse();
        return;
      }
    }
  }

  @Test
  void aRegionWhoseOpeningIsRefusedIsOpenedOnceThatEnds() throws IOException {
    cluster.run(cluster.createTable());
    cluster.run(cluster.setEnabled(false));
    cluster.servers.meta.refused =
        mutation -> isOfTable(mutation) && hasColumn(mutation, "sn") && !isTableState(mutation);
    CompletableFuture<Long> enabled = cluster.submit(cluster.setEnabled(true));
    otherTableIsMadeMeanwhile();
    assertThat(cluster.openRegions()).isEmpty();

    cluster.servers.meta.refused = mutation -> false;
    cluster.runUntil(() -> enabled.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(1);
  }

  @Test
  void aServerWhoseReportOfAnOpeningIsRefusedGivesTheRegionBack() throws IOException {
    cluster.run(cluster.createTable());
    cluster.run(cluster.setEnabled(false));
    cluster.servers.meta.refused =
        mutation -> isOfTable(mutation) && hasColumn(mutation, "seqnumDuringOpen");
    CompletableFuture<Long> enabled = cluster.submit(cluster.setEnabled(true));
    otherTableIsMadeMeanwhile();

    cluster.servers.meta.refused = mutation -> false;
    cluster.runUntil(() -> enabled.isDone() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(1);
  }

  private void otherTableIsMadeMeanwhile() {
    CompletableFuture<Long> other = cluster.submit(otherTable());
    cluster.letTimePass(Duration.ofSeconds(10));
    assertThat(record(other).isDone()).isTrue();
    assertThat(record(other).failure()).isEmpty();
  }

  private Procedure otherTable() {
    return new CreateTableProcedure(
        cluster.active().procedureContext(),
        "user",
        TableSchema.of(TableName.parse("other"), FamilySchema.of("f")),
        List.of());
  }

  private ProcedureRecord record(CompletableFuture<Long> accepted) {
    return cluster.active().procedures().find(accepted.join()).orElseThrow();
  }

  private static boolean isOfTable(MutationProto mutation) {
    return mutation.getRow().toStringUtf8().startsWith(SimulatedCluster.TABLE.toString());
  }

  private static boolean isTableState(MutationProto mutation) {
    return mutation.getRow().toStringUtf8().equals(SimulatedCluster.TABLE.toString());
  }

  private static boolean hasColumn(MutationProto mutation, String qualifier) {
    return mutation.getColumnValueList().stream()
        .flatMap(family -> family.getQualifierValueList().stream())
        .anyMatch(value -> value.getQualifier().toStringUtf8().equals(qualifier));
  }
}
