package dev.cairn.server.coordination;

import static dev.cairn.server.coordination.AwaitState.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session whose connection to ZooKeeper is cut, and comes back or does not. */
@Timeout(120)
class ReconnectTest {
  private static final ServerName SERVER = new ServerName("one.example", 16020, 1);

  private EmbeddedZooKeeper zooKeeper;
  private CuttableConnection way;
  private Coordination observer;
  private Coordination session;

  @BeforeEach
  void connect() throws Exception {
    zooKeeper =
        EmbeddedZooKeeper.start(
            new InetSocketAddress("127.0.0.1", 0),
            Optional.empty(),
            0,
            Clock.SYSTEM,
            failure -> {});
    way = new CuttableConnection(zooKeeper.port());
    observer = connect(zooKeeper.port());
    session = connect(way.port());
    session.registerRegionServer(SERVER, 0);
    await(observer, state -> state.regionServers().contains(SERVER));
  }

  @AfterEach
  void close() throws Exception {
    way.restore(); // else its end is waited for
    session.close();
    observer.close();
    way.close();
    zooKeeper.close();
  }

  private static Coordination connect(int port) throws IOException {
    return ZooKeeperCoordination.connect(
        "127.0.0.1:" + port,
        "/hbase",
        90_000,
        Executors.defaultThreadFactory(),
        Clock.SYSTEM,
        ConnectWait.silent());
  }

  @Test
  void aLostConnectionDoesNotChangeTheIdentityOfTheData() throws Exception {
    String before = session.readDataId();
    way.cut();
    way.awaitRefusals(1);
    way.restore();
    assertThat(session.readDataId()).isEqualTo(before).isEqualTo(observer.readDataId());
  }

  @Test
  void lostConnectionsAreCounted() throws Exception {
    assertThat(session.lease().isConnected()).isTrue();
    assertThat(session.lease().losses()).isZero();
    way.cut();
    Waiting.waitUntil(() -> !session.lease().isConnected());
    assertThat(session.lease().losses()).isPositive();
    way.restore();
    Waiting.waitUntil(() -> session.lease().isConnected());
  }

  /** No server answers for longer than the session lives; then one does again. */
  @Test
  void aSessionWithoutAnswersHasNoLease() throws Exception {
    ManualClock clock = new ManualClock();
    try (Coordination leased =
        ZooKeeperCoordination.connect(
            "127.0.0.1:" + way.port(),
            "/hbase",
            90_000,
            Executors.defaultThreadFactory(),
            clock,
            ConnectWait.silent())) {
      assertThat(leased.lease().isOver()).isFalse();
      way.cut();
      way.awaitRefusals(1);
      leased.renewLease();
      clock.advanceMillis(90_000);
      assertThat(leased.lease().isOver()).isTrue();
      way.restore();
      while (leased.lease().isOver()) {
        leased.renewLease();
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aServerThatStopsWhileItsConnectionComesBackIsUnregistered() throws Exception {
    way.cut();
    way.awaitRefusals(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      CountDownLatch trying = new CountDownLatch(1);
      Future<?> stopping =
          threads.submit(
              () -> {
                trying.countDown();
                unregister();
                return null;
              });
      assertThat(trying.await(60, TimeUnit.SECONDS)).isTrue();
      way.restore();
      stopping.get(60, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }
    await(observer, state -> state.regionServers().isEmpty());
  }

  /** On a busy machine the connection may take longer to come back than one attempt waits. */
  private void unregister() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (true) {
      try {
        session.unregisterRegionServer(SERVER);
        return;
      } catch (IOException e) {
        if (!e.getMessage().contains("there is no connection") || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** A session that has not heard of the cut yet says first that its request was lost. */
  private void unregisterOnceTheSessionKnows() throws IOException {
    try {
      session.unregisterRegionServer(SERVER);
    } catch (IOException e) {
      if (e.getMessage().contains("there is no connection")) {
        throw e;
      }
      session.unregisterRegionServer(SERVER);
    }
  }

  @Test
  void aServerThatStopsWithoutAConnectionIsToldSoAndNotKept() throws Exception {
    way.cut();
    way.awaitRefusals(2);

    assertThatThrownBy(this::unregisterOnceTheSessionKnows)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not unregister the region server " + SERVER)
        .hasMessageContaining("there is no connection");
    assertThat(observer.state().regionServers()).as("until the session ends").contains(SERVER);
  }

  @Test
  void whatChangedWhileTheConnectionWasCutIsSeenAfterwards() throws Exception {
    way.cut();
    way.awaitRefusals(1);
    observer.publishClusterId("a-cluster");
    observer.publishMetaLocation(SERVER);
    way.restore();

    await(
        session,
        state ->
            state.clusterId().equals(Optional.of("a-cluster"))
                && state.metaLocation().equals(Optional.of(SERVER)));
    assertThat(observer.state().regionServers()).as("the session went on").contains(SERVER);
  }

  /** ZooKeeper extends the sessions in its data when it restarts. */
  @Test
  void aSessionLivesOnAfterALongOutage(@TempDir Path folder) throws Exception {
    int sessionMillis = 4_000; // the shortest
    EmbeddedZooKeeper.Service service =
        new EmbeddedZooKeeper.Service(0, 2_000, 4_000, 90_000, true);
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
    List<String> lost = new CopyOnWriteArrayList<>();
    EmbeddedZooKeeper first =
        EmbeddedZooKeeper.start(any, Optional.of(folder), service, Clock.SYSTEM, failure -> {});
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", first.port());
    try (Coordination patient =
        ZooKeeperCoordination.connect(
            "127.0.0.1:" + first.port(),
            "/hbase",
            sessionMillis,
            Executors.defaultThreadFactory(),
            Clock.SYSTEM,
            ConnectWait.silent())) {
      patient.listen(
          new Coordination.Listener() {
            @Override
            public void changed(ClusterState state) {}

            @Override
            public void sessionLost(String reason) {
              lost.add(reason);
            }
          });
      patient.registerRegionServer(SERVER, 0);
      patient.renewLease();
      first.close();
      Waiting.waitUntil(() -> patient.lease().silentMillis() > 2 * sessionMillis);
      assertThat(patient.lease().isOver()).isTrue();

      try (EmbeddedZooKeeper second =
          EmbeddedZooKeeper.start(
              address, Optional.of(folder), service, Clock.SYSTEM, failure -> {})) {
        Waiting.waitUntil(
            () -> {
              patient.renewLease();
              return !patient.lease().isOver();
            });
        assertThat(patient.readRegionServers()).containsExactly(SERVER);
        assertThat(lost).isEmpty();
        patient.close();
      }
    } finally {
      first.close();
    }
  }
}
