package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends a server when an administrator shuts its cluster down, which removes the znode {@code
 * running}. Does not end the active master, which removes the znode and ends after its backups.
 *
 * <p>If somebody deletes all znodes, the server's own registration goes with them. That is no
 * shutdown, so the server continues. Since the deletions arrive one by one, the check comes a
 * moment later.
 */
final class ClusterShutdown implements Coordination.Listener {
  /** The delay of the check after the znode's removal. */
  static final long DELAY_MILLIS = 500;

  private final Supplier<ClusterState> state;
  private final ServerName self;
  private final Consumer<Runnable> later;
  private final Runnable stop;
  private boolean wasUp;

  /**
   * Creates the listener.
   *
   * @param state returns the newest state
   * @param later runs a check after {@link #DELAY_MILLIS}
   * @param stop ends the server in order; returns at once
   */
  ClusterShutdown(
      Supplier<ClusterState> state, ServerName self, Consumer<Runnable> later, Runnable stop) {
    this.state = state;
    this.self = self;
    this.later = later;
    this.stop = stop;
  }

  @Override
  public synchronized void changed(ClusterState now) {
    if (wasUp && !now.up()) {
      later.accept(this::stopIfDown);
    }
    wasUp = now.up();
  }

  @Override
  public void sessionLost(String reason) {}

  private void stopIfDown() {
    ClusterState now = state.get();
    boolean registered = now.regionServers().contains(self) || now.backupMasters().contains(self);
    if (!now.up() && registered) {
      stop.run();
    }
  }
}
