package dev.cairn.server.process.event;

import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;

/** Adds servers that come and go to the events. */
public record EventWatch(EventRing ring) implements Coordination.Listener {
  @Override
  public void changed(ClusterState state) {
    ring.changed(state);
  }

  @Override
  public void sessionLost(String reason) {
    // The process ends.
  }
}
