package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new master searches for {@code hbase:meta}; the znode with the location may be wrong. */
class MetaSearchTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final Duration LONG = Duration.ofMinutes(10);

  private final SimulatedCluster cluster = new SimulatedCluster();

  /**
   * {@code hbase:meta} and {@code hbase:namespace} are open at ONE, and most regions of the table
   * at TWO.
   */
  @BeforeEach
  void startACluster() throws IOException {
    cluster.addServer(ONE);
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    cluster.addServer(TWO);
    cluster.run(cluster.createTable("g", "p"));
    assertThat(servers(RegionInfo.META)).containsExactly(ONE);
    assertThat(cluster.servers.hosted.get(TWO)).isNotEmpty();
    cluster.killMaster();
  }

  @Test
  void aWrongZnodeDoesNotOpenItTwice() throws IOException {
    cluster.coordination.publishMetaLocation(TWO);
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(servers(RegionInfo.META)).containsExactly(ONE);
    assertThat(cluster.coordination.state().metaLocation()).contains(ONE);
  }

  @Test
  void aServerThatDoesNotAnswerMayHaveIt() throws IOException {
    cluster.servers.silent.add(ONE);
    cluster.coordination.publishMetaLocation(TWO);
    cluster.startMaster();
    cluster.letTimePass(SimulatedCoordination.SESSION_TIMEOUT.dividedBy(2));
    assertThat(servers(RegionInfo.META)).containsExactly(ONE);

    cluster.servers.silent.remove(ONE);
    cluster.runUntil(() -> cluster.master.isInitialized());
    assertThat(servers(RegionInfo.META)).containsExactly(ONE);
  }

  @Test
  void itOpensElsewhereOnceTheLogOfItsServerIsRecovered() throws IOException {
    boolean[] hangs = {true};
    leaveLogs(LogKind.META, hangs);
    cluster.servers.silent.add(ONE);
    cluster.startMaster();
    cluster.letTimePass(Duration.ofSeconds(1)); // it is being asked
    cluster.killServer(ONE);
    cluster.letTimePass(LONG);
    assertThat(servers(RegionInfo.META)).isEmpty();

    hangs[0] = false;
    cluster.runUntil(() -> cluster.master.isInitialized());
    assertThat(servers(RegionInfo.META)).containsExactly(TWO);
  }

  @Test
  void aLogDelaysOnlyItsOwnRegions() throws IOException {
    boolean[] hangs = {true};
    leaveLogs(LogKind.REGIONS, hangs);
    Set<String> waiting = Set.copyOf(cluster.servers.hosted.get(TWO).keySet());
    cluster.killServer(TWO);
    cluster.startUp();
    cluster.letTimePass(LONG);
    assertThat(cluster.openRegions()).isNotEmpty().doesNotContainAnyElementsOf(waiting);

    hangs[0] = false;
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.openRegions()).hasSize(3).containsAll(waiting);
  }

  @Test
  void itDoesNotWaitForTheLogsOfOtherRegionsOfItsServer() throws IOException {
    boolean[] hangs = {true};
    leaveLogs(LogKind.REGIONS, hangs);
    cluster.addServer(THREE);
    cluster.killServer(ONE);
    cluster.startMaster();
    cluster.runUntil(() -> !servers(RegionInfo.META).isEmpty());
    cluster.letTimePass(LONG);
    assertThat(cluster.master.isInitialized()).as("hbase:namespace is open").isFalse();

    hangs[0] = false;
    cluster.runUntil(() -> cluster.master.isInitialized());
  }

  @Test
  void lostRowsAreRestoredOnceAllLogsAreRecovered() throws IOException {
    boolean[] hangs = {true};
    leaveLogs(LogKind.REGIONS, hangs);
    cluster.servers.meta.lose(row -> row.startsWith("orders,"));
    cluster.killServer(TWO);
    Set<String> before = cluster.openRegions();
    cluster.startMaster();
    cluster.letTimePass(LONG);
    assertThat(cluster.openRegions()).isEqualTo(before);

    hangs[0] = false;
    cluster.runUntil(() -> cluster.master.isInitialized() && cluster.isIdle());
    assertThat(cluster.openRegions()).hasSize(3);
  }

  /** Lets the logs of one kind be recovered only when {@code hangs} is false. */
  private void leaveLogs(LogKind hanging, boolean[] hangs) {
    cluster.logKinds = EnumSet.allOf(LogKind.class);
    cluster.split =
        (kind, parts) -> {
          if (kind == hanging && hangs[0]) {
            throw new IOException("The lease of a log file is not recovered");
          }
          parts.read(kind, Set.of());
        };
  }

  private List<ServerName> servers(RegionInfo region) {
    return cluster.servers.hosted.entrySet().stream()
        .filter(hosted -> hosted.getValue().containsKey(region.encodedName()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
