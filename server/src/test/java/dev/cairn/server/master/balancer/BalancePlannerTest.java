package dev.cairn.server.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.balancer.BalancePlan.Move;
import dev.cairn.server.master.balancer.BalancePlanner.Goal;
import dev.cairn.server.master.balancer.ClusterSnapshot.Region;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRule;
import dev.cairn.server.master.placement.RulePlacement;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests plans with random clusters, and the promises that each plan keeps. */
class BalancePlannerTest {
  private static final int ROUNDS = 400;
  private static final PlacementRule NONE = (request, server) -> Optional.empty();

  private final List<Region> regions = new ArrayList<>();
  private List<PlacementRule> rules = List.of(NONE);

  private static ServerName server(int number) {
    return new ServerName("s%03d".formatted(number), 16020, 1);
  }

  private static List<ServerName> servers(int count) {
    return IntStream.range(0, count).mapToObj(BalancePlannerTest::server).toList();
  }

  private void add(String table, int server, double cpuMillis) {
    add(new RegionFigures(cpuMillis * 1e6, 0, 0, 0, 0, 0), table, server(server), true, 1);
  }

  private void add(
      RegionFigures figures, String table, ServerName at, boolean isMovable, double reluctance) {
    byte[] start = Bytes.utf8("%06d".formatted(regions.size()));
    RegionInfo info = new RegionInfo(TableName.parse(table), start, Bytes.EMPTY, 1);
    regions.add(new Region(info, at, figures, isMovable, reluctance, Map.of()));
  }

  /** What the regions of a snapshot say. */
  private record Known(List<ServerName> ready, List<Region> regions) implements KnownServers {
    @Override
    public boolean isReady(ServerName server) {
      return ready.contains(server);
    }

    @Override
    public int regionCount(ServerName server) {
      return (int) regions.stream().filter(one -> one.server().equals(server)).count();
    }

    @Override
    public Stream<RegionInfo> regions(ServerName server, TableName table) {
      return regions.stream()
          .filter(one -> one.server().equals(server) && one.info().table().equals(table))
          .map(Region::info);
    }

    @Override
    public Stream<ServerName> othersOf(RegionInfo region) {
      return Stream.empty();
    }

    @Override
    public long replayedSequence(ServerName server, RegionInfo replica) {
      return 0;
    }

    @Override
    public Optional<ServerLoad> load(ServerName server) {
      return Optional.empty();
    }

    @Override
    public OptionalDouble locality(ServerName server, RegionInfo region) {
      return OptionalDouble.empty();
    }
  }

  private static ClusterSnapshot snapshot(List<ServerName> servers, List<Region> regions) {
    return new ClusterSnapshot(servers, regions, new Known(servers, regions));
  }

  private BalancePlan plan(ClusterSnapshot snapshot, Goal goal, int movesMax) {
    return plan(snapshot, goal, movesMax, movesMax);
  }

  private BalancePlan plan(ClusterSnapshot snapshot, Goal goal, int movesMax, int loadMovesMax) {
    return new BalancePlanner(BalancerSettings.DEFAULTS, new RulePlacement(rules, true))
        .plan(snapshot, goal, movesMax, loadMovesMax);
  }

  private BalancePlan plan(int servers, Goal goal) {
    return plan(snapshot(servers(servers), regions), goal, Integer.MAX_VALUE / 8);
  }

  private static ClusterSnapshot after(ClusterSnapshot before, BalancePlan plan) {
    Map<RegionInfo, ServerName> to = new HashMap<>();
    plan.moves().forEach(move -> to.put(move.region(), move.to()));
    return snapshot(
        before.servers(),
        before.regions().stream()
            .map(
                one ->
                    new Region(
                        one.info(),
                        to.getOrDefault(one.info(), one.server()),
                        one.figures(),
                        one.isMovable(),
                        one.reluctance(),
                        one.localities()))
            .toList());
  }

  private double[] cpu(int servers, BalancePlan plan) {
    double[] sums = new double[servers];
    for (Region region : after(snapshot(servers(servers), regions), plan).regions()) {
      sums[servers(servers).indexOf(region.server())] += region.figures().nanos() / 1e6;
    }
    return sums;
  }

  private int[] counts(int servers, BalancePlan plan) {
    int[] counts = new int[servers];
    for (Region region : after(snapshot(servers(servers), regions), plan).regions()) {
      counts[servers(servers).indexOf(region.server())]++;
    }
    return counts;
  }

