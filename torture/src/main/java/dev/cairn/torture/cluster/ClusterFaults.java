package dev.cairn.torture.cluster;

import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.torture.scheduler.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Injects faults at random times, and repairs each after a while. */
final class ClusterFaults {
  private static final long MILLI = 1_000_000;
  private static final long NEAR_NANOS = 30_000 * MILLI;
  private static final long FROZEN_MAX_MILLIS = 35_000;
  private static final long RESTART_MAX_MILLIS = 20_000;

  /** The approximate time from a server's start to the beginning of its log. */
  private static final long START_MAX_MILLIS = 10;

  private static final long CUT_MAX_MILLIS = 30_000;
  private static final long STEP_MAX_MILLIS = 14_000;

  /** The time until a master gives up a server whose log is stuck. */
  private static final long STUCK_MAX_MILLIS = 6_000;

  private static final long STORAGE_MAX_MILLIS = 20_000;
  private static final long OUTAGE_MIN_MILLIS = 1_000;
  private static final double OUTAGE_MAX_LOG = Math.log(600_000);
  private static final Set<String> REGION_METHODS =
      Set.of("OpenRegion", "CloseRegion", "ExecuteProcedures", "ReportRegionStateTransition");

  private static final Set<String> SPLIT_METHODS =
      Set.of("ExecuteProcedures", "ReportProcedureDone");

  /** The steps of a takeover after which a freeze is dangerous. */
  private static final List<Instant> TAKEOVER =
      List.of(
          Instant.LEADERSHIP_TAKEN,
          Instant.STORE_LOGS_SOUGHT,
          Instant.STORE_LOGS_RECOVERED,
          Instant.STORE_LOG_BEGUN,
          Instant.STORE_OPENED);

  private static final long HANG_MIN_MILLIS = ClusterWorld.SESSION.toMillis();
  private static final long HANG_MAX_MILLIS = 4 * HANG_MIN_MILLIS;

