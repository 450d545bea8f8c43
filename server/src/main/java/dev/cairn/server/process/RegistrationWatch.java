package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import java.util.function.Consumer;

/**
 * Ends a region server that others believe dead: its session has ended, or its znode was deleted.
 *
 * <p>A server whose znode was deleted does not register again. The master deletes the znode of a
 * server that it gives up, and gives up a server whose znode somebody else has deleted: it takes
 * the log away and opens the regions elsewhere. Only a new life of the server, with a start code
 * and a log of its own, may take regions.
 */
public final class RegistrationWatch implements Coordination.Listener {
  private final ServerName self;
  private final Consumer<String> giveWay;
  private boolean registered;
  private boolean leaving;

  /**
   * Creates the listener of a server that has registered.
   *
   * @param giveWay ends the server as a kill would, for the given reason; returns at once
   */
  public RegistrationWatch(ServerName self, Consumer<String> giveWay) {
    this.self = self;
    this.giveWay = giveWay;
  }

  /** The server is about to delete its znode itself. */
  public synchronized void leave() {
    leaving = true;
  }

  @Override
  public synchronized void changed(ClusterState state) {
    boolean now = state.regionServers().contains(self);
    if (registered && !now && !leaving) {
      giveWay.accept("The znode of " + self + " was deleted, so its regions may be elsewhere");
    }
    registered = now;
  }

  @Override
  public void sessionLost(String reason) {
    giveWay.accept(reason);
  }
}
