package dev.cairn.server.master.members;

import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterLoop.Lane;
import dev.cairn.server.master.remote.OnlineServers;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the region servers as they come and go. One that has gone is given up for good: its log
 * is recovered, again and again until that succeeds, and then its regions may be opened elsewhere.
 * Owned by the loop.
 */
public final class ServerManager {
  private static final Logger LOG = LoggerFactory.getLogger(ServerManager.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final MasterLoop loop;
  private final Coordination coordination;
  private final DeadServerLogs logs;
  private final OnlineServers servers;
  private final ServerList serverList;
  private final Assignments assignments;

  /** Completes what is written to the store. */
  private final Completion stored;

  private final Runnable changed;
  private final BiConsumer<String, Throwable> abort;

  /** Servers that have reported for duty here, registered or not yet. */
  private final Set<ServerName> expected = new HashSet<>();

  /** Dead servers whose logs are not recovered yet. */
  private final Set<ServerName> recovering = new HashSet<>();

  /**
   * The cause of each server's last failed recovery, so that a repeated stack trace is logged once.
   */
  private final Map<ServerName, String> failures = new HashMap<>();

  /** Whether it is known which dead servers have left logs. */
  private boolean listed;

  /**
   * Creates it.
   *
   * @param stored told how writes of {@code serverList} end
   * @param changed run after servers came, and after a log was recovered
   * @param abort called with the reason if a log needs repair before it can be recovered
   */
  public ServerManager(
      MasterLoop loop,
      Coordination coordination,
      DeadServerLogs logs,
      OnlineServers servers,
      ServerList serverList,
      Assignments assignments,
      Completion stored,
      Runnable changed,
      BiConsumer<String, Throwable> abort) {
    this.loop = loop;
    this.coordination = coordination;
    this.logs = logs;
    this.servers = servers;
    this.serverList = serverList;
    this.assignments = assignments;
    this.stored = stored;
    this.changed = changed;
    this.abort = abort;
  }

  /** Returns the region servers that are registered. */
  public OnlineServers live() {
    return servers;
  }

  /** Tells whether the log of a dead server is not recovered yet. */
  public boolean isRecovering(ServerName server) {
    return recovering.contains(server);
  }

  /** Tells whether no log is left to recover, also of those that {@link #recoverLogs} found. */
  public boolean isRecovered() {
    return listed && recovering.isEmpty();
  }

  /** The members of the cluster have changed. */
  public void update(ClusterState state) {
    OnlineServers.Difference difference = servers.update(state.regionServers());
    for (ServerName server : difference.went()) {
      LOG.info("The region server {} is gone", server);
      gone(server);
    }
    if (!difference.came().isEmpty()) {
      LOG.info("Region servers came: {}", difference.came());
      serverList.enter(difference.came(), stored);
      forgetServers();
      changed.run();
      assignments.driveAll();
    }
  }

  /** A server reports for duty; it registers next. */
  public void reportedForDuty(ServerName server) {
    expected.add(server);
    for (ServerName earlier : servers.earlierLives(server)) {
      LOG.info("The region server {} was restarted as {}", earlier, server);
      servers.bury(earlier);
      gone(earlier);
      loop.perform(
          Lane.WORK,
          () -> coordination.unregisterRegionServer(earlier),
          Completion.of(
              () -> {},
              cause -> LOG.warn("{} stays registered for now: {}", earlier, cause.toString())));
    }
  }

  /** Looks for the logs of servers that died before this master began, and recovers them. */
  public void recoverLogs() {
    loop.perform(
        Lane.WORK,
        logs::servers,
        found -> {
          listed = true;
          for (ServerName server : found) {
            if (!servers.isLive(server) && !expected.contains(server)) {
              recover(server);
            }
          }
          changed.run();
        },
        cause -> {
          LOG.error("The logs of dead servers could not be listed; trying again", cause);
          loop.after(RETRY, this::recoverLogs);
        });
  }

  private void gone(ServerName server) {
    expected.remove(server);
    assignments.serverGone(server);
    recover(server);
  }

  private void recover(ServerName dead) {
    if (recovering.add(dead)) {
      tryRecover(dead);
    }
  }

  private void tryRecover(ServerName dead) {
    loop.perform(
        Lane.WORK,
        () -> logs.recover(dead),
        Completion.of(
            () -> {
              recovering.remove(dead);
              failures.remove(dead);
              forgetServers();
              assignments.serverRecovered(dead);
              changed.run();
            },
            cause -> notRecovered(dead, cause)));
  }

  private void notRecovered(ServerName dead, IOException cause) {
    if (DataDamage.isPermanent(cause)) {
      abort.accept(
          DataDamage.message(
              "The log of the region server " + dead + " cannot be recovered", cause),
          cause);
      return;
    }
    if (cause.toString().equals(failures.put(dead, cause.toString()))) {
      LOG.warn("Recovery of the log of {} still fails; trying again: {}", dead, cause.toString());
    } else {
      LOG.error("Recovery of the log of {} failed; trying again", dead, cause);
    }
    loop.after(RETRY, () -> tryRecover(dead));
  }

  /**
   * Strikes off servers that have neither regions nor logs any more. The last one stays while there
   * is none to take over its regions.
   */
  private void forgetServers() {
    if (listed && !servers.all().isEmpty()) {
      serverList.removeIf(
          server ->
              !servers.isLive(server) && !expected.contains(server) && !recovering.contains(server),
          stored);
    }
  }
}
