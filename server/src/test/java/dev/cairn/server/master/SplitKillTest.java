package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.junit.jupiter.api.Test;

/**
 * Kills the master after every action and at every storage operation of a split: the next one must
 * leave the region as it was, or two in its place, and never both.
 */
class SplitKillTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);

  /** A table of the regions up to g, from g, and from p. */
  private static SimulatedCluster prepare() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.run(cluster.createTable("g", "p"));
    return cluster;
  }

  private static RegionInfo from(SimulatedCluster cluster, String startKey) {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .filter(region -> Bytes.utf8(region.startKey()).equals(startKey))
        .findFirst()
        .orElseThrow();
  }

  private static Procedure split(SimulatedCluster cluster, String startKey, String row)
      throws IOException {
    ActiveMaster master = cluster.active();
    return new SplitRegionProcedure(
        master.environment(),
        "user",
        from(cluster, startKey),
        Bytes.utf8(row),
        master.switches()::isOn);
  }

  @Test
  void aKillBetweenActionsLeavesOneOrTwo() throws IOException {
    for (int actions = 0; ; actions++) {
      SimulatedCluster cluster = prepare();
      CompletableFuture<Long> accepted = cluster.submit(split(cluster, "g", "k"));
      int[] left = {actions};
      cluster.runUntil(() -> left[0]-- <= 0 || (accepted.isDone() && cluster.isIdle()));
      boolean finished = accepted.isDone() && cluster.isIdle();
      cluster.killMaster();
      check(cluster, accepted, "killed after " + actions + " actions");
      if (finished) {
        assertThat(actions).isGreaterThan(5);
        return;
      }
    }
  }

  @Test
  void aKillWithinAnActionLeavesOneOrTwo() throws IOException {
    for (int operations = 0; ; operations++) {
      SimulatedCluster cluster = prepare();
      CompletableFuture<Long> accepted = cluster.submit(split(cluster, "g", "k"));
      cluster.dieAfterStorageOperations(operations);
      cluster.runUntil(() -> accepted.isDone() && cluster.isIdle());
      boolean died = cluster.isDead();
      cluster.killMaster();
      check(cluster, accepted, "killed at storage operation " + operations);
      if (!died) {
        return;
      }
    }
  }

  private static void check(SimulatedCluster cluster, CompletableFuture<Long> accepted, String when)
      throws IOException {
    cluster.startMaster();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.aborts).isEmpty();
    boolean promised = accepted.isDone() && !accepted.isCompletedExceptionally();
    List<String> starts =
        cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
            .map(region -> Bytes.utf8(region.startKey()))
            .sorted()
            .toList();
    if (promised) {
      ProcedureRecord record = cluster.active().procedures().find(accepted.join()).orElseThrow();
      assertThat(record.state()).as(when).isEqualTo(ProcedureState.SUCCESS);
      assertThat(starts).as(when).containsExactly("", "g", "k", "p");
    } else {
      assertThat(starts).as(when).isIn(List.of("", "g", "p"), List.of("", "g", "k", "p"));
    }
    assertThat(cluster.openRegions()).as(when).hasSize(starts.size());
    boolean wasSplit = starts.size() == 4;
    assertThat(cluster.active().tables().splitParents(SimulatedCluster.TABLE))
        .as(when)
        .hasSize(wasSplit ? 1 : 0);
    // The rows of the regions, the parent's, and the table's.
    assertThat(cluster.metaRows()).as(when).hasSize(wasSplit ? 6 : 4);
    assertThat(
            cluster.storage.list("data/default/orders").stream()
                .filter(file -> !file.name().startsWith(".")))
        .as(when)
        .hasSize(wasSplit ? 5 : 3);
  }

  @Test
  void theSplitRegionGoesOnceNothingRefersToIt() throws IOException {
    SimulatedCluster cluster = prepare();
    RegionInfo parent = from(cluster, "g");
    cluster.run(split(cluster, "g", "k"));
    cluster.letTimePass(CatalogJanitor.INTERVAL.multipliedBy(2));
    assertThat(cluster.active().tables().splitParents(SimulatedCluster.TABLE)).isEmpty();
    assertThat(cluster.storage.exists("data/default/orders/" + parent.encodedName())).isFalse();
    assertThat(cluster.openRegions()).hasSize(4);
  }

  @Test
  void aRegionIsNotSplitWhereItCannotBe() throws IOException {
    SimulatedCluster cluster = prepare();
    for (String row : List.of("", "g", "f", "p", "x")) {
      assertThatThrownBy(() -> split(cluster, "g", row))
          .as("before <" + row + ">")
          .isInstanceOf(DoNotRetryRegionException.class);
    }
    cluster.run(cluster.setEnabled(false));
    CompletableFuture<Long> disabled = cluster.submit(split(cluster, "g", "k"));
    cluster.runUntil(disabled::isDone);
    assertThat(disabled)
        .failsWithin(java.time.Duration.ZERO)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(DoNotRetryIOException.class);
  }
}