  @Test
  void aPlanSettlesWhateverTheStart() {
    long seed = Long.getLong("cairn.seed", new Random().nextLong());
    for (int round = 0; round < ROUNDS; round++) {
      settles(new Random(seed + round), "cairn.seed=" + (seed + round));
    }
  }

  /**
   * With the first two seeds, plans did not settle: replaced steps counted as moves for load, and
   * sums had rounding errors. The third one fails if the last search does not ask the rules again.
   */
  @ParameterizedTest
  @ValueSource(longs = {-7458230340172270819L, 10252, 572})
  void aPlanSettlesWithTheseSeeds(long seed) {
    settles(new Random(seed), "cairn.seed=" + seed);
  }

  private void settles(Random random, String what) {
    regions.clear();
    List<ServerName> servers = servers(1 + random.nextInt(9));
    int tables = 1 + random.nextInt(5);
    int count = random.nextInt(10) == 0 ? random.nextInt(4) : random.nextInt(200);
    boolean idle = random.nextInt(4) == 0;
    boolean zipfian = random.nextBoolean();
    int crowded = 1 + random.nextInt(servers.size());
    for (int r = 0; r < count; r++) {
      double load = idle ? 0 : zipfian ? 1000.0 / (1 + r) : random.nextDouble() * 100;
      double other = random.nextInt(3) == 0 ? 0 : random.nextDouble();
      add(
          new RegionFigures(
              load * 1e6, other * 1e4, load * 10, load * 1e5, other * 128, other * 10_000),
          "t" + random.nextInt(tables),
          servers.get(random.nextInt(crowded)),
          random.nextInt(20) > 0,
          random.nextInt(10) == 0 ? 4 : 1);
    }
    rules =
        switch (random.nextInt(3)) {
          case 0 -> List.of(NONE);
          // groups: the tables and servers of one are apart from the others
          case 1 ->
              List.of(
                  (request, server) ->
                      request.region().table().qualifier().equals("t0")
                              == (server.host().compareTo("s001") <= 0)
                          ? Optional.empty()
                          : Optional.of("is of another group"));
          // depends on other moves of the same plan
          default -> List.of(atMost(1 + count / 2));
        };
    int movesMax = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 10_000;
    Goal goal = random.nextBoolean() ? Goal.ALL : Goal.LOAD;
    int loadMovesMax = random.nextInt(3) == 0 ? random.nextInt(6) : movesMax;
    if (random.nextInt(3) == 0) {
      int most = Math.max(1, count / tables / servers.size() + random.nextInt(3));
      rules = List.of(atMost(most));
    }
    if (random.nextInt(3) == 0) {
      regions.replaceAll(one -> withFigures(one, ofSize(idle, random.nextInt(3))));
    }
    ClusterSnapshot now = snapshot(servers, List.copyOf(regions));
    for (int run = 0; ; run++) {
      assertThat(run).as(what).isLessThan(1_000);
      BalancePlan plan = plan(now, goal, movesMax, loadMovesMax);
      assertThat(plan(now, goal, movesMax, loadMovesMax)).as(what).isEqualTo(plan);
      keepsItsPromises(now, plan, movesMax, loadMovesMax, what);
      if (plan.moves().isEmpty()) {
        assertThat(plan.isComplete() || loadMovesMax == 0).as(what).isTrue();
        return;
      }
      now = after(now, plan);
      if (plan.isComplete()) {
        assertThat(plan(now, goal, movesMax, loadMovesMax).moves()).as(what).isEmpty();
      }
    }
  }

  /** Depends on the other moves of a plan. */
  private static PlacementRule atMost(int ofTable) {
    return (request, server) ->
        request
                    .servers()
                    .regions(server, request.region().table())
                    .filter(other -> !other.equals(request.region()))
                    .count()
                < ofTable
            ? Optional.empty()
            : Optional.of("has many of the table");
  }

  /** Few sizes make servers equal but for rounding errors. */
  private static RegionFigures ofSize(boolean idle, int size) {
    return new RegionFigures(
        idle ? 0 : size * 1e7, 0, size, size * 1e5, size * 50.0, size * 10_000.0);
  }

  private static Region withFigures(Region one, RegionFigures figures) {
    return new Region(
        one.info(), one.server(), figures, one.isMovable(), one.reluctance(), one.localities());
  }

