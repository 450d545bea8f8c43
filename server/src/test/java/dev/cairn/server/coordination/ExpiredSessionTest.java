package dev.cairn.server.coordination;

import static dev.cairn.server.coordination.AwaitState.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master whose session ends while it writes a znode. Another master leads then. */
@Timeout(120)
class ExpiredSessionTest {
  private static final ServerName REPLACED = new ServerName("one.example", 16000, 1);
  private static final ServerName ACTIVE = new ServerName("two.example", 16000, 2);
  private static final ServerName EARLIER = new ServerName("one.example", 16020, 1);
  private static final ServerName LATER = new ServerName("two.example", 16020, 2);

  /** The shortest session timeout. */
  private static final int SESSION_MILLIS = 4_000;

  private final List<AutoCloseable> open = new ArrayList<>();
  private EmbeddedZooKeeper zooKeeper;
  private CuttableConnection way;
  private Coordination replaced;
  private Coordination active;

  @BeforeEach
  void replaceAMaster() throws Exception {
    zooKeeper =
        keep(
            EmbeddedZooKeeper.start(
                new InetSocketAddress("127.0.0.1", 0),
                Optional.empty(),
                0,
                Clock.SYSTEM,
                failure -> {}));
    way = keep(new CuttableConnection(zooKeeper.port()));
    active = connect(zooKeeper.port(), 90_000);
    replaced = connect(way.port(), SESSION_MILLIS);
    replaced.registerMaster(REPLACED, 0);
    active.registerMaster(ACTIVE, 0);
    replaced.publishMetaLocation(EARLIER);
    way.cut();
    await(active, state -> state.activeMaster().equals(Optional.of(ACTIVE)));
    active.publishMetaLocation(LATER);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void aReplacedMasterWritesNothingWhenItsConnectionIsBack() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    keep(threads::shutdownNow);
    Future<Void> late =
        threads.submit(
            () -> {
              replaced.publishMetaLocation(EARLIER);
              return null;
            });
    way.restore();
    assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
    assertThat(connect(zooKeeper.port(), 90_000).state().metaLocation()).contains(LATER);
    assertThatThrownBy(() -> replaced.registerMaster(REPLACED, 0)).isInstanceOf(IOException.class);
    assertThat(active.readActiveMaster()).contains(ACTIVE);
  }

  private <T extends AutoCloseable> T keep(T one) {
    open.add(one);
    return one;
  }

  private Coordination connect(int port, int sessionMillis) throws IOException {
    return keep(
        ZooKeeperCoordination.connect(
            "127.0.0.1:" + port,
            "/hbase",
            sessionMillis,
            Executors.defaultThreadFactory(),
            Clock.SYSTEM,
            ConnectWait.silent()));
  }
}
