package dev.cairn.server.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.loadsplit.LoadTotals;
import dev.cairn.server.loadsplit.ProcessTime;
import dev.cairn.server.master.FakeHooks;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.balancer.BalancerRun.Cause;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the balancer in a simulated cluster whose servers report made-up loads. */
class RegionBalancerTest {
  private static final Duration REPORT = Duration.ofSeconds(3);

  /** The length of a test of moves that should not be made. */
  private static final int MINUTES = 40;

  @RegisterExtension private final LoggedLines log = new LoggedLines(RegionBalancer.class);

  private final SimulatedCluster cluster = new SimulatedCluster();

  /** By region: the server and the totals since it was opened there. */
  private final Map<String, Opening> openings = new HashMap<>();

  /** Milliseconds of processor time per second; by region. */
  private ToDoubleFunction<RegionInfo> load = region -> 0;

  /** Requests per second; by region. */
  private ToDoubleFunction<RegionInfo> requests = region -> 0;

  /** Microseconds of processor time for each request, beside the region's own. */
  private long requestMicros;

  private final Map<ServerName, Long> processNanos = new HashMap<>();
  private Optional<String> notice = Optional.empty();
  private long millis = 1_000_000;

  private record Opening(ServerName server, long nanos, long requests) {}

  private static ServerName server(int number) {
    return new ServerName("s" + number, 16020, 1);
  }

  private void start(int servers, Map<String, String> settings) throws IOException {
    cluster.balancer = BalancerSettings.of(new SiteConfig(settings));
    for (int s = 0; s < servers; s++) {
      cluster.addServer(server(s));
    }
    cluster.startUp();
  }

  private void createTable(int regions) {
    cluster.run(
        cluster.createTable(
            IntStream.range(1, regions).mapToObj("%03d"::formatted).toArray(String[]::new)));
  }

  private RegionBalancer balancer() {
    return cluster.active().balancer();
  }

  private Collection<RegionStateNode> nodes() {
    return cluster.active().assignments().of(SimulatedCluster.TABLE);
  }

  private static int number(RegionInfo region) {
    return region.startKey().length == 0 ? 0 : Integer.parseInt(Bytes.utf8(region.startKey()));
  }

  /** Lets time pass, with a report of each server every three seconds. */
  private void pass(Duration duration) {
    for (Duration left = duration; !left.isNegative(); left = left.minus(REPORT)) {
      cluster.letTimePass(REPORT);
      millis += REPORT.toMillis();
      List<ServerName> servers = List.copyOf(cluster.active().servers().all());
      for (ServerName server : servers) {
        ServerLoad report = report(server);
        cluster
            .master
            .loop()
            .post(
                () ->
                    cluster
                        .active()
                        .members()
                        .reported(server, Optional.of(report), Duration.ZERO));
      }
    }
  }

  private ServerLoad report(ServerName server) {
    ServerLoad.Builder all = ServerLoad.newBuilder().setReportEndTime(millis);
    for (RegionStateNode node : nodes()) {
      if (node.openServer().equals(Optional.of(server))) {
        RegionInfo region = node.region();
        Opening before = openings.get(region.encodedName());
        boolean isNew = before == null || !before.server().equals(server);
        long now = (long) (load.applyAsDouble(region) * REPORT.toMillis() * 1e3);
        long calls = (long) (requests.applyAsDouble(region) * REPORT.toMillis() / 1e3);
        processNanos.merge(server, now + calls * requestMicros * 1_000, Long::sum);
        long nanos = isNew ? now : before.nanos() + now;
        long count = isNew ? calls : before.requests() + calls;
        openings.put(region.encodedName(), new Opening(server, nanos, count));
        RegionLoad.Builder one =
            RegionLoad.newBuilder()
                .setRegionSpecifier(
                    RegionSpecifier.newBuilder()
                        .setType(RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.copyFrom(region.regionName())));
        new LoadTotals(0, nanos, count).write(one, notice);
        all.addRegionLoads(one);
      }
    }
    if (requestMicros > 0) {
      ProcessTime.write(all, processNanos.getOrDefault(server, 0L));
    }
    return all.build();
  }

