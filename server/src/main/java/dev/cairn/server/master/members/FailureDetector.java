package dev.cairn.server.master.members;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.members.ServerProbe.Answer;
import dev.cairn.server.master.remote.ServerCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds dead region servers before their sessions end. A server is probed by a call:
 *
 * <ul>
 *   <li>when it registers, so that a connection exists that breaks when its process ends,
 *   <li>at once when a connection to it breaks or is refused,
 *   <li>every second while its last sign of life is older than the time between two reports.
 * </ul>
 *
 * <p>A server whose host refuses the connection is dead: its process has ended. A server is also
 * dead if a later life has its address, or if it answers that it has aborted. A server that neither
 * reports nor answers for long is cut off or hangs, although its session lives. It is given up only
 * if at least as many servers have answered all the time as are silent. Otherwise, this master may
 * be the one that is cut off. Owned by the loop.
 */
final class FailureDetector {
  private static final Logger LOG = LoggerFactory.getLogger(FailureDetector.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

  /** The pause after a probe that a broken connection ended. */
  private static final Duration PROBE_PAUSE = Duration.ofMillis(100);

  /** The time between two checks above which the master was paused. */
  private static final Duration SLEEP_MIN = CHECK_INTERVAL.multipliedBy(3);

  /** The number of missed reports after which a silent server may be given up. */
  private static final int MISSED_REPORTS = 4;

  /** Learns of dead servers, which are not watched any more. */
  interface Listener {
    /** The server serves nothing any more. */
    void ended(ServerName server);

    /** The server does not answer; it may still run. */
    void silent(ServerName server, Duration silence);
  }

  private final MasterLoop loop;
  private final Clock clock;
  private final ServerCalls calls;
  private final ServerProbe probe;
  private final MemberSettings settings;
  private final Duration silenceMax;
  private final Listener listener;
  private final Map<ServerName, Watched> watched = new TreeMap<>();
  private long checkedNanos;

  /** A server that is believed to be alive. */
  private static final class Watched {
    private long heardNanos;

    /** The time since which it has answered without a gap. */
    private long steadyNanos;

    private boolean isProbed;
    private boolean isReported;

    private Watched(long now) {
      this.heardNanos = now;
      this.steadyNanos = now;
    }
  }

  /**
   * Creates a detector that watches no server yet.
   *
   * @param sessionTimeout after this time ZooKeeper ends the session of a dead server
   */
  FailureDetector(
      MasterLoop loop,
      Clock clock,
      ServerCalls calls,
      MemberSettings settings,
      Duration sessionTimeout,
      Listener listener) {
    this.loop = loop;
    this.clock = clock;
    this.calls = calls;
    this.probe = new ServerProbe(calls);
    this.settings = settings;
    Duration missed = settings.reportInterval().multipliedBy(MISSED_REPORTS);
    this.silenceMax = missed.compareTo(sessionTimeout) > 0 ? missed : sessionTimeout;
    this.listener = listener;
  }

  /** Begins to look for silent servers. */
  void start() {
    calls.whenBroken(address -> loop.post(() -> broken(address)));
    checkedNanos = clock.nanoTime();
    loop.after(CHECK_INTERVAL, this::check);
  }

  /** Watches a server that has registered. */
  void watch(ServerName server) {
    if (watched.putIfAbsent(server, new Watched(clock.nanoTime())) == null) {
      suspect(server);
    }
  }

  /** Stops watching a server. */
  void forget(ServerName server) {
    watched.remove(server);
  }

  /** Records that a server has given a sign of life. */
  void heard(ServerName server) {
    Watched known = watched.get(server);
    if (known != null) {
      known.heardNanos = clock.nanoTime();
    }
  }

  /** Tells whether a watched server has given a sign of life within the last {@code time}. */
  boolean wasHeardWithin(ServerName server, Duration time) {
    Watched known = watched.get(server);
    return known != null && silence(known).compareTo(time) < 0;
  }

  /** Probes a server at once, because it may be dead. */
  void suspect(ServerName server) {
    Watched known = watched.get(server);
    if (known != null && !known.isProbed) {
      known.isProbed = true;
      probe(
          server,
          answer -> {
            known.isProbed = false;
            if (watched.get(server) == known) {
              answered(server, answer);
            }
          });
    }
  }

  /**
   * Probes once a server that is neither watched nor registered. Without a registration it cannot
   * renew its lease. Calls {@code ended} if the server certainly answers no clients any more.
   */
  void awaitEnd(ServerName server, Consumer<ServerName> ended) {
    probe(
        server,
        answer -> {
          calls.hangUp(server); // closes the connection; nothing else calls this server
          if (answer == Answer.ENDED || answer == Answer.LEASE_OVER) {
            ended.accept(server);
          }
        });
  }

  private void broken(String address) {
    for (ServerName server : List.copyOf(watched.keySet())) {
      if (server.hostAndPort().equals(address)) {
        suspect(server);
      }
    }
  }

  private void check() {
    long now = clock.nanoTime();
    if (now - checkedNanos > SLEEP_MIN.toNanos()) {
      watched.values().forEach(known -> known.heardNanos = known.steadyNanos = now);
    }
    checkedNanos = now;
    Duration recent = settings.reportInterval().plus(CHECK_INTERVAL.multipliedBy(2));
    for (Watched known : watched.values()) {
      if (silence(known).compareTo(recent) > 0) {
        known.steadyNanos = now;
      } else {
        known.isReported = false;
      }
    }
    for (ServerName server : List.copyOf(watched.keySet())) {
      Watched known = watched.get(server);
      Duration silence = silence(known);
      if (silence.compareTo(silenceMax) > 0 && maySilenceEnd(server, known)) {
        watched.remove(server);
        listener.silent(server, silence);
      } else if (silence.compareTo(settings.reportInterval()) > 0) {
        suspect(server);
      }
    }
    loop.after(CHECK_INTERVAL, this::check);
  }

  private Duration silence(Watched known) {
    return Duration.ofNanos(clock.nanoTime() - known.heardNanos);
  }

  /** Tells whether a silent server may be given up, because this master is not cut off itself. */
  private boolean maySilenceEnd(ServerName server, Watched silent) {
    long now = clock.nanoTime();
    long answering =
        watched.values().stream()
            .filter(other -> now - other.steadyNanos > silenceMax.toNanos())
            .count();
    long silents =
        watched.values().stream().filter(other -> silence(other).compareTo(silenceMax) > 0).count();
    if (answering >= silents) {
      return true;
    }
    if (!silent.isReported) {
      silent.isReported = true;
      LOG.warn(
          "{} does not answer, and keeps its regions while its session lives: {} of {} region"
              + " servers are silent, so this master may be cut off",
          server,
          silents,
          watched.size());
    }
    return false;
  }

  private void probe(ServerName server, Consumer<Answer> answered) {
    loop.perform(
        Lane.probe(server),
        () -> probe.regionServer(server),
        answered,
        cause -> answered.accept(Answer.NONE));
  }

  private void answered(ServerName server, Answer answer) {
    switch (answer) {
      case ALIVE, LEASE_OVER -> heard(server);
      case ENDED -> {
        watched.remove(server);
        listener.ended(server);
      }
      case BROKEN -> loop.after(PROBE_PAUSE, () -> suspect(server));
      case NONE -> {} // The next check probes again.
    }
  }
}
