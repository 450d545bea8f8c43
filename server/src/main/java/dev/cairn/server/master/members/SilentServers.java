package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks region servers that are given up for silence, although they may still answer others from
 * their memory. Each keeps its lease until a session timeout has passed since its registration was
 * removed, or until its process has ended. The store lists it before its registration is removed,
 * so that the next master waits, too. Owned by the loop.
 */
final class SilentServers {
  private static final Logger LOG = LoggerFactory.getLogger(SilentServers.class);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

  private final MasterLoop loop;
  private final Coordination coordination;
  private final ServerList serverList;
  private final FailureDetector detector;

  /** The action that follows when a server's lease is over. */
  private final Map<ServerName, Runnable> waiting = new HashMap<>();

  SilentServers(
      MasterLoop loop, Coordination coordination, ServerList serverList, FailureDetector detector) {
    this.loop = loop;
    this.coordination = coordination;
    this.serverList = serverList;
    this.detector = detector;
  }

  /**
   * Gives a server up.
   *
   * @param stored told if the write to the master's store fails
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

  /** Waits for the end of the lease of a server that an earlier master gave up. */
  void resume(ServerName server, Runnable leaseOver) {
    waiting.put(server, leaseOver);
    unregister(server);
  }

  /** Tells whether a server that was given up may still answer others. */
  boolean mayServe(ServerName server) {
    return waiting.containsKey(server);
  }

  private void unregister(ServerName server) {
    loop.perform(
        Lane.COORDINATION,
        () -> coordination.unregisterRegionServer(server),
        Completion.of(
            () -> {
              loop.after(coordination.lease().timeout(), () -> over(server));
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