  private double[] loads(int servers) {
    double[] sums = new double[servers];
    for (RegionStateNode node : nodes()) {
      int at = Integer.parseInt(node.openServer().orElseThrow().host().substring(1));
      sums[at] += load.applyAsDouble(node.region());
    }
    return sums;
  }

  private double excess(int servers) {
    double[] loads = loads(servers);
    double mean = IntStream.range(0, servers).mapToDouble(s -> loads[s]).average().orElseThrow();
    return IntStream.range(0, servers).mapToDouble(s -> loads[s]).max().orElseThrow() / mean - 1;
  }

  private int hosted(ServerName server) {
    return cluster.servers.hosted.get(server).size();
  }

  @Test
  void aNewServerGetsItsShareWithinAMinute() throws IOException {
    start(2, Map.of());
    createTable(28);
    pass(Duration.ofSeconds(20));
    assertThat(balancer().log().moves()).isZero();
    cluster.addServer(server(2));
    pass(Duration.ofSeconds(40));
    assertThat(hosted(server(2))).isEqualTo(10); // of 30
    assertThat(balancer().log().decisions()).isEmpty();
    assertThat(balancer().log().runs().get(0).cause()).isEqualTo(Cause.NEW_SERVER);
    long moves = balancer().log().moves();
    pass(Duration.ofMinutes(20));
    assertThat(balancer().log().moves()).as("no more moves").isEqualTo(moves);
  }

  /** Calls hooks of the balancer as a test wants it. */
  private static final class BalancerHooks extends FakeHooks {
    private final List<BalanceRequest> requests = new ArrayList<>();
    private boolean refuse;
    private Runnable before = () -> {};

    @Override
    public boolean concerns(String method) {
      return method.equals("Balance");
    }

    @Override
    public Balanced balance(BalanceRequest request, Body<BalanceRequest, Balanced> body)
        throws IOException {
      requests.add(request);
      if (refuse) {
        throw new IOException("refused");
      }
      before.run();
      return body.run(request);
    }
  }

  @Test
  void hooksAreAskedBeforeOwnRunsAlsoWhileARegionIsStuck() throws IOException {
    BalancerHooks hooks = new BalancerHooks();
    cluster.hooks = hooks.source();
    start(3, Map.of());
    createTable(12);
    hooks.refuse = true;
    RegionStateNode broken =
        nodes().stream().filter(node -> node.isAt(server(2))).findFirst().orElseThrow();
    cluster.servers.failingOpens.put(broken.region().encodedName(), 100_000);
    cluster.killServer(server(2));
    pass(Duration.ofMinutes(5));
    cluster.addServer(server(3));
    pass(Duration.ofMinutes(1));
    assertThat(hooks.requests)
        .isNotEmpty()
        .allMatch(request -> balancer().mayRun(request), "asks the hooks");
    assertThat(balancer().log().moves()).as("the hooks refuse all").isZero();
    hooks.refuse = false;
    pass(Duration.ofMinutes(6));
    assertThat(nodes().stream().filter(node -> node.isAt(server(3)))).hasSizeGreaterThan(2);
  }

  @Test
  void aRunDoesNotMoveIfTheSwitchIsTurnedOffDuringItsHooks() throws IOException {
    BalancerHooks hooks = new BalancerHooks();
    cluster.hooks = hooks.source();
    start(2, Map.of());
    createTable(28);
    hooks.before =
        () -> {
          cluster.active().switches().set(Switch.BALANCER, false, Completion.UNHEARD);
          cluster.runUntil(() -> !cluster.active().switches().isOn(Switch.BALANCER));
        };
    cluster.addServer(server(2));
    pass(Duration.ofMinutes(1));
    assertThat(hooks.requests).hasSize(1);
    assertThat(balancer().log().runs()).isEmpty();
  }

