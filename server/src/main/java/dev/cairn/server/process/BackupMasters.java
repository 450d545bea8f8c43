package dev.cairn.server.process;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Lets the active master of a cluster that was shut down end last. If it ended before a backup
 * master has noticed the shutdown, that one would lead, and bring the cluster up again.
 *
 * @param state returns the newest state
 */
record BackupMasters(Supplier<ClusterState> state, ServerName self, Clock clock) {
  private static final Duration POLL = Duration.ofMillis(20);

  /**
   * Waits until no backup master is left, if {@code self} leads a cluster that was shut down.
   * Blocks.
   *
   * @return false if some are left after {@code patience}
   */
  boolean awaitEnd(Duration patience) {
    long end = clock.nanoTime() + patience.toNanos();
    while (areAwaited(state.get())) {
      if (clock.nanoTime() - end >= 0) {
        return false;
      }
      clock.park(POLL.toNanos());
    }
    return true;
  }

  private boolean areAwaited(ClusterState now) {
    return !now.up()
        && now.activeMaster().filter(self::equals).isPresent()
        && !now.backupMasters().isEmpty();
  }
}
