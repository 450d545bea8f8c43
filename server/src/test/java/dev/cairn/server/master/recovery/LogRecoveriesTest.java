package dev.cairn.server.master.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.walsplit.LogPart;
import dev.cairn.server.walsplit.SplitOrder;
import dev.cairn.server.walsplit.WalSplitSettings;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Region servers split the log of a dead one; whatever they do, its regions open again. */
class LogRecoveriesTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final ServerName DEAD = new ServerName("zdead", 16020, 1);
  private static final int SPLITS_PER_SERVER = 2;
  private static final long LOG_BYTES = 1L << 30;

  /** How long a server may report nothing: 30 s, and 1 s per 8 MB. */
  private static final Duration PATIENCE = Duration.ofSeconds(30 + (LOG_BYTES >> 23));

  private final SimulatedCluster cluster = new SimulatedCluster();

  /** The orders that servers have got and not reported. */
  private final Map<ServerName, List<SplitOrder>> ordered = new TreeMap<>();

  private final List<SplitOrder> all = new ArrayList<>();
  private boolean splitByMaster;

  @BeforeEach
  void start() throws IOException {
    cluster.members =
        MemberSettings.oneServer(Duration.ofSeconds(3))
            .splitting(new WalSplitSettings(SPLITS_PER_SERVER, 32 << 20));
    cluster.logKinds = EnumSet.allOf(LogKind.class);
    cluster.logBytes = LOG_BYTES;
    cluster.split =
        (kind, parts) -> {
          splitByMaster = true;
          parts.read(kind, Set.of());
        };
    cluster.servers.splitting =
        (server, orders) -> {
          ordered.computeIfAbsent(server, key -> new ArrayList<>()).addAll(orders);
          all.addAll(orders);
        };
    for (ServerName server : List.of(ONE, TWO, THREE, DEAD)) {
      cluster.addServer(server);
    }
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d", "e", "f", "g", "h"));
    cluster.killServer(DEAD);
  }

  private void runUntilOrdered(ServerName... servers) {
    cluster.runUntil(() -> List.of(servers).stream().allMatch(server -> !orders(server).isEmpty()));
    cluster.letTimePass(Duration.ofMillis(100));
  }

  private List<SplitOrder> orders(ServerName server) {
    return ordered.getOrDefault(server, List.of());
  }

  private void report(SplitOrder order, Optional<String> failure) {
    cluster
        .master
        .loop()
        .post(() -> cluster.active().recoveries().reported(order.token(), failure));
  }

  private void reportDone(ServerName server) {
    List<SplitOrder> done = ordered.remove(server);
    if (done != null) {
      done.forEach(order -> report(order, Optional.empty()));
    }
  }

  private void fail(ServerName server) {
    ordered.remove(server).forEach(order -> report(order, Optional.of("a broken disk")));
  }

  private boolean isRecovered() {
    return cluster.recovered.contains(DEAD);
  }

  private static Set<LogPart> parts(List<SplitOrder> orders) {
    Set<LogPart> parts = new HashSet<>();
    orders.forEach(order -> assertThat(parts.add(order.part())).isTrue());
    return parts;
  }

  private List<RegionInfo> regionsOfTheDead() {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).stream()
        .filter(node -> node.server().filter(DEAD::equals).isPresent())
        .map(RegionStateNode::region)
        .toList();
  }

  private boolean isOpen(RegionInfo region) {
    return cluster.openRegions().contains(region.encodedName());
  }

  @Test
  void allServersSplitTheLogAndThatOfTheCatalogComesFirst() {
    runUntilOrdered(ONE, TWO, THREE);
    assertThat(all.get(0).part()).isEqualTo(new LogPart(LogKind.META, 0));
    assertThat(parts(all)).hasSize(1 + LogPart.REGION_PARTS);
    assertThat(all).allMatch(order -> order.dead().equals(DEAD));
    assertThat(all).extracting(SplitOrder::token).doesNotHaveDuplicates();
    assertThat(isRecovered()).isFalse();
    List.of(ONE, TWO, THREE).forEach(this::reportDone);
    cluster.runUntil(this::isRecovered);
    assertThat(cluster.archived).containsExactlyInAnyOrder(LogKind.META, LogKind.REGIONS);
    assertThat(splitByMaster).isFalse();
    assertThat(cluster.lent).isEmpty();
  }

  @Test
  void aLogThatServersHaveSplitBeforeTheMasterHasSealedItIsRecovered() {
    cluster.sealFailure = Optional.of(new NoSuchFileException("archived already"));
    runUntilOrdered(ONE, TWO, THREE);
    List.of(ONE, TWO, THREE).forEach(this::reportDone);
    cluster.runUntil(this::isRecovered);
    assertThat(cluster.aborts).isEmpty();
    assertThat(splitByMaster).isFalse();
  }

  @Test
  void aShortLogIsReadByOneServer() {
    ServerName next = THREE;
    cluster.logBytes = 1 << 20;
    runUntilOrdered(ONE);
    List.of(ONE, TWO, THREE).stream().filter(ordered::containsKey).forEach(this::reportDone);
    cluster.runUntil(this::isRecovered);
    all.clear();
    cluster.killServer(next);
    cluster.runUntil(() -> !all.isEmpty());
    cluster.letTimePass(Duration.ofSeconds(1));
    assertThat(ordered.values().stream().filter(orders -> orders.size() > 1)).hasSize(1);
  }

  @Test
  void aRegionOpensOnceItsPartIsReported() {
    List<RegionInfo> regions = regionsOfTheDead();
    RegionInfo region = regions.get(0);
    LogPart part = LogPart.of(LogKind.REGIONS, region.encodedName());
    runUntilOrdered(ONE, TWO, THREE);
    ordered.forEach(
        (server, orders) ->
            orders.stream()
                .filter(order -> order.part().equals(part))
                .forEach(order -> report(order, Optional.empty())));
    cluster.runUntil(() -> isOpen(region));
    assertThat(isRecovered()).isFalse();
    assertThat(regions)
        .filteredOn(this::isOpen)
        .allMatch(open -> LogPart.of(LogKind.REGIONS, open.encodedName()).equals(part));
  }

  @Test
  void thePartsThatADyingServerHasNotReportedGoToAnother() {
    runUntilOrdered(ONE, TWO, THREE);
    List<SplitOrder> lost = ordered.remove(TWO);
    SplitOrder reported = lost.remove(0);
    report(reported, Optional.empty());
    reportDone(ONE);
    reportDone(THREE);
    cluster.letTimePass(Duration.ofSeconds(1));
    cluster.killServer(TWO);
    cluster.runUntil(
        () ->
            ordered.values().stream()
                .flatMap(List::stream)
                .filter(order -> order.dead().equals(DEAD))
                .map(SplitOrder::part)
                .toList()
                .containsAll(parts(lost)));
    assertThat(ordered.values().stream().flatMap(List::stream).map(SplitOrder::part))
        .filteredOn(part -> part.equals(reported.part()))
        .hasSizeLessThanOrEqualTo(1); // that of the second dead server's log
    assertThat(cluster.lent).doesNotContain(lost.get(0).scratch().order());
    reportDone(ONE);
    reportDone(THREE);
    cluster.runUntil(this::isRecovered);
  }

  @Test
  void aServerThatDoesNotReportIsReplacedAndItsLateReportHasNoEffect() {
    runUntilOrdered(ONE, TWO, THREE);
    List<SplitOrder> late = ordered.remove(TWO);
    reportDone(ONE);
    reportDone(THREE);
    cluster.letTimePass(Duration.ofSeconds(20));
    assertThat(ordered).isEmpty();
    cluster.runUntil(() -> !ordered.isEmpty());
    assertThat(ordered).doesNotContainKey(TWO);
    assertThat(cluster.lent).doesNotContain(late.get(0).scratch().order());
    late.forEach(order -> report(order, Optional.empty()));
    cluster.letTimePass(Duration.ofSeconds(1));
    assertThat(isRecovered()).isFalse();
    List.copyOf(ordered.keySet()).forEach(this::reportDone);
    cluster.runUntil(this::isRecovered);
    assertThat(splitByMaster).isFalse();
  }

  @Test
  void aSlowServerThatReportsPartsKeepsTheOthers() {
    runUntilOrdered(ONE, TWO, THREE);
    List<SplitOrder> slow = ordered.remove(TWO);
    assertThat(slow).hasSizeGreaterThan(3);
    reportDone(ONE);
    reportDone(THREE);
    for (int i = 0; i < 3; i++) {
      cluster.letTimePass(PATIENCE.multipliedBy(2).dividedBy(3));
      report(slow.remove(0), Optional.empty());
    }
    cluster.letTimePass(PATIENCE.dividedBy(2));
    assertThat(ordered).isEmpty();
    slow.forEach(order -> report(order, Optional.empty()));
    cluster.runUntil(this::isRecovered);
  }

  @Test
  void aServerThatIsSlowForVeryLongLosesTheOthers() {
    runUntilOrdered(ONE, TWO, THREE);
    List<SplitOrder> slow = ordered.remove(TWO);
    assertThat(slow).hasSizeGreaterThan(8);
    reportDone(ONE);
    reportDone(THREE);
    for (int i = 0; i < 8; i++) {
      cluster.letTimePass(PATIENCE.dividedBy(2));
      report(slow.remove(0), Optional.empty());
    }
    cluster.letTimePass(PATIENCE);
    assertThat(ordered).isNotEmpty().doesNotContainKey(TWO);
  }

  @Test
  void theMasterSplitsThePartsThatTwoServersCannotSplit() {
    while (!splitByMaster) {
      cluster.runUntil(() -> !ordered.isEmpty() || splitByMaster);
      List.copyOf(ordered.keySet()).forEach(this::fail);
    }
    cluster.runUntil(
        () -> {
          List.copyOf(ordered.keySet()).forEach(this::fail);
          return isRecovered();
        });
    Map<LogPart, Integer> attempts = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    all.forEach(order -> attempts.merge(order.part(), 1, Integer::sum));
    assertThat(attempts.values()).allMatch(count -> count <= 2);
  }

  @Test
  void theMasterSplitsLogsWhileNoServerLives() {
    List.of(ONE, TWO, THREE).forEach(cluster::killServer);
    cluster.runUntil(() -> cluster.recovered.containsAll(List.of(DEAD, ONE, TWO, THREE)));
    assertThat(splitByMaster).isTrue();
  }

  @Test
  void reportsOfTheOrdersOfAnEarlierMasterHaveNoEffect() {
    runUntilOrdered(ONE, TWO, THREE);
    ordered.forEach(
        (server, orders) ->
            orders.forEach(
                order ->
                    cluster
                        .master
                        .loop()
                        .post(
                            () ->
                                cluster
                                    .active()
                                    .recoveries()
                                    .reported(
                                        new FencingToken(
                                            order.token().epoch() - 1, order.token().order()),
                                        Optional.empty()))));
    cluster.letTimePass(Duration.ofSeconds(1));
    assertThat(isRecovered()).isFalse();
    assertThat(cluster.active().recoveries().openOrders()).hasSize(1 + LogPart.REGION_PARTS);
  }

  @Test
  void aServerHasNoMoreJobsThanItMay() {
    runUntilOrdered(ONE, TWO, THREE);
    cluster.killServer(THREE); // Its log and its jobs are given to the others.
    cluster.letTimePass(Duration.ofSeconds(5));
    ordered.remove(THREE);
    for (List<SplitOrder> orders : ordered.values()) {
      assertThat(
              orders.stream()
                  .filter(order -> order.part().kind() == LogKind.REGIONS)
                  .map(SplitOrder::scratch)
                  .distinct()
                  .count())
          .isLessThanOrEqualTo(SPLITS_PER_SERVER);
    }
    cluster.runUntil(
        () -> {
          List.copyOf(ordered.keySet()).forEach(this::reportDone);
          return cluster.recovered.containsAll(List.of(DEAD, THREE));
        });
    assertThat(splitByMaster).isFalse();
  }
}