  @Test
  void aRegionThatCannotOpenDoesNotStopTheBalancer() throws IOException {
    start(3, Map.of());
    createTable(12);
    RegionStateNode broken =
        nodes().stream().filter(node -> node.isAt(server(2))).findFirst().orElseThrow();
    cluster.servers.failingOpens.put(broken.region().encodedName(), 100_000);
    cluster.killServer(server(2));
    pass(Duration.ofMinutes(5));
    long began = broken.inTransitionSinceMillis();
    assertThat(cluster.lanes.currentTimeMillis() - began).isGreaterThan(200_000);
    cluster.addServer(server(3));
    pass(Duration.ofMinutes(1));
    assertThat(nodes().stream().filter(node -> node.isAt(server(3)))).hasSizeGreaterThan(2);
  }

  @Test
  void aServerWithoutRegionsGetsItsShareAlsoFromAMasterThatStartsAfterIt() throws IOException {
    start(3, Map.of());
    createTable(12);
    cluster.killServer(server(2));
    cluster.runUntil(
        () -> cluster.isIdle() && nodes().stream().noneMatch(node -> node.isAt(server(2))));
    cluster.killMaster();
    cluster.addServer(server(2));
    cluster.startUp();
    pass(Duration.ofMinutes(1));
    assertThat(nodes().stream().filter(node -> node.isAt(server(2)))).hasSizeBetween(3, 5);
  }

  @Test
  void aRestartMovesNothing() throws IOException {
    start(4, Map.of());
    createTable(17);
    load = region -> 10 + number(region) % 3;
    pass(Duration.ofMinutes(2));
    long moves = balancer().log().moves();
    assertThat(moves).isLessThan(6);
    cluster.startMaster();
    cluster.runUntil(() -> cluster.master.isInitialized());
    pass(Duration.ofMinutes(11));
    assertThat(balancer().log().runs()).isNotEmpty().allMatch(run -> run.moves().isEmpty());
  }

  @Test
  void loadIsSpreadWithinAMinuteAndThenLeftAlone() throws IOException {
    start(4, Map.of());
    createTable(40);
    pass(Duration.ofSeconds(30));
    // zipfian, and all hot ones at one server
    List<RegionInfo> first =
        nodes().stream()
            .filter(node -> node.openServer().equals(Optional.of(server(1))))
            .map(RegionStateNode::region)
            .toList();
    load = region -> first.contains(region) ? 300.0 / (1 + first.indexOf(region)) : 20;
    pass(Duration.ofSeconds(60));
    assertThat(excess(4)).isLessThan(0.1);
    long moves = balancer().log().moves();
    assertThat(moves).isBetween(3L, 20L);
    pass(Duration.ofMinutes(30));
    assertThat(balancer().log().moves()).as("moves").isLessThanOrEqualTo(moves + 2);
    assertThat(excess(4)).isLessThan(0.1);
  }

  @Test
  void loadIsMeasuredByTheProcessesNotByTheEngineAlone() throws IOException {
    start(4, Map.of());
    createTable(40);
    requestMicros = 50;
    load = region -> 0.1; // far below what is worth a move
    requests = region -> number(region) < 10 ? 1_000 : 100;
    pass(Duration.ofSeconds(90));
    double[] sums = new double[4];
    for (RegionStateNode node : nodes()) {
      int at = Integer.parseInt(node.openServer().orElseThrow().host().substring(1));
      sums[at] += requests.applyAsDouble(node.region());
    }
    double mean = IntStream.range(0, 4).mapToDouble(s -> sums[s]).average().orElseThrow();
    for (double sum : sums) {
      assertThat(sum / mean).isBetween(0.9, 1.1);
    }
    long moves = balancer().log().moves();
    pass(Duration.ofMinutes(20));
    assertThat(balancer().log().moves()).as("moves").isLessThanOrEqualTo(moves + 2);
  }

