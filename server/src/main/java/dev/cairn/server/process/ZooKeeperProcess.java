package dev.cairn.server.process;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.ProcessKeys;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.server.process.keys.ZooKeeperKeys;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A ZooKeeper in a process of its own, on the client port that the settings name. It is a single
 * server; a quorum of several consists of ZooKeeper's own servers. Sessions outlive its restart.
 * Thread-safe.
 */
public final class ZooKeeperProcess implements AutoCloseable {
  private final EmbeddedZooKeeper server;
  private final ScheduledThreadPoolExecutor timer;
  private final CompletableFuture<Optional<String>> ended;

  private ZooKeeperProcess(
      EmbeddedZooKeeper server,
      ScheduledThreadPoolExecutor timer,
      CompletableFuture<Optional<String>> ended) {
    this.server = server;
    this.timer = timer;
    this.ended = ended;
  }

  /**
   * Starts it; clients are served when this returns.
   *
   * @param folder where it keeps its data
   * @throws ConfigException if a setting is impossible, or the port is in use
   */
  public static ZooKeeperProcess start(SiteConfig config, Path folder) throws IOException {
    ProcessSettings.review(config);
    if (config.get(ProcessKeys.QUORUM).contains(",")) {
      throw new ConfigException(
          ProcessKeys.QUORUM.name()
              + " names several servers, and Cairn's ZooKeeper is a single one. Start ZooKeeper's"
              + " own servers on these hosts, or name one host");
    }
    CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
    EmbeddedZooKeeper server;
    try {
      server =
          EmbeddedZooKeeper.start(
              new InetSocketAddress(
                  BindAddresses.of(config).zooKeeper(), config.get(ProcessKeys.ZOOKEEPER_PORT)),
              Optional.of(folder),
              ZooKeeperKeys.service(config),
              Clock.SYSTEM,
              failure -> ended.complete(Optional.of(failure.getMessage())));
    } catch (BindException e) {
      throw new ConfigException(e.getMessage(), e);
    }
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, ServerThreads.named("cairn-purge"));
    timer.scheduleWithFixedDelay(server::purge, 0, 1, TimeUnit.DAYS);
    return new ZooKeeperProcess(server, timer, ended);
  }

  /** Returns host and port for clients on this machine. */
  public String address() {
    return server.connectString();
  }

  /**
   * Waits until it has ended.
   *
   * @return why it could not go on; empty if it was closed
   */
  public Optional<String> awaitEnded() throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Only completed normally", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    server.close();
    ended.complete(Optional.empty());
  }
}
