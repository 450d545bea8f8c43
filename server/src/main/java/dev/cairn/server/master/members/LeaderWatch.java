package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.remote.ServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the process of the active master has ended, before its session ends. Runs in the
 * backup masters. The first of them probes the active master:
 *
 * <ul>
 *   <li>every second until it answers, so that a connection exists that breaks when its process
 *       ends,
 *   <li>at once when the connection breaks,
 *   <li>every ten seconds after it has answered.
 * </ul>
 *
 * <p>If the host refuses the connection, this class removes the registration of the active master.
 * Then the election goes on.
 *
 * <p>An error is harmless: a master that lives and has lost its registration is replaced, and the
 * fences stop it. Owned by the loop.
 */
public final class LeaderWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** The number of intervals between two probes of a master that has answered. */
  private static final int INTERVALS_CONNECTED = 10;

  /** The pause after a probe that a broken connection ended. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerName self;
  private final MasterLoop loop;
  private final ServerCalls calls;
  private final Registrations registrations;
  private Optional<ServerName> leader = Optional.empty();
  private boolean isStarted;
  private boolean isProbing;

  /** The number of intervals until the next probe. */
  private int intervalsLeft;

  /** The registrations of masters. */
  @FunctionalInterface
  public interface Registrations {
    /** Removes the registration of the active master {@code ended}. Blocks. */
    void remove(ServerName ended) throws IOException;
  }

  /** Creates a watch of the master {@code self}, which does nothing yet. */
  public LeaderWatch(
      ServerName self, MasterLoop loop, ServerCalls calls, Registrations registrations) {
    this.self = self;
    this.loop = loop;
    this.calls = calls;
    this.registrations = registrations;
  }

  /** Receives the state of the cluster. Begins to probe if that is this master's task now. */
  public void update(ClusterState state) {
    boolean isFirst =
        state.backupMasters().stream()
            .min(Comparator.naturalOrder())
            .filter(self::equals)
            .isPresent();
    Optional<ServerName> now =
        isFirst ? state.activeMaster().filter(active -> !active.equals(self)) : Optional.empty();
    if (now.equals(leader)) {
      return;
    }
    leader = now;
    if (leader.isPresent() && !isStarted) {
      isStarted = true;
      calls.whenBroken(address -> loop.post(() -> broken(address)));
      loop.after(INTERVAL, this::check);
    }
    probe();
  }

  private void check() {
    if (--intervalsLeft <= 0) {
      probe();
    }
    loop.after(INTERVAL, this::check);
  }

  private void broken(String address) {
    if (leader.filter(server -> server.hostAndPort().equals(address)).isPresent()) {
      probe();
    }
  }

  private void probe() {
    if (leader.isEmpty() || isProbing) {
      return;
    }
    isProbing = true;
    ServerName probed = leader.get();
    loop.perform(
        Lane.probe(probed),
        () -> new ServerProbe(calls).master(probed),
        answer -> answered(probed, answer),
        cause -> answered(probed, ServerProbe.Answer.NONE));
  }

  private void answered(ServerName probed, ServerProbe.Answer answer) {
    isProbing = false;
    intervalsLeft = answer == ServerProbe.Answer.ALIVE ? INTERVALS_CONNECTED : 1;
    if (!leader.equals(Optional.of(probed))) {
      probe();
    } else if (answer == ServerProbe.Answer.ENDED) {
      LOG.info("The active master {} has ended: its host refuses connections", probed);
      loop.perform(
          Lane.COORDINATION,
          () -> registrations.remove(probed),
          Completion.of(
              () -> {},
              cause -> LOG.warn("Cannot remove the registration of the master {}", probed, cause)));
    } else if (answer == ServerProbe.Answer.BROKEN) {
      loop.after(PAUSE, this::probe);
    }
  }
}
