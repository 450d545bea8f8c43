package dev.cairn.server.process;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.ConnectWait;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import dev.cairn.server.coordination.ZooKeeperCoordination;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.ProcessKeys;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The ZooKeeper of a process: its own, or the one that the configuration names. */
final class ZooKeeperAccess implements Closeable {
  private final SiteConfig config;
  private final Clock clock;
  private final String quorum;
  private final Optional<EmbeddedZooKeeper> embedded;

  private ZooKeeperAccess(
      SiteConfig config, Clock clock, String quorum, Optional<EmbeddedZooKeeper> embedded) {
    this.config = config;
    this.clock = clock;
    this.quorum = quorum;
    this.embedded = embedded;
  }

  /**
   * Starts the embedded ZooKeeper, unless the cluster is a distributed one.
   *
   * @param failed called if the embedded one cannot go on; see {@link EmbeddedZooKeeper#start}
   */
  static ZooKeeperAccess open(
      SiteConfig config, Optional<Path> folder, Clock clock, Consumer<IOException> failed)
      throws IOException {
    int port = config.get(ProcessKeys.ZOOKEEPER_PORT);
    if (config.get(ProcessKeys.DISTRIBUTED)) {
      String quorum =
          Arrays.stream(config.get(ProcessKeys.QUORUM).split(","))
              .map(String::strip)
              .map(host -> host.contains(":") ? host : host + ":" + port)
              .collect(Collectors.joining(","));
      return new ZooKeeperAccess(config, clock, quorum, Optional.empty());
    }
    EmbeddedZooKeeper server =
        EmbeddedZooKeeper.start(
            new InetSocketAddress(BindAddresses.of(config).zooKeeper(), port),
            folder,
            config.get(ProcessKeys.ZOOKEEPER_CLIENTS).intValue(),
            clock,
            failed);
    return new ZooKeeperAccess(config, clock, server.connectString(), Optional.of(server));
  }

  /** Returns {@code host:port}, or several of them. */
  String quorum() {
    return quorum;
  }

  /**
   * Opens a session.
   *
   * @param wait how long to wait for ZooKeeper
   */
  Coordination connect(ConnectWait wait) throws IOException {
    return ZooKeeperCoordination.connect(
        quorum,
        config.get(ProcessKeys.ZNODE_PARENT),
        config.get(ProcessKeys.SESSION_MILLIS).intValue(),
        ServerThreads.named("cairn-zookeeper"),
        clock,
        wait);
  }

  /** Deletes files that the embedded ZooKeeper no longer needs. Blocks on its folder. */
  void purge() {
    embedded.ifPresent(EmbeddedZooKeeper::purge);
  }

  @Override
  public void close() {
    embedded.ifPresent(EmbeddedZooKeeper::close);
  }
}
