package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterKills;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the master, or the region's server, at every point of a split, a merge and the emptying of
 * a region: afterwards every row has one open region, and what was accepted is done.
 */
class RegionShapeKillTest {
  /** The operation on a table with three regions: up to g, from g to p, from p. */
  enum Scenario {
    SPLIT(
        4,
        c ->
            new SplitRegionProcedure(
                c.active().procedureContext(), "user", region(c, 1), utf8("k"))),
    MERGE(
        2,
        c ->
            new MergeRegionsProcedure(
                c.active().procedureContext(),
                "user",
                List.of(region(c, 2), region(c, 1)),
                MergeRegionsProcedure.Kind.ADJACENT)),
    FORCED_MERGE(
        1,
        c ->
            new MergeRegionsProcedure(
                c.active().procedureContext(),
                "user",
                regions(c),
                MergeRegionsProcedure.Kind.FORCED)),
    TRUNCATE(
        3, c -> new TruncateRegionProcedure(c.active().procedureContext(), "user", region(c, 1)));

    private final int regionsAfter;
    private final Function<SimulatedCluster, Procedure> procedure;

    Scenario(int regionsAfter, Function<SimulatedCluster, Procedure> procedure) {
      this.regionsAfter = regionsAfter;
      this.procedure = procedure;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKillBetweenActionsLeavesEveryRowOneRegion(Scenario scenario) throws IOException {
    MasterKills.betweenActions(
        RegionShapeKillTest::prepare,
        scenario.procedure,
        (cluster, accepted, when) ->
            check(scenario, cluster, accepted, Set.of(ProcedureState.SUCCESS), when));
  }

  @ParameterizedTest
  @EnumSource
  void aSecondKillDuringTheRecoveryLeavesEveryRowOneRegion(Scenario scenario) throws IOException {
    MasterKills.betweenActionsAndInRecoveries(
        RegionShapeKillTest::prepare,
        scenario.procedure,
        (cluster, accepted, when) ->
            check(scenario, cluster, accepted, Set.of(ProcedureState.SUCCESS), when));
  }

  @ParameterizedTest
  @EnumSource
  void aKillWithinAnActionLeavesEveryRowOneRegion(Scenario scenario) throws IOException {
    MasterKills.withinActions(
        RegionShapeKillTest::prepare,
        scenario.procedure,
        (cluster, accepted, when) ->
            check(scenario, cluster, accepted, Set.of(ProcedureState.SUCCESS), when));
  }

  /** Another procedure splits the first region at the same time. */
  @ParameterizedTest
  @EnumSource(names = {"SPLIT", "MERGE", "TRUNCATE"})
  void aKillDuringTwoProceduresLeavesEveryRowInOneRegion(Scenario scenario) throws IOException {
    List<CompletableFuture<Long>> other = new ArrayList<>();
    MasterKills.betweenActionsAndInRecoveries(
        () -> {
          SimulatedCluster cluster = prepare();
          other.add(
              cluster.submit(
                  new SplitRegionProcedure(
                      cluster.active().procedureContext(), "user", region(cluster, 0), utf8("c"))));
          return cluster;
        },
        scenario.procedure,
        (cluster, accepted, when) -> {
          List<RegionInfo> regions = regions(cluster);
          assertThatEveryRowHasOneOpenRegion(cluster, regions, when);
          int expected = 3;
          for (CompletableFuture<Long> one : List.of(accepted, other.get(other.size() - 1))) {
            if (one.isDone()) {
              assertThat(cluster.active().procedures().find(one.join()).orElseThrow().state())
                  .as(when)
                  .isEqualTo(ProcedureState.SUCCESS);
              expected += one == accepted ? scenario.regionsAfter - 3 : 1;
            }
          }
          if (accepted.isDone() && other.get(other.size() - 1).isDone()) {
            assertThat(regions).as(when).hasSize(expected);
          }
          cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL.multipliedBy(3));
          assertNothingIsLeftOver(cluster, regions, when);
        });
  }

  @ParameterizedTest
  @EnumSource
  void theDeathOfTheRegionsServerLeavesEveryRowOneRegion(Scenario scenario) throws IOException {
    boolean finished = false;
    for (int actions = 0; !finished; actions++) {
      SimulatedCluster cluster = prepare();
      ServerName host = host(cluster, region(cluster, 1));
      CompletableFuture<Long> accepted = cluster.submit(scenario.procedure.apply(cluster));
      BooleanSupplier ended = () -> accepted.isDone() && cluster.isIdle();
      int[] left = {actions};
      cluster.runUntil(() -> left[0]-- <= 0 || ended.getAsBoolean());
      finished = ended.getAsBoolean();
      cluster.killServer(host);
      cluster.letTimePass(Duration.ofSeconds(1));
      cluster.runUntil(ended);
      // A region that is not open cannot be worked on, so some are undone.
      Set<ProcedureState> ends = Set.of(ProcedureState.SUCCESS, ProcedureState.ROLLEDBACK);
      check(scenario, cluster, accepted, ends, "its server killed after " + actions + " actions");
    }
  }

