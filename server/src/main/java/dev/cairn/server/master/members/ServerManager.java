package dev.cairn.server.master.members;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.recovery.DeadServerLogs;
import dev.cairn.server.master.recovery.LogRecoveries;
import dev.cairn.server.master.recovery.RecoveryProgress;
import dev.cairn.server.master.remote.LiveServerCalls;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.metrics.OperationCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the region servers as they come and go. A server that has gone is given up for good: its
 * log is recovered, again and again until that succeeds. Each region may be opened elsewhere as
 * soon as it has its part of the log. Owned by the loop.
 */
public final class ServerManager {
  private static final Logger LOG = LoggerFactory.getLogger(ServerManager.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  /** The time between two checks of a starting master that waits for servers. */
  private static final Duration START_CHECK = Duration.ofMillis(100);

  private static final Lane EARLY_SEALS = new Lane("early seals", 4);

  /** The time until the next check for the notification of a registered server. */
  private static final Duration NEWS = Duration.ofMillis(50);

  private final MasterLoop loop;
  private final Clock clock;
  private final Coordination coordination;
  private final DeadServerLogs logs;
  private final LogRecoveries recoveries;
  private final LiveServerCalls calls;
  private final OnlineServers servers;
  private final ServerList serverList;
  private final Assignments assignments;

  /** Receives the results of writes to the store. */
  private final Completion stored;

  private final Runnable changed;
  private final BiConsumer<String, Throwable> abort;

  /** Servers that have reported for duty here, registered or not yet. */
  private final Set<ServerName> expected = new HashSet<>();

  /** Dead servers whose logs are not recovered yet. */
  private final Map<ServerName, Recovery> recovering = new LinkedHashMap<>();

  private final Function<ServerName, Recovery> beginRecovery;

  /** Dead servers whose logs are recovered, and whose leases are not over. */
  private final Set<ServerName> leased = new HashSet<>();

  /**
   * The cause of each server's last failed recovery, so that a repeated stack trace is logged once.
   */
  private final Map<ServerName, String> failures = new HashMap<>();

  private final FailureDetector detector;
  private final ZooKeeperData data;
  private final SilentServers silent;
  private final StuckLogs stuck;
  private final StartWait startWait;
  private boolean waitsToStart;

  /** True if the dead servers with remaining logs are known. */
  private boolean listed;

  /** The progress of the recoveries. */
  private final Map<ServerName, RecoveryProgress> progress = new HashMap<>();

  private final EndedRecoveries ended;
  private final OperationCounters recoveryTimes = new OperationCounters();

  /**
   * The recovery of a dead server's log. It is listed among the procedures.
   *
   * @param id its number among the procedures
   * @param sinceMillis when it began, milliseconds since 1970
   */
  public record Recovery(ServerName server, long id, long sinceMillis) {}

  /**
   * Creates it.
   *
   * @param recoveries recovers logs with the help of region servers
   * @param beginRecovery numbers a recovery that begins
   * @param probes asks servers whether they live
   * @param calls fail for servers that are given up
   * @param stored receives the results of writes to {@code serverList}
   * @param changed run after servers came, and after a log was recovered
   * @param abort called with the reason if a log needs repair before it can be recovered
   */
  public ServerManager(
      MasterLoop loop,
      Clock clock,
      Coordination coordination,
      DeadServerLogs logs,
      LogRecoveries recoveries,
      ServerCalls probes,
      LiveServerCalls calls,
      MemberSettings settings,
      OnlineServers servers,
      ServerList serverList,
      Assignments assignments,
      Function<ServerName, Recovery> beginRecovery,
      Completion stored,
      Runnable changed,
      BiConsumer<String, Throwable> abort) {
    this.loop = loop;
    this.clock = clock;
    this.coordination = coordination;
    this.logs = logs;
    this.recoveries = recoveries;
    this.calls = calls;
    this.servers = servers;
    this.serverList = serverList;
    this.assignments = assignments;
    this.beginRecovery = beginRecovery;
    this.stored = stored;
    this.changed = changed;
    this.abort = abort;
    this.ended = new EndedRecoveries(clock);
    this.detector =
        new FailureDetector(
            loop, clock, probes, settings, coordination.sessionTimeout(), new Deaths());
    this.data =
        new ZooKeeperData(loop, coordination, serverList, servers, this::isRecovered, stored);
    this.silent = new SilentServers(loop, coordination, serverList, detector, data);
    this.stuck = new StuckLogs(loop, clock, settings, logs::check, new Storages());
    serverList.all().forEach(servers::accept); // by the master before
    serverList.givenUp().forEach(servers::bury); // though their registrations may linger
    detector.start();
    this.startWait = new StartWait(clock, settings, serverList.all());
  }

  /**
   * Tells whether enough servers are there to open regions. If not, {@code changed} runs again
   * soon.
   */
  public boolean areEnoughToStart() {
    if (startWait.isOver(servers.ready())) {
      return true;
    }
    if (!waitsToStart) {
      waitsToStart = true;
      loop.after(
          START_CHECK,
          () -> {
            waitsToStart = false;
            changed.run();
          });
    }
    return false;
  }

  /** Returns the region servers that are registered. */
  public OnlineServers live() {
    return servers;
  }

  /** Tells whether the log of a dead server is not recovered yet. */
  public boolean isRecovering(ServerName server) {
    return recovering.containsKey(server);
  }

  /**
   * Returns the recoveries of dead servers that are under way, in the order in which they began.
   */
  public List<Recovery> recoveries() {
    return List.copyOf(recovering.values());
  }

  /** Returns the counts and times of recoveries since the master leads. */
  public OperationCounters recoveryTimes() {
    return recoveryTimes;
  }

  /** Returns the recoveries that this master completed within the last 15 minutes. */
  public List<EndedRecoveries.Ended> endedRecoveries() {
    return ended.all();
  }

  /** Tells whether a region waits for the recovery of its dead server's log. */
  public boolean isRecovering(ServerName server, RegionInfo region) {
    return isRecovering(server) && !mayOpen(server, region);
  }

  private boolean mayOpen(ServerName dead, RegionInfo region) {
    return !silent.mayServe(dead) && progress.get(dead).mayOpen(region);
  }

  /** Returns the present step in the recovery of a server that {@link #isRecovering}. */
  public String status(ServerName server) {
    return leased.contains(server)
        ? "Its log is recovered; waiting until it can no longer answer clients"
        : progress.get(server).status();
  }

  /** Returns why the last attempt to recover a server failed; empty if none failed. */
  public Optional<String> lastFailure(ServerName server) {
    return Optional.ofNullable(failures.get(server));
  }

  /** Tells whether {@link #recoverLogs} has found the logs of all servers that are dead. */
  public boolean hasFoundLogs() {
    return listed;
  }

  /** Tells whether no log is left to recover, also of those that {@link #recoverLogs} found. */
  public boolean isRecovered() {
    return listed && recovering.isEmpty();
  }

  /**
   * Tells whether {@code hbase:meta} may be opened if no live server has it open: no dead server
   * may still answer reads, and all entries of {@code hbase:meta} in the logs of dead servers are
   * recovered.
   *
   * @param last the last known server of {@code hbase:meta}
   */
  public boolean mayOpenMeta(Optional<ServerName> last) {
    return recovering.keySet().stream()
        .allMatch(
            dead ->
                !silent.mayServe(dead)
                    && progress.get(dead).mayOpenMeta(last.isEmpty() || last.get().equals(dead)));
  }

  /**
   * Takes a server's report. Returns false if the server is not alive.
   *
   * @param load empty if the server only reports how long its log has waited
   */
  public boolean reported(ServerName server, Optional<ServerLoad> load, Duration logWait) {
    detector.heard(server);
    accept(server); // A server reports after a master has accepted it.
    load.ifPresent(report -> servers.report(server, report));
    if (servers.isLive(server)) {
      stuck.reported(server, logWait);
    }
    return servers.isLive(server);
  }

  /** Probes a server that may be dead. */
  public void suspect(ServerName server) {
    detector.suspect(server);
  }

  /** The members of the cluster have changed. */
  public void update(ClusterState state) {
    OnlineServers.Difference difference = servers.update(state.regionServers());
    for (ServerName server : difference.went()) {
      LOG.info("The region server {} is gone", server);
      if (!servers.isReplaced(server)) {
        silent.unregistered(server, stored, () -> leaseOver(server));
      }
      gone(server);
    }
    if (!difference.came().isEmpty()) {
      LOG.info("Region servers came: {}", difference.came());
      serverList.enter(difference.came(), stored);
      difference.came().forEach(detector::watch);
      difference.came().forEach(silent::replaced);
      forgetServers();
      changed.run();
      assignments.driveAll();
      recoveries.dispatch();
    }
  }

  /** A server reports for duty; it registers next. */
  public void reportedForDuty(ServerName server) {
    expected.add(server);
    accept(server);
    for (ServerName earlier : servers.earlierLives(server)) {
      LOG.info("The region server {} was restarted as {}", earlier, server);
      ended(earlier);
    }
  }

  private void accept(ServerName server) {
    if (servers.accept(server)) {
      changed.run();
      assignments.driveAll();
    }
  }

  /** Gives up a server that serves nothing any more, though it may be registered. */
  private void ended(ServerName server) {
    servers.bury(server);
    gone(server);
    loop.perform(
        Lane.COORDINATION,
        () -> coordination.unregisterRegionServer(server),
        Completion.of(
            () -> {},
            cause -> LOG.warn("{} stays registered for now: {}", server, cause.toString())));
  }

  /**
   * Looks for the logs of servers that died before this master began, and recovers them. Looks
   * again while a registered server has a log and this master has not been notified yet that the
   * server lives, or that it has died.
   */
  public void recoverLogs() {
    for (ServerName server : serverList.givenUp()) {
      if (!recovering.containsKey(server)) {
        silent.resume(server, () -> leaseOver(server));
        gone(server);
      }
    }
    loop.perform(
        Lane.RECOVERY,
        this::findLogs,
        found -> {
          boolean unheard = false;
          for (ServerName server : found.servers()) {
            if (servers.isLive(server)) {
              continue;
            }
            if (found.registered().contains(server) && !servers.isDead(server)) {
              LOG.info("{} has a log and is registered; waiting to be notified of it", server);
              unheard = true;
            } else {
              recoverUnregistered(server, found.dataId());
            }
          }
          recoverLost(found);
          listed = !unheard;
          if (unheard) {
            loop.after(NEWS, this::recoverLogs);
          }
          data.adopt();
          changed.run();
        },
        cause -> {
          LOG.warn("The logs of dead servers could not be listed; trying again", cause);
          loop.after(RETRY, this::recoverLogs);
        });
  }

  /**
   * The servers with logs, and the registered ones. A server registers before it has a log, so a
   * server with a log that is not registered is dead.
   *
   * @param dataId identifies ZooKeeper's data, or later ones
   */
  private record FoundLogs(List<ServerName> servers, Set<ServerName> registered, String dataId) {}

  private FoundLogs findLogs() throws IOException {
    List<ServerName> found = logs.servers();
    Set<ServerName> registered = coordination.readRegionServers(); // after the logs
    return new FoundLogs(found, registered, coordination.readDataId());
  }

  /**
   * Recovers the servers without logs that were registered in earlier data of ZooKeeper. The master
   * before may have recovered the log of such a server, and not waited for the end of its lease.
   */
  private void recoverLost(FoundLogs found) {
    if (data.isReplacedBy(found.dataId())) {
      for (ServerName server : serverList.all()) {
        if (!servers.isLive(server)
            && !servers.isDead(server)
            && !found.registered().contains(server)) {
          recoverUnregistered(server, found.dataId());
        }
      }
    }
  }

  /** Recovers a server that was not registered any more when this master began. */
  private void recoverUnregistered(ServerName server, String dataId) {
    boolean isNew = !recovering.containsKey(server) && !servers.isDead(server);
    if (isNew && data.isReplacedBy(dataId) && !servers.isReplaced(server)) {
      servers.bury(server);
      silent.lost(server, stored, () -> leaseOver(server));
    }
    recover(server);
  }

  private void gone(ServerName server) {
    expected.remove(server);
    detector.forget(server);
    stuck.forget(server);
    calls.giveUp(server);
    // Once more, for a call that was about to begin.
    loop.after(RETRY, () -> calls.giveUp(server));
    assignments.serverGone(server);
    recoveries.gone(server);
    recover(server);
  }

  private void recover(ServerName dead) {
    if (!recovering.containsKey(dead)) {
      recovering.put(dead, beginRecovery.apply(dead));
      recoveryTimes.submitted();
      progress.put(dead, new RecoveryProgress(clock, () -> loop.post(() -> partlyRecovered(dead))));
      tryRecover(dead);
    }
  }

  /** Opens the regions that have their edits; the other logs of the server may take longer. */
  private void partlyRecovered(ServerName dead) {
    if (recovering.containsKey(dead)) {
      progress.get(dead).heard();
      assignments.serverRecovered(dead, region -> mayOpen(dead, region));
    }
  }

  private void tryRecover(ServerName dead) {
    recoveries.begin(
        dead,
        progress.get(dead),
        Completion.of(
            () -> {
              failures.remove(dead);
              if (silent.mayServe(dead)) {
                leased.add(dead);
              } else {
                recovered(dead);
              }
            },
            cause -> notRecovered(dead, cause)));
  }

  private void leaseOver(ServerName dead) {
    if (leased.remove(dead)) {
      recovered(dead);
    } else {
      partlyRecovered(dead);
    }
  }

  private void recovered(ServerName dead) {
    Recovery done = recovering.remove(dead);
    ended.add(done);
    recoveryTimes.succeeded(Math.max(0, clock.currentTimeMillis() - done.sinceMillis()));
    servers.recovered(dead);
    progress.remove(dead);
    forgetServers();
    assignments.serverRecovered(dead, region -> true);
    data.adopt();
    changed.run();
  }

  private void notRecovered(ServerName dead, IOException cause) {
    boolean again = cause.toString().equals(failures.put(dead, cause.toString()));
    // A master that no longer leads may have archived the file since the directory was listed. The
    // next attempt lists it again.
    if (DataDamage.isPermanent(cause) && (again || !DataDamage.isMissingFile(cause))) {
      abort.accept(
          DataDamage.message(
              "The log of the region server " + dead + " cannot be recovered", cause),
          cause);
      return;
    }
    if (again) {
      LOG.warn("Recovery of the log of {} still fails; trying again: {}", dead, cause.toString());
    } else {
      LOG.warn("Recovery of the log of {} failed; trying again", dead, cause);
    }
    loop.after(RETRY, () -> tryRecover(dead));
  }

  /**
   * Removes servers that have neither regions nor logs any more. The last one stays while no other
   * server can take its regions.
   */
  private void forgetServers() {
    if (listed && !servers.all().isEmpty()) {
      serverList.removeIf(
          server ->
              !servers.isLive(server)
                  && !expected.contains(server)
                  && !recovering.containsKey(server),
          stored);
    }
  }

  /** Acts on the findings of the failure detector. */
  private final class Deaths implements FailureDetector.Listener {
    @Override
    public void ended(ServerName server) {
      LOG.info("The process of the region server {} has ended, or serves nothing any more", server);
      ServerManager.this.ended(server);
    }

    @Override
    public void silent(ServerName server, Duration silence) {
      LOG.warn(
          "{} is registered and has not answered for {} s. It is given up; its regions open"
              + " elsewhere once it can no longer answer clients",
          server,
          silence.toSeconds());
      giveUp(server);
    }
  }

  /** Gives up a server that runs, and may still answer others. */
  private void giveUp(ServerName server) {
    servers.bury(server);
    stuck.forget(server); // so that no check overwrites its entry in the store, which comes next
    silent.giveUp(server, stored, () -> gone(server), () -> leaseOver(server));
  }

  /** Acts on logs that are stuck. */
  private final class Storages implements StuckLogs.Members {
    @Override
    public boolean isRecovering(ServerName server) {
      return ServerManager.this.isRecovering(server);
    }

    @Override
    public void writeStore(ServerName server, Completion completion) {
      serverList.enter(Set.of(server), completion);
    }

    @Override
    public void sealEarly(ServerName server, BooleanSupplier waits) {
      loop.perform(
          EARLY_SEALS,
          () -> {
            boolean due = waits.getAsBoolean();
            if (due) {
              logs.sealEarly(server);
            }
            return due;
          },
          isSealed -> {
            if (isSealed) {
              LOG.info("The log files of {} are sealed early", server);
            }
          },
          cause -> LOG.info("{} is not sealed early: {}", server, cause.toString()));
    }

    @Override
    public void stuck(ServerName server, Duration wait) {
      LOG.warn(
          "A log of {} has written nothing for {} ms, while this master and other servers reach"
              + " HDFS. The server is given up; its regions open elsewhere once it can no longer"
              + " answer clients (cairn.master.stuck.log.timeout)",
          server,
          wait.toMillis());
      giveUp(server);
    }
  }
}
