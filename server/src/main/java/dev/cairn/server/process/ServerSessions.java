package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ConnectWait;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.SessionLease;
import dev.cairn.server.master.store.RootDirectory;
import dev.cairn.server.process.keys.ProcessKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of the servers of a process with ZooKeeper, one for each server. One thread opens
 * them; any thread may ask for their state.
 */
final class ServerSessions {
  private static final Logger LOG = LoggerFactory.getLogger(ServerSessions.class);

  private final Host host;
  private final Map<ServerName, SessionLease> leases = new ConcurrentHashMap<>();
  private volatile Optional<ZooKeeperAccess> zooKeeper = Optional.empty();
  private volatile Supplier<Optional<String>> clusterId = Optional::empty;

  ServerSessions(Host host) {
    this.host = host;
  }

  /**
   * Starts the embedded ZooKeeper, unless the settings name another one.
   *
   * @param folder where the embedded one keeps its data; empty for in memory
   * @param failed called if the embedded one cannot go on
   * @return the address of ZooKeeper
   */
  String openZooKeeper(Optional<Path> folder, Consumer<IOException> failed) throws IOException {
    ZooKeeperAccess opened = ZooKeeperAccess.open(host.config(), folder, host.clock(), failed);
    host.shutdown().then("ZooKeeper", opened::close);
    zooKeeper = Optional.of(opened);
    return opened.quorum();
  }

  /** Deletes files that the embedded ZooKeeper no longer needs, now and once a day. */
  void startPurging() {
    ZooKeeperAccess opened = zooKeeper.orElseThrow();
    host.threads()
        .timer()
        .scheduleWithFixedDelay(
            () -> host.threads().background().execute(opened::purge), 0, 1, TimeUnit.DAYS);
  }

  /**
   * Begins to open sessions. Blocks until the first one is open or has failed.
   *
   * @param wait returns how long to wait for ZooKeeper, with a receiver of the reasons
   * @param notice receives the reasons of the first session, on this thread
   */
  List<CompletableFuture<Coordination>> connect(
      int sessions, Function<Consumer<String>, ConnectWait> wait, Consumer<String> notice) {
    List<CompletableFuture<Coordination>> connecting = new ArrayList<>();
    for (int i = 1; i < sessions; i++) {
      connecting.add(connect(wait.apply(line -> {}), host.threads().background()));
    }
    // This thread opens the first session meanwhile, because it must call the notice.
    connecting.add(0, connect(wait.apply(notice.andThen(LOG::info)), Runnable::run));
    return connecting;
  }

  private CompletableFuture<Coordination> connect(ConnectWait wait, Executor executor) {
    ZooKeeperAccess opened = zooKeeper.orElseThrow();
    CompletableFuture<Coordination> session =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return opened.connect(wait);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            executor);
    host.shutdown()
        .then(
            "a server's session",
            () -> session.thenAccept(Coordination::close).exceptionally(failure -> null).join());
    return session;
  }

  /**
   * Waits for a server's session and renews its lease from then on.
   *
   * @throws IOException if there is no session, or the root directory belongs to another cluster
   */
  Coordination await(ServerName server, CompletableFuture<Coordination> connecting)
      throws IOException {
    Coordination session = connected(connecting);
    leases.put(server, session.lease());
    host.threads()
        .timer()
        .scheduleWithFixedDelay(
            session::renewLease, 0, session.lease().periodMillis(), TimeUnit.MILLISECONDS);
    clusterId = () -> session.state().clusterId();
    if (host.config().get(ProcessKeys.DISTRIBUTED)) {
      RootDirectory.checkCluster(host.storage(), session.state().clusterId(), host.clock());
    }
    return session;
  }

  private static Coordination connected(CompletableFuture<Coordination> session)
      throws IOException {
    try {
      return session.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while starting", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UncheckedIOException failed
          ? failed.getCause()
          : new IOException("Connecting to ZooKeeper failed", e.getCause());
    }
  }

  /** Returns the address of ZooKeeper; empty in the first moments of a start. */
  Optional<String> quorum() {
    return zooKeeper.map(ZooKeeperAccess::quorum);
  }

  /** Returns the cluster's id; empty before it is known. */
  Optional<String> clusterId() {
    return clusterId.get();
  }

  /** Returns the lease of a server's session; empty before there is one. */
  Optional<SessionLease> lease(ServerName server) {
    return Optional.ofNullable(leases.get(server));
  }

  /** Returns the timeout that ZooKeeper has given a session; empty before there is one. */
  Optional<Duration> timeout() {
    return leases.values().stream().map(SessionLease::timeout).findFirst();
  }
}
