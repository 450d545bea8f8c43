package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.walsplit.WalSplitSettings;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how many region servers a new active master waits for. */
class StartWaitTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final Duration SOON = Duration.ofMillis(500);

  private final SimulatedCluster cluster = new SimulatedCluster();

  private void start(int min, int max, ServerName... servers) throws IOException {
    cluster.members =
        new MemberSettings(
            Duration.ofSeconds(3),
            min,
            max,
            TIMEOUT,
            INTERVAL,
            WalSplitSettings.BY_MASTER,
            Duration.ZERO,
            1,
            false,
            Duration.ZERO,
            ClusterLevel.defaults());
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startMaster();
  }

  private boolean isOpeningAfter(Duration duration) {
    cluster.letTimePass(duration);
    return cluster.servers.hosted.values().stream().anyMatch(regions -> !regions.isEmpty());
  }

  @Test
  void noRegionIsOpenedBeforeThereAreEnoughServers() throws IOException {
    start(2, 2, ONE);
    assertThat(isOpeningAfter(Duration.ofMinutes(1))).isFalse();

    cluster.addServer(TWO);
    assertThat(isOpeningAfter(SOON)).isTrue();
  }

  @Test
  void furtherServersAreWaitedForUntilTheTimeout() throws IOException {
    start(1, Integer.MAX_VALUE, ONE);
    assertThat(isOpeningAfter(TIMEOUT.minus(SOON))).isFalse();
    assertThat(isOpeningAfter(SOON.multipliedBy(2))).isTrue();
  }

  @Test
  void afterTheTimeoutServersAreWaitedForWhileTheyCome() throws IOException {
    start(1, Integer.MAX_VALUE, ONE);
    assertThat(isOpeningAfter(TIMEOUT.minus(SOON))).isFalse();
    cluster.addServer(TWO);
    assertThat(isOpeningAfter(INTERVAL.minus(SOON))).isFalse();
    assertThat(isOpeningAfter(SOON.multipliedBy(2))).isTrue();
  }

  @Test
  void noFurtherServerIsWaitedForWithTheMostThatAreWanted() throws IOException {
    start(1, 2, ONE, TWO);
    assertThat(isOpeningAfter(SOON)).isTrue();
  }

  @Test
  void theNextMasterWaitsForNobodyIfAllServersAreThere() throws IOException {
    start(1, Integer.MAX_VALUE, ONE, TWO);
    assertThat(isOpeningAfter(TIMEOUT.plus(SOON))).isTrue();
    cluster.killMaster();
    cluster.killServer(ONE);
    cluster.killServer(TWO);
    cluster.addServer(new ServerName(ONE.host(), ONE.port(), 2));
    cluster.startMaster();
    assertThat(isOpeningAfter(SOON)).isFalse();

    cluster.addServer(new ServerName(TWO.host(), TWO.port(), 2));
    cluster.addServer(THREE);
    assertThat(isOpeningAfter(SOON)).isTrue();
  }
}