  private final ClusterWorld world;
  private final Scheduler scheduler;
  private final List<FaultKind> kinds;
  private final RandomGenerator random;
  private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);

  /**
   * The number of the round of faults, so that events of an earlier round do not affect a later
   * one.
   */
  private long round;

  private int wanted;
  private boolean happening;
  private boolean disturbed;
  private long lastNanos;

  /**
   * Prepares faults.
   *
   * @param kinds the kinds to choose from, with equal probability
   */
  ClusterFaults(ClusterWorld world, Set<FaultKind> kinds, RandomGenerator random) {
    this.kinds = kinds.stream().sorted().toList();
    this.world = world;
    this.scheduler = world.parts().scheduler();
    this.random = random;
    world.whenStartedAgain(this::excuseIfDisturbed);
  }

  /** Returns the number of faults by kind. */
  Map<FaultKind, Long> counts() {
    return Map.copyOf(counts);
  }

  /** Begins to inject faults, about {@code wanted} of them in {@code time}. */
  void begin(Duration time, int wanted) {
    round++;
    happening = true;
    this.wanted = wanted;
    if (wanted > 0) {
      next(time.toNanos() / wanted);
    }
  }

  /** Tells whether a fault was recent; always true in a round without faults. */
  boolean areNear() {
    return happening && wanted == 0 || lastNanos > 0 && scheduler.nanos() - lastNanos < NEAR_NANOS;
  }

  /** Repairs everything and injects no more faults until {@link #begin}. */
  void end() {
    happening = false;
    lastNanos = lastNanos == 0 ? 0 : scheduler.nanos();
    calm();
    world.parts().dataNodes().heal();
    world.parts().zooKeeper().comeBack();
    world.stopReplaced();
    for (ProcessParts host : hosts()) {
      host.freezePoint().cancel();
      host.storage().heal();
      host.machine().thaw();
    }
    restartThoseThatStopped();
  }

  private List<ProcessParts> hosts() {
    List<ProcessParts> hosts = new ArrayList<>();
    world.masters().forEach(master -> hosts.add(master.host()));
    world.servers().forEach(server -> hosts.add(server.host()));
    return hosts;
  }

  private void next(long meanNanos) {
    long now = round;
    scheduler.after(
        random.nextLong(2 * meanNanos),
        () -> {
          if (happening && round == now) {
            happen(kinds.get(random.nextInt(kinds.size())));
            next(meanNanos);
          }
        });
  }

  /** Runs an action later, unless {@link #end} comes first. */
  private void later(long mostMillis, Runnable action) {
    later(0, mostMillis, action);
  }

  private void later(long leastMillis, long mostMillis, Runnable action) {
    long now = round;
    scheduler.after(
        random.nextLong(leastMillis * MILLI, mostMillis * MILLI),
        () -> {
          if (happening && round == now) {
            action.run();
          }
        });
  }

  private void count(FaultKind kind, String where) {
    counts.merge(kind, 1L, Long::sum);
    lastNanos = scheduler.nanos();
    world.parts().note(kind + " " + where);
  }

  private void happen(FaultKind kind) {
    int number = random.nextInt(world.servers().size());
    ProcessParts server = world.servers().get(number).host();
    int masterNumber = random.nextInt(world.masters().size());
    ProcessParts master = world.masters().get(masterNumber).host();
    Network network = world.parts().network();
    String place = Network.place(server.machine().name());
    switch (kind) {
      case SERVER_KILLED -> {
        server.machine().stop();
        count(kind, place);
      }
      case MASTER_KILLED -> {
        master.machine().stop();
        count(kind, master.machine().name());
      }
      case BOTH_RESTARTED ->
          world
              .leader()
              .ifPresent(
                  leader -> {
                    server.machine().stop();
                    for (MasterProcess one : world.masters()) {
                      if (one.name().equals(leader.self())) {
                        one.host().machine().stop();
                      }
                      restartAtSearch(number, one.host());
                    }
                    count(kind, server.machine().name() + " and the active master");
                  });
      case POWER_CUT -> {
        if (world.parts().survivesPowerCuts()) {
          calm();
          world.cutPower();
          count(kind, "");
        }
      }
      case SERVER_FROZEN -> {
        server.machine().freeze();
        frozen(kind, server);
      }
      case MASTER_FROZEN -> {
        master.machine().freeze();
        frozen(kind, master);
      }
      case SERVER_FROZEN_IN_SYNC -> freezeAt(Instant.LOG_WRITTEN, kind, server);
      case SERVER_FROZEN_BEFORE_PUBLICATION -> freezeAt(Instant.FILE_COMPLETE, kind, server);
      case SERVER_FROZEN_AFTER_PUBLICATION -> freezeAt(Instant.FILE_PUBLISHED, kind, server);
      case SERVER_FROZEN_IN_ANSWER -> freezeAt(Instant.ANSWER_MADE, kind, server);
      case MACHINE_SUSPENDED -> {
        ProcessParts host = any(server, master);
        host.machine().suspend();
        frozen(kind, host);
      }
      case SERVER_SUSPENDED_IN_ANSWER ->
          server
              .freezePoint()
              .await(
                  Instant.ANSWER_MADE,
                  () -> {
                    server.machine().suspend();
                    frozen(kind, server);
                  });
      case SPLITTER_KILLED -> {
        server.machine().stop();
        ProcessParts splitter = otherServer(number);
        splitter
            .freezePoint()
            .await(
                Instant.EDITS_COMPLETE,
                () -> {
                  count(kind, splitter.machine().name());
                  splitter.machine().stop();
                });
      }
      case SPLITTER_FROZEN -> {
        server.machine().stop();
        freezeAt(Instant.EDITS_COMPLETE, kind, otherServer(number));
      }
      case SPLIT_ORDERS_LOST -> {
        network.disturb(SPLIT_METHODS, 0.3, 0.3, 0.3);
        server.machine().stop();
        count(kind, place);
        later(CUT_MAX_MILLIS, this::calm);
      }
      case REGION_ORDERS_LOST -> {
        network.disturb(REGION_METHODS, 0.1, 0.5, 0.5);
        count(kind, place);
        later(CUT_MAX_MILLIS, this::calm);
      }
      case MASTER_FROZEN_IN_STORE -> freezeAt(Instant.STORE_WRITTEN, kind, master);
      case MASTER_FROZEN_IN_FILES -> freezeAt(Instant.FILES_CHANGED, kind, master);
      case MASTER_FROZEN_IN_ORDER -> freezeAt(Instant.ORDER_MADE, kind, master);
      case MASTER_FROZEN_IN_TAKEOVER ->
          world
              .leader()
              .ifPresent(
                  leader -> {
                    world.masters().stream()
                        .filter(one -> !one.name().equals(leader.self()))
                        .forEach(one -> freezeAt(any(TAKEOVER), kind, one.host()));
                    world.masters().stream()
                        .filter(one -> one.name().equals(leader.self()))
                        .forEach(one -> one.host().machine().stop());
                  });
      case SERVER_REPLACED ->
          server
              .freezePoint()
              .await(
                  Instant.LOG_WRITTEN,
                  () -> {
                    count(kind, server.machine().name());
                    world.parts().excuse(server.machine());
                    world.replaceServer(number);
                    excuseIfDisturbed(world.servers().get(number).host());
                    later(8_000, server.machine()::thaw);
                  });
      case CUT_FROM_ZOOKEEPER -> cut(kind, server, ZooKeeperService.PLACE, true);
      case CUT_FROM_MASTERS ->
          world.masters().forEach(one -> cut(kind, server, Network.place(one.name().host()), true));
      case CUT_STEP_BY_STEP -> {
        world.masters().forEach(one -> cutBothWays(server, one.name().host()));
        later(STEP_MAX_MILLIS, () -> cut(kind, server, ZooKeeperService.PLACE, true));
        later(CUT_MAX_MILLIS, this::calm);
      }
      case CUT_ONE_WAY -> {
        String other =
            random.nextBoolean() ? ZooKeeperService.PLACE : Network.place(master.machine().name());
        cut(kind, server, other, false);
      }
      case LOSSY_NETWORK -> disturb(kind, () -> network.disturb(0.02, 0, 0));
      case REORDERING_NETWORK -> disturb(kind, () -> network.disturb(0, 0.1, 0));
      case DUPLICATING_NETWORK -> disturb(kind, () -> network.disturb(0, 0.02, 0.2));
      case ZOOKEEPER_AWAY -> {
        world.parts().zooKeeper().goAway();
        zooKeeperIsAway(kind, random.nextLong(ClusterWorld.SESSION.toMillis() * 8 / 10));
      }
      case ZOOKEEPER_AWAY_LONG -> {
        world.parts().zooKeeper().goAway();
        zooKeeperIsAway(kind, outageMillis());
      }
      case ZOOKEEPER_FROZEN -> {
        world.parts().zooKeeper().freeze();
        zooKeeperIsAway(kind, outageMillis());
      }
      case ZOOKEEPER_WIPED -> {
        excuseAll();
        world.parts().zooKeeper().wipe();
        count(kind, "");
      }
      case CLOCK_JUMP -> {
        long millis = random.nextLong(-10_000, 10_000);
        // Nobody sets the clock of a suspended machine. If it were set back, no clock would tell
        // the server that its lease is over.
        if (!server.machine().isSuspended()) {
          server.machine().jump(millis);
          count(kind, server.machine().name());
        }
      }
      case SLOW_STORAGE ->
          spoil(kind, any(server, master), host -> host.storage().slowDown(400 * MILLI));
      case STORAGE_HANGS -> {
        world.parts().excuse(server.machine());
        server.storage().hang();
        count(kind, server.machine().name());
        later(HANG_MIN_MILLIS, HANG_MAX_MILLIS, server.storage()::heal);
      }
      case CUT_FROM_STORAGE -> {
        cutFromStorage(server);
        count(kind, server.machine().name());
      }
      case CUT_FROM_STORAGE_AND_ANSWERS -> {
        cutFromStorage(server);
        for (MasterProcess one : world.masters()) {
          network.cut(Network.place(one.name().host()), place);
        }
        later(STUCK_MAX_MILLIS, () -> cut(kind, server, ZooKeeperService.PLACE, true));
        later(CUT_MAX_MILLIS, this::calm);
      }
      case FAILING_WRITES ->
          spoil(
              kind,
              any(server, master),
              host ->
                  host.storage()
                      .faults()
                      .add(
                          FaultRule.of(
                                  StorageOperation.WRITE,
                                  StorageOperation.FLUSH,
                                  StorageOperation.SYNC,
                                  StorageOperation.CREATE,
                                  StorageOperation.RENAME,
                                  StorageOperation.REPLACE,
                                  StorageOperation.DELETE)
                              .withProbability(random.nextDouble(0.3))));
      case FAILING_READS ->
          spoil(
              kind,
              any(server, master),
              host ->
                  host.storage()
                      .faults()
                      .add(
                          FaultRule.of(
                                  StorageOperation.READ,
                                  StorageOperation.OPEN,
                                  StorageOperation.LIST,
                                  StorageOperation.EXISTS)
                              .how(Manner.NOT_DONE)
                              .withProbability(random.nextDouble(0.3))));
      case DATANODE_KILLED -> {
        int node = random.nextInt(DataNodes.COUNT);
        excuseAll();
        world.parts().dataNodes().kill(node);
        count(kind, "DataNode " + node);
        later(STORAGE_MAX_MILLIS, () -> world.parts().dataNodes().restart(node));
      }
      case DATANODE_SLOW -> {
        int node = random.nextInt(DataNodes.COUNT);
        excuseAll();
        world.parts().dataNodes().slowDown(node, random.nextLong(100 * MILLI));
        count(kind, "DataNode " + node);
        later(STORAGE_MAX_MILLIS, () -> world.parts().dataNodes().speedUp(node));
      }
      case BLOCK_LOST -> {
        List<String> files = world.storeFiles(NumbersTable.NAME);
        if (!files.isEmpty()) {
          String file = files.get(random.nextInt(files.size()));
          excuseAll();
          world.parts().dataNodes().lose(file);
          count(kind, file);
          later(STORAGE_MAX_MILLIS, () -> world.parts().dataNodes().find(file));
        }
      }
      case POWER_CUT_OF_MACHINE -> {
        if (world.parts().dataNodes().cutPower(number, world.logs())) {
          excuseAll();
          server.machine().stop();
          count(kind, server.machine().name() + " and DataNode " + number);
          later(STORAGE_MAX_MILLIS, () -> world.parts().dataNodes().restart(number));
        }
      }
      case DISK_FULL -> {
        for (ProcessParts host : hosts()) {
          spoil(
              host,
              one ->
                  one.storage()
                      .faults()
                      .add(
                          FaultRule.of(StorageOperation.WRITE, StorageOperation.CREATE)
                              .how(Manner.DISK_FULL)));
        }
        count(kind, "");
      }
    }
  }

  /** Returns a server that is not the one with the given number. */
  private ProcessParts otherServer(int number) {
    int count = world.servers().size();
    return world.servers().get((number + 1 + random.nextInt(count - 1)) % count).host();
  }

  private Instant any(List<Instant> instants) {
    return instants.get(random.nextInt(instants.size()));
  }

  private ProcessParts any(ProcessParts server, ProcessParts master) {
    return random.nextInt(3) == 0 ? master : server;
  }

  /** Starts a server that has stopped when {@code master} looks for the logs of dead servers. */
  private void restartAtSearch(int server, ProcessParts master) {
    master
        .freezePoint()
        .await(
            Instant.LOGS_SOUGHT,
            () -> {
              if (world.servers().get(server).host().machine().isStopped()) {
                world.restartServer(server);
                excuseIfDisturbed(world.servers().get(server).host());
              }
              later(START_MAX_MILLIS, master.machine()::thaw);
            });
  }

  /** Begins to restart processes that have ended, after a while, as a service manager does. */
  void superviseMachines() {
    scheduler.after(
        random.nextLong(RESTART_MAX_MILLIS * MILLI),
        () -> {
          restartThoseThatStopped();
          superviseMachines();
        });
  }

  private void restartThoseThatStopped() {
    for (int i = 0; i < world.servers().size(); i++) {
      if (world.servers().get(i).host().machine().isStopped()) {
        world.restartServer(i);
        excuseIfDisturbed(world.servers().get(i).host());
      }
    }
    for (int i = 0; i < world.masters().size(); i++) {
      if (world.masters().get(i).host().machine().isStopped()) {
        world.restartMaster(i);
        excuseIfDisturbed(world.masters().get(i).host());
      }
    }
  }

  private void freezeAt(Instant instant, FaultKind kind, ProcessParts host) {
    host.freezePoint().await(instant, () -> frozen(kind, host));
  }

  private void frozen(FaultKind kind, ProcessParts host) {
    count(kind, host.machine().name());
    world.parts().excuse(host.machine());
    later(
        FROZEN_MAX_MILLIS,
        () -> {
          world.parts().note(host.machine().name() + " wakes up");
          host.machine().thaw();
        });
  }

  private void cut(FaultKind kind, ProcessParts host, String other, boolean bothWays) {
    if (host.machine().isStopped()) {
      return; // Another machine may have its address by now.
    }
    String place = Network.place(host.machine().name());
    world.parts().excuse(host.machine());
    boolean there = bothWays || random.nextBoolean();
    if (there) {
      world.parts().network().cut(place, other);
    }
    if (bothWays || !there) {
      world.parts().network().cut(other, place);
    }
    count(kind, place + (bothWays ? " and " : there ? " to " : " from ") + other);
    later(CUT_MAX_MILLIS, this::calm);
  }

  private void cutFromStorage(ProcessParts host) {
    world.parts().excuse(host.machine());
    host.storage().cut();
    later(CUT_MAX_MILLIS, host.storage()::heal);
  }

  private void cutBothWays(ProcessParts host, String other) {
    String place = Network.place(host.machine().name());
    world.parts().excuse(host.machine());
    world.parts().network().cut(place, other);
    world.parts().network().cut(other, place);
  }

  private void disturb(FaultKind kind, Runnable how) {
    disturbed = true;
    excuseAll();
    how.run();
    count(kind, "");
    later(CUT_MAX_MILLIS, this::calm);
  }

  private void calm() {
    world.parts().network().heal();
    disturbed = false;
  }

  private void zooKeeperIsAway(FaultKind kind, long millis) {
    excuseAll();
    count(kind, "for " + millis + " ms");
    later(
        millis,
        millis + 1,
        () -> {
          excuseAll();
          world.parts().zooKeeper().comeBack();
        });
  }

  /** Returns the length of an outage: each order of magnitude is equally likely. */
  private long outageMillis() {
    return (long) Math.exp(random.nextDouble(Math.log(OUTAGE_MIN_MILLIS), OUTAGE_MAX_LOG));
  }

  private void spoil(FaultKind kind, ProcessParts host, Consumer<ProcessParts> how) {
    spoil(host, how);
    count(kind, host.machine().name());
  }

  private void spoil(ProcessParts host, Consumer<ProcessParts> how) {
    world.parts().excuse(host.machine());
    how.accept(host);
    later(STORAGE_MAX_MILLIS, host.storage()::heal);
  }

  private void excuseAll() {
    hosts().forEach(host -> world.parts().excuse(host.machine()));
  }

  private void excuseIfDisturbed(ProcessParts host) {
    if (disturbed
        || world.parts().zooKeeper().isAway()
        || world.parts().network().isCut(Network.place(host.machine().name()))) {
      world.parts().excuse(host.machine());
    }
  }
}
