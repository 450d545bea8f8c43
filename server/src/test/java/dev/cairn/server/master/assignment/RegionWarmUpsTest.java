package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.loop.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The next server of a region that moves is asked to read its files first. */
class RegionWarmUpsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private RegionStateNode node;
  private ServerName target;

  @BeforeEach
  void start() throws IOException {
    cluster.members = cluster.members.warmingUp(LONGEST);
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.run(cluster.createTable());
    node = cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
    target = node.isAt(ONE) ? TWO : ONE;
    assertThat(cluster.servers.warmUps).as("no warm-up without a move").isEmpty();
  }

  @Test
  void theNextServerReadsWhileThePresentOneServes() {
    String name = node.region().encodedName();
    ServerName before = node.openServer().orElseThrow();
    cluster.move(node, target);
    cluster.runUntil(() -> !cluster.servers.warmUps.isEmpty());
    assertThat(node.openServer()).contains(before);
    assertThat(cluster.servers.hosted.get(before)).containsKey(name);
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.servers.warmUps).containsExactly(Map.entry(name, target));
    assertThat(node.openServer()).contains(target);
    assertThat(cluster.servers.expected).containsExactly(name);
  }

  @Test
  void aWarmUpThatFailsDoesNotHoldTheMoveUp() {
    cluster.servers.cold.add(target);
    long before = cluster.lanes.currentTimeMillis();
    cluster.move(node, target);
    cluster.runUntil(() -> node.openServer().equals(Optional.of(target)));
    assertThat(cluster.lanes.currentTimeMillis() - before).isLessThan(LONGEST.toMillis());
    assertThat(cluster.servers.expected).isEmpty();
  }

  @Test
  void aWarmUpThatHangsIsGivenUp() {
    cluster.lanes.held = Optional.of(Lane.warmUps(target));
    long before = cluster.lanes.currentTimeMillis();
    cluster.move(node, target);
    cluster.runUntil(() -> node.openServer().equals(Optional.of(target)));
    assertThat(cluster.lanes.currentTimeMillis() - before)
        .isBetween(LONGEST.toMillis(), LONGEST.toMillis() + 1_000);
  }

  @Test
  void aRegionThatIsToCloseDoesNotWait() throws IOException {
    cluster.lanes.held = Optional.of(Lane.warmUps(target));
    long before = cluster.lanes.currentTimeMillis();
    cluster.move(node, target);
    cluster.run(cluster.setEnabled(false));
    assertThat(node.openServer()).isEmpty();
    assertThat(cluster.lanes.currentTimeMillis() - before).isLessThan(LONGEST.toMillis());
  }

  @Test
  void theMetaTableDoesNotSayInBetweenThatTheRegionIsClosed() {
    cluster.move(node, target);
    cluster.runUntil(() -> node.state().name().equals("CLOSING"));
    cluster.runUntil(() -> !node.state().name().equals("CLOSING"));
    assertThat(node.state().name()).isEqualTo("OPENING");
    assertThat(node.server()).contains(target);
  }
}
