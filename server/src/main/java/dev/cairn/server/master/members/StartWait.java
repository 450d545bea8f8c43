package dev.cairn.server.master.members;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import java.util.Collection;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for region servers when a master begins to lead, so that the first one does not get all
 * regions. As in HBase, except that it ends once all servers of the master's store are there. Owned
 * by the loop.
 */
final class StartWait {
  private static final Logger LOG = LoggerFactory.getLogger(StartWait.class);

  private final Clock clock;
  private final MemberSettings settings;
  private final Set<ServerName> listed;
  private final long beganNanos;
  private long cameNanos;
  private int present;

  /**
   * Begins.
   *
   * @param listed the servers that the last master had, by the names of their lives then
   */
  StartWait(Clock clock, MemberSettings settings, Set<ServerName> listed) {
    this.clock = clock;
    this.settings = settings;
    this.listed = Set.copyOf(listed);
    this.beganNanos = clock.nanoTime();
    this.cameNanos = beganNanos;
  }

  /** Tells whether enough servers are there. */
  boolean isOver(Collection<ServerName> live) {
    long now = clock.nanoTime();
    if (live.size() != present) {
      present = live.size();
      cameNanos = now;
      LOG.info(
          "{} region servers are there; at least {} are needed, and all that come within {} ms"
              + " are waited for (hbase.master.wait.on.regionservers.*)",
          present,
          settings.minToStart(),
          settings.startTimeout().toMillis());
    }
    if (present < settings.minToStart()) {
      return false;
    }
    return present >= settings.maxToStart()
        || allCame(live)
        || (now - beganNanos >= settings.startTimeout().toNanos()
            && now - cameNanos >= settings.startInterval().toNanos());
  }

  private boolean allCame(Collection<ServerName> live) {
    return !listed.isEmpty()
        && listed.stream().allMatch(server -> live.stream().anyMatch(server::sameAddress));
  }
}
