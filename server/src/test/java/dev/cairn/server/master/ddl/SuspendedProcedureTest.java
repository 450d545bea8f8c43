package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A new master cannot read the descriptor of a table that a procedure changes. The procedure goes
 * on at the next start, and until then its regions and files stay as its last step left them.
 */
class SuspendedProcedureTest {
  private static final String DESCRIPTORS = "data/default/orders/.tabledesc";

  /** A procedure that can no longer be undone, on a table with regions from "", g and p. */
  enum Scenario {
    SPLIT(
        3,
        4,
        c ->
            new SplitRegionProcedure(
                c.active().procedureContext(), "user", regions(c).get(1), Bytes.utf8("k"))),
    MERGE(
        2,
        2,
        c ->
            new MergeRegionsProcedure(
                c.active().procedureContext(),
                "user",
                regions(c).subList(1, 3),
                MergeRegionsProcedure.Kind.ADJACENT)),
    TRUNCATE(
        2,
        3,
        c -> new TruncateRegionProcedure(c.active().procedureContext(), "user", regions(c).get(1)));

    private final int step;
    private final int regionsAfter;
    private final Function<SimulatedCluster, Procedure> procedure;

    Scenario(int step, int regionsAfter, Function<SimulatedCluster, Procedure> procedure) {
      this.step = step;
      this.regionsAfter = regionsAfter;
      this.procedure = procedure;
    }
  }

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void createATable() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.run(cluster.createTable("g", "p"));
  }

  @ParameterizedTest
  @EnumSource
  void itsRegionsAndFilesStayAsTheyAreUntilItGoesOn(Scenario scenario) throws IOException {
    long id = beginAndKill(scenario);
    Set<String> open = cluster.openRegions();
    Set<String> directories = directories();

    startWithoutDescriptor();
    cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL.multipliedBy(3));
    assertThat(cluster.openRegions()).isEqualTo(open);
    assertThat(directories()).isEqualTo(directories);

    restart();
    cluster.runUntil(cluster::isIdle);
    assertThat(state(id)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(cluster.openRegions()).hasSize(scenario.regionsAfter);
    assertThat(directories()).containsAll(cluster.openRegions());
  }

  @ParameterizedTest
  @EnumSource
  void itExcludesOthersAndHoldsUpNoStop(Scenario scenario) throws IOException {
    long id = beginAndKill(scenario);
    startWithoutDescriptor();
    CompletableFuture<Long> next = cluster.submit(cluster.setEnabled(false));
    cluster.letTimePass(Duration.ofSeconds(1));
    assertThatThrownBy(next::join)
        .hasMessageContaining(
            "DISABLE_TABLE was not done: procedure %d (%s) holds".formatted(id, kind(id)));
    assertThat(cluster.active().procedures().abort(id)).isFalse();

    boolean[] ended = {false};
    cluster.active().procedures().end(() -> ended[0] = true);
    assertThat(ended).containsExactly(true);
  }

  /** Until it is decided, a split can be undone, so that its parent may serve meanwhile. */
  @Test
  void aProcedureThatCanBeUndoneKeepsNoRegionClosed() throws IOException {
    long id = beginAndKill(Scenario.SPLIT, 1);
    startWithoutDescriptor();
    cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL);
    assertThat(cluster.openRegions()).hasSize(3);

    restart();
    cluster.runUntil(cluster::isIdle);
    assertThat(state(id)).isEqualTo(ProcedureState.SUCCESS);
    assertThat(cluster.openRegions()).hasSize(4);
  }

  /** As in 0.1.0, which opened the parent, and archived the daughters. */
  @Test
  void daughtersAreMadeAgainIfTheirParentHasServedSince() throws IOException {
    Set<String> before = directories();
    RegionInfo parent = regions(cluster).get(1);
    beginAndKill(Scenario.SPLIT);
    cluster.servers.meta.replace(
        row -> row.equals(parent.regionNameAsString()), "info:state", "OFFLINE");
    for (String daughter : directories()) {
      if (!before.contains(daughter)) {
        cluster.storage.delete("data/default/orders/" + daughter);
      }
    }
    assertThat(directories()).isEqualTo(before);

    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.openRegions()).hasSize(4);
    assertThat(directories()).containsAll(cluster.openRegions());
  }

  @Test
  void aDamagedTableIsNotRepairedBeforeTheNextStart() throws IOException {
    cluster.run(cluster.setEnabled(false));
    cluster.killMaster();
    startWithoutDescriptor();
    RegionInfo stray = new RegionInfo(SimulatedCluster.TABLE, Bytes.EMPTY, Bytes.utf8("c"), 1);
    cluster.storage.writeAll(
        TableFiles.directory(stray) + "/.regioninfo", RegionInfoFormat.toFile(stray));
    cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL);
    assertThat(directories()).contains(stray.encodedName());

    restart();
    assertThat(directories()).doesNotContain(stray.encodedName());
    assertThat(cluster.tableState()).hasValue(State.DISABLED);
  }

  private long beginAndKill(Scenario scenario) {
    return beginAndKill(scenario, scenario.step);
  }

  /** Kills the master at a step, before {@code hbase:meta} has anything of it. */
  private long beginAndKill(Scenario scenario, int step) {
    CompletableFuture<Long> id = cluster.submit(scenario.procedure.apply(cluster));
    BooleanSupplier reached = () -> id.isDone() && record(id.join()).step() == step;
    cluster.servers.meta.refused = mutation -> reached.getAsBoolean();
    cluster.runUntil(reached);
    cluster.killMaster();
    cluster.servers.meta.refused = mutation -> false;
    return id.join();
  }

  private void startWithoutDescriptor() throws IOException {
    cluster.storageFault = (operation, path) -> path.startsWith(DESCRIPTORS);
    cluster.startUp();
    assertThat(cluster.active().tables().damage()).hasSize(1);
    cluster.storageFault = (operation, path) -> false;
  }

  private void restart() throws IOException {
    cluster.killMaster();
    cluster.startUp();
  }

  private ProcedureState state(long id) {
    return record(id).state();
  }

  private ProcedureKind kind(long id) {
    return record(id).kind();
  }

  private ProcedureRecord record(long id) {
    return cluster.active().procedures().find(id).orElseThrow();
  }

  private Set<String> directories() throws IOException {
    return new TreeSet<>(new TableFiles(cluster.storage).regionDirectories(SimulatedCluster.TABLE));
  }

  private static List<RegionInfo> regions(SimulatedCluster cluster) {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .sorted(Comparator.comparing(RegionInfo::startKey, Arrays::compareUnsigned))
        .toList();
  }
}