  private void keepsItsPromises(
      ClusterSnapshot now, BalancePlan plan, int movesMax, int loadMovesMax, String what) {
    Map<RegionInfo, Region> before = new HashMap<>();
    now.regions().forEach(region -> before.put(region.info(), region));
    assertThat(plan.moves().stream().map(Move::region)).as(what).doesNotHaveDuplicates();
    for (Move move : plan.moves()) {
      assertThat(before.get(move.region()).isMovable()).as(what).isTrue();
      assertThat(move.from()).as(what).isEqualTo(before.get(move.region()).server());
      assertThat(move.from()).as(what).isNotEqualTo(move.to());
      assertThat(move.decision().reason()).as(what).isNotEmpty();
    }
    long own = plan.moves().stream().filter(move -> !move.isRequired()).count();
    assertThat(own).as(what).isLessThanOrEqualTo(movesMax + 10L);
    long forLoad = plan.moves().stream().filter(Move::isForLoad).count();
    assertThat(forLoad).as(what).isLessThanOrEqualTo(loadMovesMax == 0 ? 0 : loadMovesMax + 1);
    assertThat(plan.isComplete() || own >= movesMax || forLoad >= loadMovesMax).as(what).isTrue();
    if (plan.moves().stream().noneMatch(Move::isRequired)) {
      assertThat(plan.after().cost()).as(what).isLessThanOrEqualTo(plan.before().cost() + 1e-6);
      if (!plan.moves().isEmpty()) {
        assertThat(plan.after().cost()).as(what).isLessThan(plan.before().cost());
      }
    }
    assertThat(
            new PlannedCluster(after(now, plan), BalancerSettings.DEFAULTS.weights())
                .imbalance()
                .cost())
        .as(what)
        .isCloseTo(plan.after().cost(), within(1e-3 * (1 + plan.after().cost())));
  }

  @Test
  void aNewServerGetsItsShare() {
    for (int r = 0; r < 30; r++) {
      add("t", r % 3, 0);
    }
    assertThat(counts(4, plan(4, Goal.ALL))).containsExactlyInAnyOrder(8, 8, 7, 7);
  }

  @Test
  void aHotRegionStaysAndTheOthersLeave() {
    add("t", 0, 500);
    for (int r = 0; r < 40; r++) {
      add("t", r % 4, 40);
    }
    BalancePlan plan = plan(4, Goal.LOAD);
    assertThat(plan.moves()).noneMatch(move -> move.region().equals(regions.get(0).info()));
    assertThat(Arrays.stream(cpu(4, plan)).boxed()).allMatch(sum -> sum > 475 && sum < 580);
    assertThat(plan.moves().get(0).decision().reason())
        .startsWith("the balancer moved it for its processor time, 7.6 % of the mean: s000:16020");
  }

  @Test
  void twoRegionsChangePlacesIfNoneCanMoveAlone() {
    add("t", 0, 60);
    add("t", 0, 60);
    add("t", 1, 40);
    add("t", 1, 40);
    BalancePlan plan = plan(2, Goal.LOAD);
    assertThat(plan.moves()).hasSize(2);
    assertThat(cpu(2, plan)).containsExactly(100, 100);
  }

  @Test
  void aPlanThatTheLimitOfMovesForLoadEndsIsNotComplete() {
    for (int r = 0; r < 8; r++) {
      add("t", 0, 100);
    }
    ClusterSnapshot snapshot = snapshot(servers(2), regions);
    for (int limit = 0; limit < 4; limit++) {
      BalancePlan plan = plan(snapshot, Goal.ALL, 100, limit);
      assertThat(plan.moves()).filteredOn(Move::isForLoad).hasSize(limit);
      assertThat(plan.isComplete()).isFalse();
      assertThat(plan.end()).isEqualTo("The limit of moves for processor time is reached.");
    }
    assertThat(plan(snapshot, Goal.ALL, 100, 4).isComplete()).isTrue();
    rules = List.of((request, server) -> Optional.of("is full"));
    assertThat(plan(snapshot, Goal.ALL, 100, 0).isComplete()).isTrue();
  }