  @Test
  void anIdleServerGetsLoad() throws IOException {
    start(4, Map.of());
    createTable(80);
    List<RegionInfo> idle =
        nodes().stream()
            .filter(node -> node.openServer().equals(Optional.of(server(1))))
            .map(RegionStateNode::region)
            .toList();
    load = region -> idle.contains(region) ? 8 : 10; // 84 % of the mean; the others have 105 %
    pass(Duration.ofSeconds(60));
    double[] loads = loads(4);
    double mean = IntStream.range(0, 4).mapToDouble(s -> loads[s]).average().orElseThrow();
    assertThat(loads[1] / mean).isGreaterThan(0.9);
  }

  @Test
  void aLoadThatMovesCausesFewMoves() throws IOException {
    // 16 moves were allowed before; 8 periodic runs also count regions.
    assertThat(movesForALoadThatMoves(Map.of())).isLessThanOrEqualTo(MINUTES + 16 + 8);
  }

  @Test
  void withoutPausesALoadThatMovesCausesManyMoves() throws IOException {
    assertThat(
            movesForALoadThatMoves(
                Map.of(
                    BalancerSettings.LOAD_PAUSE_MILLIS.name(), "0",
                    BalancerSettings.LOAD_REST_MILLIS.name(), "0")))
        .isGreaterThan(2 * (MINUTES + 16 + 8));
  }

  /** Returns the moves within {@link #MINUTES} in each of which other regions are hot. */
  private long movesForALoadThatMoves(Map<String, String> settings) throws IOException {
    start(4, settings);
    createTable(40);
    int[] hot = {0};
    load = region -> 20 + (Math.abs(number(region) - hot[0]) < 4 ? 150 : 0);
    pass(Duration.ofSeconds(60));
    long moves = balancer().log().moves();
    for (int i = 0; i < MINUTES; i++) {
      hot[0] = (hot[0] + 7) % 40;
      pass(Duration.ofMinutes(1));
    }
    return balancer().log().moves() - moves;
  }

  @Test
  void aLoadThatIsNeverEqualIsLeftAlone() throws IOException {
    assertThat(movesForAnUnsteadyLoad(Map.of())).isZero();
  }

  @Test
  void withoutALeastGainAnUnsteadyLoadCausesMoves() throws IOException {
    assertThat(
            movesForAnUnsteadyLoad(
                Map.of(
                    BalancerSettings.GAIN_MIN.name(), "0",
                    BalancerSettings.COST_MIN.name(), "0",
                    BalancerSettings.EXCESS.name(), "0")))
        .isGreaterThan(20);
  }

  /** Returns the moves within {@link #MINUTES} of regions whose loads differ a little each time. */
  private long movesForAnUnsteadyLoad(Map<String, String> settings) throws IOException {
    start(4, settings);
    createTable(40);
    Random random = new Random(1);
    load = region -> 50 + random.nextInt(5);
    pass(Duration.ofMinutes(2));
    long moves = balancer().log().moves();
    pass(Duration.ofMinutes(MINUTES));
    return balancer().log().moves() - moves;
  }

  @Test
  void aLoadThatCannotBeSpreadIsReportedOnce() throws IOException {
    start(3, Map.of());
    createTable(12);
    notice = Optional.of("It has one row.");
    load = region -> number(region) == 5 ? 900 : 10;
    pass(Duration.ofMinutes(5));
    assertThat(balancer().notice().orElseThrow())
        .contains("no move of a region changes that enough")
        .endsWith("It has one row.");
    assertThat(log.all()).filteredOn(line -> line.startsWith("WARN ")).hasSize(1);
    long moves = balancer().log().moves();
    pass(Duration.ofMinutes(20));
    assertThat(log.all()).filteredOn(line -> line.startsWith("WARN ")).hasSize(1);
    assertThat(balancer().log().moves()).isEqualTo(moves);
    load = region -> 10;
    pass(Duration.ofMinutes(1));
    assertThat(balancer().notice()).isEmpty();
  }

