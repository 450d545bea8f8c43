package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks region servers that are given up although they may still answer others from their memory:
 * silent servers, and servers whose registrations somebody may have deleted. Each keeps its lease
 * until a session timeout has passed since its registration was removed, until its process has
 * ended, or until it says that its lease is over. The store lists it before its registration is
 * removed, so that the next master waits, too. Owned by the loop.
 */
final class SilentServers {
  private static final Logger LOG = LoggerFactory.getLogger(SilentServers.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

  private final MasterLoop loop;
  private final Coordination coordination;
  private final ServerList serverList;
  private final FailureDetector detector;
  private final ZooKeeperData data;

  /** The action that follows when a server's lease is over. */
  private final Map<ServerName, Runnable> waiting = new HashMap<>();

  SilentServers(
      MasterLoop loop,
      Coordination coordination,
      ServerList serverList,
      FailureDetector detector,
      ZooKeeperData data) {
    this.loop = loop;
    this.coordination = coordination;
    this.serverList = serverList;
    this.detector = detector;
    this.data = data;
  }

  /**
   * Gives a server up.
   *
   * @param stored called if the write to the master's store fails
   * @param givenUp follows that write: only then may the server's log be taken away, because a next
   *     master that does not know of it would let the server go on without a log
   */
  void giveUp(ServerName server, Completion stored, Runnable givenUp, Runnable leaseOver) {
    waiting.put(server, leaseOver);
    serverList.giveUp(
        server,
        stored.then(
            () -> {
              givenUp.run();
              unregister(server);
            }));
  }

  /**
   * Finds out whether a server whose registration has vanished may still answer others, and if so,
   * gives it up. {@link #mayServe} is true meanwhile.
   *
   * <p>If the server was heard so recently that its session cannot have timed out, one of three
   * things has happened: the server has ended its session itself, it has lost ZooKeeper but not the
   * master, or somebody has deleted its registration. In the last case, it keeps its lease.
   * Otherwise its session counts as timed out, also if somebody deletes the registration of a
   * server that has been silent for most of a session timeout, or while no master is active.
   *
   * @param stored receives the result of the write to the master's store
   */
  void unregistered(ServerName server, Completion stored, Runnable leaseOver) {
    // A session that ends for silence has been silent for longer than this.
    Duration silenceMin = coordination.sessionTimeout().multipliedBy(4).dividedBy(5);
    if (detector.wasHeardWithin(server, silenceMin)) {
      LOG.info(
          "{} was heard a moment ago, so its session has not timed out. Its regions open elsewhere"
              + " once it can no longer answer clients",
          server);
      giveUp(server, stored, () -> {}, leaseOver);
    } else {
      waiting.put(server, leaseOver);
      checkData(server, stored);
    }
  }

  /** Checks whether ZooKeeper's data were deleted. */
  private void checkData(ServerName server, Completion stored) {
    loop.perform(
        Lane.COORDINATION,
        coordination::readDataId,
        id -> {
          if (!waiting.containsKey(server)) {
            return;
          }
          if (data.isReplacedBy(id)) {
            lost(server, stored, waiting.get(server));
          } else {
            over(server); // Its session has ended.
          }
        },
        cause -> {
          if (!waiting.containsKey(server)) {
            return;
          }
          LOG.warn("It is not known why {} is not registered: {}", server, cause.toString());
          detector.awaitEnd(server, this::over);
          loop.after(RETRY, () -> checkData(server, stored));
        });
  }

  /** Gives up a server whose registration was lost with ZooKeeper's data. */
  void lost(ServerName server, Completion stored, Runnable leaseOver) {
    LOG.warn(
        "Somebody has deleted ZooKeeper's data, or ZooKeeper has lost them, and {} may not know"
            + " that. Its regions open elsewhere once it can no longer answer clients",
        server);
    giveUp(server, stored, () -> {}, leaseOver);
  }

  /** Waits for the end of the lease of a server that an earlier master gave up. */
  void resume(ServerName server, Runnable leaseOver) {
    waiting.put(server, leaseOver);
    unregister(server);
  }

  /** Tells whether a server that was given up may still answer others. */
  boolean mayServe(ServerName server) {
    return waiting.containsKey(server);
  }

  /** Ends the waiting for servers whose address belongs to a later life. */
  void replaced(ServerName later) {
    List.copyOf(waiting.keySet()).stream().filter(later::isLaterLifeOf).forEach(this::over);
  }

  private void unregister(ServerName server) {
    loop.perform(
        Lane.COORDINATION,
        () -> coordination.unregisterRegionServer(server),
        Completion.of(
            () -> {
              loop.after(coordination.sessionTimeout(), () -> over(server));
              probe(server);
            },
            cause -> {
              LOG.warn("{} is given up and stays registered for now: {}", server, cause.toString());
              loop.after(RETRY, () -> unregister(server));
            }));
  }

  private void probe(ServerName server) {
    if (waiting.containsKey(server)) {
      detector.awaitEnd(server, this::over);
      loop.after(PROBE_INTERVAL, () -> probe(server));
    }
  }

  private void over(ServerName server) {
    Runnable next = waiting.remove(server);
    if (next != null) {
      next.run();
    }
  }
}