  @Test
  void aRegionIsSplitAsTheMasterKnowsItWhateverTheClientSays() throws IOException {
    SimulatedCluster cluster = prepare();
    RegionInfo known = region(cluster, 1);
    RegionInfo told = new RegionInfo(known.table(), known.startKey(), utf8("z"), known.regionId());
    assertThat(told.encodedName()).isEqualTo(known.encodedName());
    assertThat(OpenRegions.require(cluster.active().procedureContext(), told, "split").endKey())
        .isEqualTo(known.endKey());
  }

  @ParameterizedTest
  @EnumSource(names = {"SPLIT", "MERGE"})
  void whatAMergedRegionWasMadeOfIsArchivedAlsoIfThatIsSplitOrMergedAtOnce(Scenario next)
      throws IOException {
    SimulatedCluster cluster = prepare();
    cluster.run(
        new MergeRegionsProcedure(
            cluster.active().procedureContext(),
            "user",
            List.of(region(cluster, 0), region(cluster, 1)),
            MergeRegionsProcedure.Kind.ADJACENT));
    Procedure second =
        next == Scenario.SPLIT
            ? new SplitRegionProcedure(
                cluster.active().procedureContext(), "user", region(cluster, 0), utf8("k"))
            : new MergeRegionsProcedure(
                cluster.active().procedureContext(),
                "user",
                regions(cluster),
                MergeRegionsProcedure.Kind.ADJACENT);
    cluster.run(second);
    cluster.killMaster();
    cluster.startMaster();
    cluster.runUntil(cluster::isIdle);
    cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL.multipliedBy(3));
    assertNothingIsLeftOver(cluster, regions(cluster), next.toString());
  }

  private static ServerName host(SimulatedCluster cluster, RegionInfo region) {
    return cluster.servers.hosted.keySet().stream()
        .filter(server -> cluster.servers.hosted.get(server).containsKey(region.encodedName()))
        .findFirst()
        .orElseThrow();
  }

  private static SimulatedCluster prepare() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.addServer(new ServerName("two", 16020, 1));
    cluster.startUp();
    cluster.run(cluster.createTable("g", "p"));
    return cluster;
  }

  private static void check(
      Scenario scenario,
      SimulatedCluster cluster,
      CompletableFuture<Long> accepted,
      Set<ProcedureState> ends,
      String when)
      throws IOException {
    List<RegionInfo> regions = regions(cluster);
    assertThatEveryRowHasOneOpenRegion(cluster, regions, when);
    if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
      ProcedureRecord record = cluster.active().procedures().find(accepted.join()).orElseThrow();
      assertThat(record.state()).as(when).isIn(ends);
      assertThat(regions)
          .as(when)
          .hasSize(record.state() == ProcedureState.SUCCESS ? scenario.regionsAfter : 3);
    } else {
      assertThat(regions.size()).as(when).isIn(3, scenario.regionsAfter);
    }
    cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL.multipliedBy(3));
    assertNothingIsLeftOver(cluster, regions, when);
  }

  private static void assertThatEveryRowHasOneOpenRegion(
      SimulatedCluster cluster, List<RegionInfo> regions, String when) {
    byte[] covered = Bytes.EMPTY;
    for (RegionInfo region : regions) {
      assertThat(region.startKey()).as(when).isEqualTo(covered);
      covered = region.endKey();
      assertThat(cluster.openRegions()).as(when).contains(region.encodedName());
    }
    assertThat(covered).as(when).isEmpty();
    assertThat(cluster.openRegions()).as(when).hasSameSizeAs(regions);
  }

  private static void assertNothingIsLeftOver(
      SimulatedCluster cluster, List<RegionInfo> regions, String when) throws IOException {
    // Nothing refers to a file, since there are none: parents are gone, and the table's row is
    // left.
    assertThat(cluster.metaRows()).as(when).hasSize(regions.size() + 1);
    assertThat(
            cluster.storage.list("data/default/orders").stream()
                .map(file -> file.name())
                .filter(name -> !name.startsWith(".")))
        .as(when)
        .containsExactlyInAnyOrderElementsOf(
            regions.stream().map(RegionInfo::encodedName).toList());
    assertThat(cluster.active().tables().merges()).as(when).isEmpty();
  }

  private static List<RegionInfo> regions(SimulatedCluster cluster) {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .sorted(Comparator.comparing(RegionInfo::startKey, Arrays::compareUnsigned))
        .toList();
  }

  private static RegionInfo region(SimulatedCluster cluster, int index) {
    return regions(cluster).get(index);
  }

  private static byte[] utf8(String text) {
    return Bytes.utf8(text);
  }
}
