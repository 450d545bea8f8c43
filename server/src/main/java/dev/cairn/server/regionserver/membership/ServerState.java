package dev.cairn.server.regionserver.membership;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerAbortedException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;

/** The state of the server, with the exception for callers while it does not serve. Thread-safe. */
public final class ServerState {
  /** The stages of a server's life, in their order. */
  public enum Stage {
    STARTING,
    SERVING,
    STOPPING,
    ABORTED
  }

  private final ServerName serverName;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.STARTING);

  /** Creates the state of a server that is starting. */
  public ServerState(ServerName serverName) {
    this.serverName = serverName;
  }

  /** Returns the server's name. */
  public ServerName serverName() {
    return serverName;
  }

  /** Goes on to a later stage; false if the server is there or further already. */
  public boolean advance(Stage to) {
    while (true) {
      Stage now = stage.get();
      if (now.compareTo(to) >= 0) {
        return false;
      }
      if (stage.compareAndSet(now, to)) {
        return true;
      }
    }
  }

  /** Tells whether the server is on its way down. */
  public boolean isGoingDown() {
    return stage.get().compareTo(Stage.STOPPING) >= 0;
  }

  /** Tells whether the server gave up. */
  public boolean isAborted() {
    return stage.get() == Stage.ABORTED;
  }

  /**
   * Lets a call pass if the server answers calls.
   *
   * @throws IOException the exception from which a client knows to try again, here or elsewhere
   */
  void checkServing() throws IOException {
    switch (stage.get()) {
      case SERVING -> {}
      case STARTING ->
          throw new ServerNotRunningYetException("Server " + serverName + " is not running yet");
      case STOPPING ->
          throw new RegionServerStoppedException("Server " + serverName + " is stopping");
      case ABORTED -> throw new RegionServerAbortedException("Server " + serverName + " aborted");
    }
  }
}
