package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.Waiting;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that lives on while the folder of its ZooKeeper is emptied, restored or replaced. Its
 * session ends, so that it begins a new one; without a word from the server, it would try to
 * reconnect for ever.
 */
@Timeout(240)
class ReplacedFolderTest {
  private static final int SESSION_MILLIS = 120_000;

  /** Sessions outlive a restart, as in {@code bin/cairn zookeeper}. */
  private static final EmbeddedZooKeeper.Service KEEPING =
      new EmbeddedZooKeeper.Service(0, 2_000, 4_000, SESSION_MILLIS, true);

  @TempDir Path directory;

  private final List<AutoCloseable> open = new ArrayList<>();
  private Path folder;
  private Clock clock = Clock.SYSTEM;
  private int port;
  private EmbeddedZooKeeper server;
  private ZooKeeper client;

  @BeforeEach
  void writeAsAClientWhichStays() throws Exception {
    folder = directory.resolve("zookeeper");
    start(Optional.of(folder));
    client = connect();
    write(client, "/first");
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    server.close();
  }

  private void start(Optional<Path> data) throws IOException {
    server =
        EmbeddedZooKeeper.start(
            new InetSocketAddress("127.0.0.1", port), data, KEEPING, clock, failure -> {});
    port = server.port();
  }

  private ZooKeeper connect() throws IOException {
    ZooKeeper connected = new ZooKeeper("127.0.0.1:" + port, SESSION_MILLIS, event -> {});
    open.add(connected);
    return connected;
  }

  /** Creates a znode that ends with the session, as soon as the client is connected. */
  private static void write(ZooKeeper client, String path) throws Exception {
    Waiting.waitUntil(() -> created(client, path));
  }

  private static boolean created(ZooKeeper client, String path) {
    try {
      client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return true;
    } catch (KeeperException.ConnectionLossException e) {
      return false; // The client connects again.
    } catch (KeeperException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the client knows that its session has ended; a new client is served then. */
  private void awaitTheEndOfTheSession() throws Exception {
    Waiting.waitUntil(() -> client.getState() == ZooKeeper.States.CLOSED);
    write(connect(), "/new");
  }

  @Test
  void anEmptiedFolder() throws Exception {
    server.close();
    delete(folder);
    start(Optional.of(folder));
    awaitTheEndOfTheSession();
  }

  @Test
  void aServerWithoutAFolder() throws Exception {
    server.close();
    start(Optional.empty());
    awaitTheEndOfTheSession();
  }

  @Test
  void aDamagedFolder() throws Exception {
    server.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(file, new byte[10]);
      }
    }
    start(Optional.of(folder));
    awaitTheEndOfTheSession();
    assertThat(folder.resolveSibling("zookeeper.damaged")).exists();
  }

  /** The machine's clock is set back meanwhile. */
  @Test
  void anEmptiedFolderAndAClockThatGoesBack() throws Exception {
    server.close();
    delete(folder);
    clock = new ManualClock();
    start(Optional.of(folder));
    awaitTheEndOfTheSession();
  }

  /** The session is in the copy, and so is a znode of it. Both are out of date. */
  @Test
  void anOlderCopy() throws Exception {
    server.close();
    Path copy = directory.resolve("copy");
    copy(folder, copy);
    start(Optional.of(folder));
    write(client, "/second");
    server.close();
    delete(folder);
    copy(copy, folder);
    start(Optional.of(folder));
    awaitTheEndOfTheSession();
    assertThat(connect().exists("/first", false)).as("a znode of the session").isNull();
  }

  /** More has happened in the other folder than the client has seen. */
  @Test
  void aFolderOfAnotherServer() throws Exception {
    Path other = directory.resolve("other");
    server.close();
    start(Optional.of(other));
    try (ZooKeeper another = new ZooKeeper("127.0.0.1:" + port, SESSION_MILLIS, event -> {})) {
      for (int i = 0; i < 30; i++) {
        write(another, "/other" + i);
      }
    }
    // The client has noticed nothing yet, or has been told that its session has ended.
    server.close();
    delete(folder);
    copy(other, folder);
    start(Optional.of(folder));
    awaitTheEndOfTheSession();
  }

  @Test
  void theSameFolderKeepsTheSession() throws Exception {
    long last = 0;
    for (int restart = 0; restart < 4; restart++) {
      server.close();
      clock = restart % 2 == 0 ? new ManualClock() : Clock.SYSTEM;
      start(Optional.of(folder));
      write(client, "/" + restart);
      long zxid = client.exists("/" + restart, false).getCzxid();
      assertThat(zxid).isGreaterThan(last);
      last = zxid;
    }
    assertThat(client.exists("/first", false)).isNotNull();
  }

  /** ZooKeeper's own server goes on with the folder, and then Cairn again. */
  @Test
  void aFolderThatOtherServersUsed() throws Exception {
    server.close();
    EmbeddedConnections connections = new EmbeddedConnections();
    connections.configure(new InetSocketAddress("127.0.0.1", port), 0);
    connections.serve(new ZooKeeperServer(folder.toFile(), folder.toFile(), 2_000));
    write(client, "/second");
    connections.shutdown();
    start(Optional.of(folder));
    write(client, "/third");
    for (String path : List.of("/first", "/second", "/third")) {
      assertThat(client.exists(path, false)).as(path).isNotNull();
    }
  }

  /** A folder that an older Cairn wrote, which counted from 1. */
  @Test
  void smallNumbersOfTransactions() throws Exception {
    server.close();
    delete(folder);
    EmbeddedConnections connections = new EmbeddedConnections();
    connections.configure(new InetSocketAddress("127.0.0.1", port), 0);
    connections.serve(new ZooKeeperServer(folder.toFile(), folder.toFile(), 2_000));
    ZooKeeper old = connect();
    write(old, "/old");
    assertThat(old.exists("/old", false).getCzxid()).isLessThan(100);
    connections.shutdown();
    start(Optional.of(folder));
    write(old, "/new");
    assertThat(old.exists("/old", false)).isNotNull();
  }

  /** Ids from the time since boot would differ by 65,536 for each millisecond between starts. */
  @Test
  void idsOfSessionsDoNotDependOnTheTimeSinceTheBoot() throws Exception {
    long first = client.getSessionId();
    server.close();
    start(Optional.empty());
    ZooKeeper other = connect();
    write(other, "/other");
    assertThat(Math.abs(other.getSessionId() - first)).isGreaterThan(3_600_000L << 16);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