  @Test
  void twoRegionsDoNotChangePlacesIfTheSecondMoveIsRefusedAfterTheFirst() {
    add("t", 0, 60);
    add("t", 0, 60);
    add("t", 1, 40);
    add("t", 1, 40);
    rules =
        List.of(
            (request, server) ->
                server.equals(server(0))
                        && request.servers().regions(server, request.region().table()).count() < 2
                    ? Optional.of("has few regions")
                    : Optional.empty());
    BalancePlan plan = plan(2, Goal.LOAD);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.isComplete()).isTrue();
  }

  @Test
  void theStepsOfARegionCountAsOneMove() {
    add("t", 0, 100);
    add("t", 0, 100);
    PlannedMoves moves =
        new PlannedMoves(
            new PlannedCluster(snapshot(servers(3), regions), BalancerSettings.DEFAULTS.weights()));
    PlacementDecision asked =
        new PlacementDecision(
            regions.get(0).info(), PlacementReason.BALANCE, Optional.empty(), "", Map.of());
    moves.make(0, 1, asked, "a rule", true, false);
    moves.make(0, 2, asked, "its load", false, true);
    moves.make(0, 1, asked, "its table", false, false);
    moves.make(1, 1, asked, "its load", false, true);
    assertThat(moves.loadCount()).isEqualTo(2);
    assertThat(moves.list()).extracting(Move::isForLoad).containsExactly(true, true);
    assertThat(moves.list()).extracting(Move::isRequired).containsExactly(true, false);
    assertThat(moves.list())
        .extracting(move -> move.decision().reason())
        .containsExactly("a rule", "its load");
    moves.make(0, 0, asked, "its table", false, false);
    assertThat(moves.loadCount()).isEqualTo(1);
    assertThat(moves.list()).hasSize(1);
  }

  @Test
  void littleLoadIsNoise() {
    add("t", 0, 30);
    add("t", 1, 0);
    add("t", 2, 0);
    add("t", 3, 0);
    assertThat(plan(4, Goal.LOAD).moves()).isEmpty();
    assertThat(plan(4, Goal.ALL).moves()).isEmpty();
  }

  @Test
  void equalServersAreLeftAlone() {
    for (int r = 0; r < 400; r++) {
      add("t", r % 4, 10 + r % 7);
    }
    assertThat(plan(4, Goal.ALL).moves()).isEmpty();
    assertThat(plan(4, Goal.LOAD).moves()).isEmpty();
  }

  @Test
  void tablesAreSpread() {
    for (int r = 0; r < 16; r++) {
      add(r < 8 ? "one" : "two", r / 8, 0);
    }
    BalancePlan plan = plan(2, Goal.ALL);
    assertThat(counts(2, plan)).containsExactly(8, 8);
    List<Region> there =
        after(snapshot(servers(2), regions), plan).regions().stream()
            .filter(one -> one.server().equals(server(0)))
            .toList();
    assertThat(there)
        .filteredOn(one -> one.info().table().qualifier().equals("one"))
        .hasSizeBetween(3, 5);
  }

  @Test
  void aRegionLeavesAServerThatARuleRefusesFirst() {
    rules =
        List.of(
            (request, server) ->
                server.equals(server(0)) ? Optional.of("is draining") : Optional.empty());
    for (int r = 0; r < 12; r++) {
      add("t", r % 3, 0);
    }
    BalancePlan plan = plan(snapshot(servers(3), regions), Goal.ALL, 0);
    assertThat(counts(3, plan)).containsExactly(0, 6, 6);
    assertThat(plan.moves())
        .allMatch(Move::isRequired)
        .allMatch(move -> move.decision().reason().contains("is draining"));
  }

  @Test
  void aRegionThatWasMovedLatelyStaysUnlessTheGainIsLarge() {
    for (double reluctance : new double[] {1, 4}) {
      regions.clear();
      for (int r = 0; r < 20; r++) {
        add(
            new RegionFigures((r % 2 == 0 ? 11 : 9.2) * 1e7, 0, 0, 0, 0, 0),
            "t",
            server(r % 2),
            true,
            reluctance);
      }
      assertThat(plan(2, Goal.LOAD).moves()).hasSize(reluctance == 1 ? 1 : 0);
    }
  }

  @Test
  void largeClustersArePlannedQuickly() {
    Random random = new Random(7);
    for (int r = 0; r < 20_000; r++) {
      add("t" + r % 50, random.nextInt(100), 1000.0 / (1 + random.nextInt(1000)));
    }
    plan(snapshot(servers(100), regions), Goal.ALL, 1_000);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    BalancePlan plan = plan(snapshot(servers(100), regions), Goal.ALL, 1_000);
    double millis = (threads.getCurrentThreadCpuTime() - begun) / 1e6;
    assertThat(plan.after().total()).isLessThan(plan.before().total() / 4);
    double[] sums = cpu(100, plan);
    double mean = Arrays.stream(sums).average().orElseThrow();
    assertThat(Arrays.stream(sums).max().orElseThrow()).isLessThan(1.1 * mean);
    assertThat(millis).as("processor time, ms").isLessThan(5_000);
  }
}
