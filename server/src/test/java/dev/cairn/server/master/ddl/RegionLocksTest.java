package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureExecutor.ProcedureLock;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Splits, merges and truncations of different regions of a table run at the same time. A change of
 * the whole table waits for all earlier ones, and all later ones wait for it.
 */
class RegionLocksTest {
  private static final int FOREVER = Integer.MAX_VALUE;
  private static final Duration A_WHILE = Duration.ofMinutes(1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  /** The regions begin at the empty row, g, p and t. */
  @BeforeEach
  void createATable() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.addServer(new ServerName("two", 16020, 1));
    cluster.startUp();
    cluster.run(cluster.createTable("g", "p", "t"));
  }

  @Test
  void aSplitWhoseDaughterDoesNotOpenHoldsUpNoOtherRegion() {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    CompletableFuture<Long> split = cluster.submit(split("p", "r"));
    CompletableFuture<Long> emptied = cluster.submit(truncate("t"));
    cluster.letTimePass(A_WHILE);
    assertThat(List.of(state(split), state(emptied))).containsOnly(ProcedureState.SUCCESS);
    CompletableFuture<Long> merge = cluster.submit(merge("p", "r"));
    cluster.letTimePass(A_WHILE);
    assertThat(state(merge)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(starts()).containsExactly("", "g", "k", "p", "t");
    assertThat(cluster.openRegions()).hasSize(4).doesNotContain(daughter.encodedName());

    open(daughter);
    assertThat(cluster.openRegions()).hasSize(5);
  }

  @Test
  void aDaughterIsNotSplitBeforeItsSisterIsOpen() {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    CompletableFuture<Long> next = cluster.submit(split("g", "h"));
    CompletableFuture<Long> other = cluster.submit(split("p", "r"));
    cluster.letTimePass(A_WHILE);
    assertThat(next).isNotDone();
    assertThat(state(other)).isEqualTo(ProcedureState.SUCCESS);

    open(daughter);
    assertThat(state(next)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(starts()).containsExactly("", "g", "h", "k", "p", "r", "t");
  }

  @Test
  void regionsThatAreMergedAreNotSplitMeanwhile() {
    CompletableFuture<Long> merge = cluster.submit(merge("g", "p"));
    CompletableFuture<Long> split = cluster.submit(split("p", "r"));
    cluster.runUntil(() -> split.isDone() && cluster.isIdle());
    assertThat(state(merge)).isEqualTo(ProcedureState.SUCCESS);
    assertThatThrownBy(split::join).hasMessageContaining("p,");
    assertThat(starts()).containsExactly("", "g", "t");
  }

  @Test
  void aChangeOfTheTableWaitsForTheSplitsBeforeIt() {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    CompletableFuture<Long> alter = cluster.submit(alter());
    cluster.letTimePass(A_WHILE);
    assertThat(alter).isNotDone();

    open(daughter);
    assertThat(state(alter)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(descriptorIsAltered()).isTrue();
    assertThat(cluster.openRegions()).hasSize(5);
  }

  @Test
  void aSplitDoesNotOvertakeAChangeOfTheTable() {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    CompletableFuture<Long> alter = cluster.submit(alter());
    CompletableFuture<Long> later = cluster.submit(split("p", "r"));
    cluster.letTimePass(A_WHILE);
    assertThat(alter).isNotDone();
    assertThat(later).as("the split that came after the change").isNotDone();

    open(daughter);
    assertThat(alter.join()).isLessThan(later.join());
    assertThat(state(later)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(starts()).containsExactly("", "g", "k", "p", "r", "t");
  }

  /** The change disallows splits before the second one begins. */
  @Test
  void aSplitObeysTheChangeBeforeIt() {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    cluster.submit(
        new ModifyTableProcedure(
            cluster.active().procedureContext(),
            "user",
            SimulatedCluster.TABLE,
            present -> present.with("SPLIT_ENABLED", "false")));
    CompletableFuture<Long> later = cluster.submit(split("p", "r"));
    open(daughter);
    assertThat(state(later)).isEqualTo(ProcedureState.ROLLEDBACK);
    assertThat(starts()).containsExactly("", "g", "k", "p", "t");
  }

  @Test
  void theNextMasterContinuesSplitsSideBySideAndTheChangeWaits() throws IOException {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    CompletableFuture<Long> second = cluster.submit(split("p", "r"));
    cluster.runUntil(second::isDone);
    cluster.servers.failingOpens.put(regionOf(second, "r").encodedName(), 3);
    CompletableFuture<Long> alter = cluster.submit(alter());
    cluster.letTimePass(Duration.ofMillis(10));
    cluster.killMaster();
    cluster.startMaster();
    assertThat(alter).as("a waiting change is not stored").isNotDone();

    cluster.letTimePass(A_WHILE);
    assertThat(state(second)).isEqualTo(ProcedureState.SUCCESS);
    CompletableFuture<Long> again = cluster.submit(alter());
    cluster.letTimePass(A_WHILE);
    assertThat(again).isNotDone();
    open(daughter);
    assertThat(state(again)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(cluster.openRegions()).hasSize(6);
  }

  @Test
  void theLocksNameTheRegions() {
    RegionInfo daughter = beginSplitWithClosedDaughter();
    cluster.submit(alter());
    cluster.letTimePass(Duration.ofMillis(10));
    List<ProcedureLock> locks = cluster.active().procedures().locks();
    assertThat(locks).hasSize(2);
    assertThat(locks.get(0).isHeld()).isTrue();
    assertThat(locks.get(0).regions()).hasSize(3).contains(daughter);
    assertThat(locks.get(1).isHeld()).isFalse();
    assertThat(locks.get(1).regions()).isEmpty();
  }

  @Test
  void theNamesOfSnapshotsAreKnownWhileChangesWait() throws IOException {
    beginSplitWithClosedDaughter();
    cluster.submit(alter());
    cluster.submit(split("p", "r"));
    cluster.submit(merge("p", "t"));
    cluster.letTimePass(Duration.ofMillis(10));
    assertThat(SnapshotUse.isUsed(cluster.active().procedures().submitted(SnapshotUse.KINDS), "s"))
        .isFalse();
  }

  /** Splits the region from g at k; the upper daughter does not open. */
  private RegionInfo beginSplitWithClosedDaughter() {
    CompletableFuture<Long> split = cluster.submit(split("g", "k"));
    cluster.runUntil(split::isDone);
    RegionInfo daughter = regionOf(split, "k");
    cluster.servers.failingOpens.put(daughter.encodedName(), FOREVER);
    cluster.runUntil(() -> starts().contains("k"));
    return daughter;
  }

  /** Returns the region of a procedure that begins at a row. */
  private RegionInfo regionOf(CompletableFuture<Long> procedure, String start) {
    return cluster.active().procedures().locks().stream()
        .filter(lock -> lock.id() == procedure.join())
        .flatMap(lock -> lock.regions().stream())
        .filter(region -> Bytes.utf8(region.startKey()).equals(start))
        .findFirst()
        .orElseThrow();
  }

  private void open(RegionInfo region) {
    cluster.servers.failingOpens.remove(region.encodedName());
    cluster.runUntil(cluster::isIdle);
  }

  private Procedure split(String start, String row) {
    return new SplitRegionProcedure(
        cluster.active().procedureContext(), "user", region(start), Bytes.utf8(row));
  }

  private Procedure merge(String... starts) {
    return new MergeRegionsProcedure(
        cluster.active().procedureContext(),
        "user",
        Arrays.stream(starts).map(this::region).toList(),
        MergeRegionsProcedure.Kind.ADJACENT);
  }

  private Procedure truncate(String start) {
    return new TruncateRegionProcedure(cluster.active().procedureContext(), "user", region(start));
  }

  private Procedure alter() {
    return new ModifyTableProcedure(
        cluster.active().procedureContext(),
        "user",
        SimulatedCluster.TABLE,
        present -> present.with("MAX_FILESIZE", "1234567890"));
  }

  private boolean descriptorIsAltered() {
    return cluster
        .active()
        .tables()
        .find(SimulatedCluster.TABLE)
        .orElseThrow()
        .schema()
        .attribute("MAX_FILESIZE")
        .isPresent();
  }

  private ProcedureState state(CompletableFuture<Long> procedure) {
    assertThat(procedure).isDone();
    return cluster
        .active()
        .procedures()
        .find(procedure.join())
        .map(ProcedureRecord::state)
        .orElseThrow();
  }

  private RegionInfo region(String start) {
    return regions().stream()
        .filter(region -> Bytes.utf8(region.startKey()).equals(start))
        .findFirst()
        .orElseThrow();
  }

  private List<String> starts() {
    return regions().stream().map(region -> Bytes.utf8(region.startKey())).toList();
  }

  private List<RegionInfo> regions() {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .sorted(Comparator.comparing(RegionInfo::startKey, Arrays::compareUnsigned))
        .toList();
  }
}