  @Test
  void theHalvesOfAHotRegionComeApart() throws IOException {
    start(2, Map.of());
    createTable(1);
    load = region -> region.startKey().length + region.endKey().length == 0 ? 800 : 400;
    pass(Duration.ofMinutes(2));
    RegionStateNode parent = nodes().iterator().next();
    cluster.run(
        new SplitRegionProcedure(
            cluster.active().procedureContext(), "user", parent.region(), Bytes.utf8("500")));
    pass(Duration.ofSeconds(15));
    assertThat(nodes().stream().map(RegionStateNode::openServer).distinct()).hasSize(2);
  }

  @Test
  void theSwitchIsObeyed() throws IOException {
    start(2, Map.of());
    createTable(20);
    cluster
        .master
        .loop()
        .post(
            () ->
                cluster
                    .active()
                    .switches()
                    .set(Switch.BALANCER, false, Completion.of(() -> {}, cause -> {})));
    load = region -> number(region) < 10 ? 50 : 5;
    cluster.addServer(server(2));
    pass(Duration.ofMinutes(12));
    assertThat(balancer().log().moves()).isZero();
    assertThat(balancer().log().runs()).isEmpty();
    assertThat(request(BalanceRequest.getDefaultInstance()).getBalancerRan()).isFalse();
  }

  @Test
  void movesPerHourAreBounded() throws IOException {
    start(2, Map.of(BalancerSettings.MOVES_PER_HOUR.name(), "3"));
    createTable(30);
    cluster.addServer(server(2));
    pass(Duration.ofMinutes(50));
    assertThat(balancer().log().movesOfHour()).isEqualTo(3);
    BalanceResponse response = request(BalanceRequest.getDefaultInstance());
    assertThat(response.getMovesExecuted()).isGreaterThan(3);
    cluster.runUntil(cluster::isIdle);
    assertThat(hosted(server(2))).as("on request").isGreaterThan(9);
  }

  @Test
  void withoutTheBoundMoreMovesAreMade() throws IOException {
    start(2, Map.of());
    createTable(30);
    cluster.addServer(server(2));
    pass(Duration.ofMinutes(50));
    assertThat(balancer().log().movesOfHour()).isGreaterThan(3);
  }

  @Test
  void aDrainingServerKeepsItsRegions() throws IOException {
    start(3, Map.of());
    createTable(12);
    load = region -> 10 + number(region) % 3;
    cluster.mark(server(1), true);
    int before = hosted(server(1));
    pass(Duration.ofMinutes(11));
    assertThat(balancer().log().runs()).isNotEmpty();
    assertThat(hosted(server(1))).isEqualTo(before);
  }

  @Test
  void aDryRunMovesNothing() throws IOException {
    start(1, Map.of(BalancerSettings.PERIOD_MILLIS.name(), "0"));
    createTable(20);
    cluster.addServer(server(1));
    pass(Duration.ofMinutes(10));
    assertThat(hosted(server(1))).as("on request only").isZero();
    BalanceResponse response = request(BalanceRequest.newBuilder().setDryRun(true).build());
    assertThat(response.getBalancerRan()).isTrue();
    assertThat(response.getMovesCalculated()).isEqualTo(11);
    assertThat(response.getMovesExecuted()).isZero();
    cluster.runUntil(cluster::isIdle);
    assertThat(hosted(server(1))).isZero();
    assertThat(balancer().log().runs())
        .singleElement()
        .matches(run -> run.cause() == Cause.DRY_RUN && run.moves().size() == 11);
  }

  private BalanceResponse request(BalanceRequest request) {
    return balancer().run(request).response();
  }
}
