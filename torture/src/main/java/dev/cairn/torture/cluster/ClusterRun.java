package dev.cairn.torture.cluster;

import dev.cairn.server.catalog.Address;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Runs a simulated cluster from a seed, in rounds. In each round, faults happen for a while. Then
 * all are repaired, the whole cluster must soon answer again, and its state is checked.
 */
final class ClusterRun implements AutoCloseable {
  private static final Duration ROUND_MAX = Duration.ofHours(1);
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration HEALED_MAX = Duration.ofMinutes(1);
  private static final Duration REST_MAX = Duration.ofMinutes(3);
  private static final Duration ACTION_PAUSE = Duration.ofSeconds(45);
  private static final Duration RECREATION_PAUSE = Duration.ofMinutes(10);
  private static final Duration SNAPSHOT_PAUSE = Duration.ofHours(1);
  private static final Duration LOAD_PAUSE = Duration.ofMinutes(4);
  private static final Duration GROUPS_PAUSE = Duration.ofMinutes(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
  private static final Duration QUICK_CALL = Duration.ofSeconds(5);
  private static final Duration SLOW_CALL = Duration.ofSeconds(40);

  /**
   * The longest pause of a quick client near faults. Quick clients notice moved regions at once.
   */
  private static final long QUICK_PAUSE_MAX = TimeUnit.MILLISECONDS.toNanos(1_000);

  /** The longest pause of a slow client, whose region locations may be from before a fault. */
  private static final long SLOW_PAUSE_MAX = TimeUnit.SECONDS.toNanos(12);

  private static final long CALM_PAUSE_MAX = TimeUnit.SECONDS.toNanos(90);
  private static final int CLIENTS = 6;
  private static final int DAYS_OF_WEEK = 7;
  private static final int DAYS_WITHOUT_GROUPS = 3;

  /** One of so many days has replicas that follow the log. */
  private static final int DAYS_PER_FOLLOWING = 3;

  /** Two days in this many have replicas of {@code hbase:meta}. */
  private static final int DAYS_PER_META_REPLICAS = 5;

  /** After so many reads of regions, replicas have been read, too. */
  private static final int READS_ENOUGH = 10_000;

  private final ClusterWorld world;
  private final History history = new History();
  private final List<Workload> workloads = new ArrayList<>();
  private final ClusterFaults faults;
  private final Administrator administrator;
  private final Recreations recreations;
  private final Snapshots snapshots;
  private final BulkLoads bulkLoads;
  private final Optional<Groups> groups;
  private final ClusterClient observer;
  private final RestCheck restCheck;
  private final List<String> errors = new ArrayList<>();

  /**
   * The result of a run.
   *
   * @param errors the violations that were found
   * @param filteredScans the scans for some numbers, which may use an index
   * @param groups how often groups of region servers were changed
   * @param warmUps the requests that a server reads a region before the region moves there
   */
  record Outcome(
      List<String> errors,
      long operations,
      Map<FaultKind, Long> faults,
      Map<Administrator.Action, Long> actions,
      long snapshots,
      long restores,
      long bulkLoads,
      long filteredScans,
      long groups,
      long warmUps,
      Duration time,
      long steps) {}

  ClusterRun(long seed, Set<Guard> without, Set<FaultKind> kinds) {
    SplittableRandom random = new SplittableRandom(seed);
    this.world = new ClusterWorld(random.nextLong(), without);
    this.faults = new ClusterFaults(world, kinds, random.split());
    this.administrator =
        new Administrator(
            new ClusterClient(client(CLIENTS + 1), world.parts(), SLOW_CALL),
            NumbersTable.NAME,
            random.split(),
            hasGroups(seed),
            errors::add);
    this.recreations =
        new Recreations(
            new ClusterClient(client(CLIENTS + 2), world.parts(), SLOW_CALL),
            world.parts(),
            random.split());
    this.observer = new ClusterClient(client(0), world.parts(), QUICK_CALL);
    for (int i = 1; i <= CLIENTS; i++) {
      boolean quick = i % 2 == 0;
      workloads.add(
          new Workload(
              i,
              new ClusterClient(client(i), world.parts(), quick ? QUICK_CALL : SLOW_CALL),
              NumbersTable.NAME,
              history,
              random.split(),
              () -> !faults.areNear() ? CALM_PAUSE_MAX : quick ? QUICK_PAUSE_MAX : SLOW_PAUSE_MAX));
    }
    Machine photographer = client(CLIENTS + 3);
    this.snapshots =
        new Snapshots(
            new ClusterClient(photographer, world.parts(), SLOW_CALL),
            new ClusterClient(photographer, world.parts(), QUICK_CALL),
            NumbersTable.NAME,
            history,
            world.parts(),
            random.split());
    Machine loader = client(CLIENTS + 4);
    this.bulkLoads =
        new BulkLoads(
            new ClusterClient(loader, world.parts(), SLOW_CALL),
            new ClusterClient(loader, world.parts(), QUICK_CALL),
            NumbersTable.NAME,
            history,
            world.parts(),
            random.split());
    this.groups = Optional.of(seed).filter(ClusterRun::hasGroups).map(this::groups);
    if (Math.floorMod(seed, DAYS_PER_FOLLOWING) == 1) {
      world.parts().letReplicasFollow();
    }
    if (Math.floorMod(seed, DAYS_PER_META_REPLICAS) < 2) {
      world.parts().setMetaCopies(2);
    }
    this.restCheck = new RestCheck(world, observer, administrator, recreations, bulkLoads, groups);
  }

  /** Tells whether the day of a seed has groups of region servers: three of seven have. */
  private static boolean hasGroups(long seed) {
    return Math.floorMod(seed, DAYS_OF_WEEK) > DAYS_WITHOUT_GROUPS;
  }

  private Groups groups(long seed) {
    world.parts().turnGroupsOn();
    return new Groups(
        new ClusterClient(client(CLIENTS + 5), world.parts(), SLOW_CALL),
        () -> world.servers().stream().map(process -> Address.of(process.name())).toList(),
        new SplittableRandom(~seed)); // so that the other draws of the day stay as they are
  }

  private Machine client(int number) {
    return world.parts().scheduler().machine("10.0.3." + number);
  }

  /**
   * Runs for {@code day}.
   *
   * @param faultsWanted the approximate number of faults in that time
   */
  Outcome run(Duration day, int faultsWanted) {
    world.start(2, 3);
    if (!world.run(() -> world.leader().isPresent(), START_MAX)) {
      errors.add("No master leads after " + START_MAX);
      return outcome();
    }
    if (!perform("create the table", this::createTable, START_MAX)) {
      return outcome();
    }
    workloads.forEach(Workload::start);
    administrator.start(ACTION_PAUSE);
    recreations.start(RECREATION_PAUSE);
    snapshots.start(SNAPSHOT_PAUSE);
    bulkLoads.start(LOAD_PAUSE);
    groups.ifPresent(one -> one.start(GROUPS_PAUSE));
    faults.superviseMachines();
    long end = day.plus(world.now()).toNanos();
    int rounds = (int) Math.max(1, day.dividedBy(ROUND_MAX));
    for (int round = 0; round < rounds && !hasFailed(); round++) {
      long left = end - world.now().toNanos();
      Duration length = Duration.ofNanos(Math.max(1, left / (rounds - round)));
      runRound(length, faultsWanted * (round + 1) / rounds - faultsWanted * round / rounds);
    }
    return outcome();
  }

  private void runRound(Duration length, int faultsWanted) {
    faults.begin(length, faultsWanted);
    administrator.resume();
    recreations.resume();
    snapshots.resume();
    bulkLoads.resume();
    groups.ifPresent(Groups::resume);
    workloads.forEach(Workload::resume);
    world.run(this::hasFailed, length);
    administrator.rest();
    recreations.rest();
    snapshots.rest();
    bulkLoads.rest();
    groups.ifPresent(Groups::rest);
    faults.end();
    if (hasFailed() || !perform("read everything", this::readAll, REST_MAX)) {
      return;
    }
    workloads.forEach(Workload::rest);
    if (!world.run(
        () ->
            administrator.isAtRest()
                && recreations.isAtRest()
                && snapshots.isAtRest()
                && bulkLoads.isAtRest()
                && groups.map(Groups::isAtRest).orElse(true)
                && workloads.stream().allMatch(Workload::isAtRest),
        REST_MAX)) {
      errors.add("Clients still wait for answers after %s: %s".formatted(REST_MAX, waiting()));
    } else if (perform("read everything again", this::readLast, REST_MAX)) {
      perform("look at the cluster at rest", this::lookUntilInOrder, REST_MAX);
      world.cleanArchives();
    }
  }

  /** Describes the clients that do not rest. */
  private String waiting() {
    List<String> clients = new ArrayList<>();
    if (!administrator.isAtRest()) {
      clients.add(administrator.toString());
    }
    if (!recreations.isAtRest()) {
      clients.add(recreations.toString());
    }
    if (!snapshots.isAtRest()) {
      clients.add(snapshots.toString());
    }
    if (!bulkLoads.isAtRest()) {
      clients.add(bulkLoads.toString());
    }
    groups.filter(one -> !one.isAtRest()).map(Groups::toString).ifPresent(clients::add);
    workloads.stream().filter(one -> !one.isAtRest()).map(Workload::toString).forEach(clients::add);
    return String.join("; ", clients);
  }

  private boolean hasFailed() {
    return !errors.isEmpty() || !history.errors().isEmpty() || !world.parts().failures().isEmpty();
  }

  private Outcome outcome() {
    List<String> all = new ArrayList<>(errors);
    if (all.isEmpty() && history.reads() > READS_ENOUGH && history.replicaReads() == 0) {
      all.add("No replica has answered a read");
    }
    all.addAll(history.errors());
    all.addAll(world.parts().failures());
    return new Outcome(
        all,
        workloads.stream().mapToLong(Workload::operations).sum(),
        faults.counts(),
        administrator.done(),
        snapshots.checked(),
        snapshots.restored(),
        bulkLoads.loaded(),
        workloads.stream().mapToLong(Workload::filteredScans).sum(),
        groups.map(Groups::changes).orElse(0L),
        world.parts().network().arrived("WarmupRegion"),
        world.now(),
        world.parts().scheduler().steps());
  }

  /** Work of the observer. */
  private interface Work {
    void run() throws IOException;
  }

  /** Runs work on the observer's machine. Returns whether it succeeded in time. */
  private boolean perform(String what, Work work, Duration most) {
    List<String> result = new ArrayList<>();
    observer
        .machine()
        .spawn(
            what,
            () -> {
              try {
                work.run();
                result.add("");
              } catch (IOException e) {
                result.add(e.toString());
              }
            });
    if (!world.run(() -> !result.isEmpty(), most)) {
      errors.add("Could not " + what + " within " + most);
      return false;
    }
    if (!result.get(0).isEmpty()) {
      errors.add(
          "Could not %s within %s: %s; not at rest: %s"
              .formatted(what, HEALED_MAX, result.get(0), waiting()));
      return false;
    }
    return true;
  }

  private void createTable() throws IOException {
    NumbersTable.create(observer, START_MAX);
    new RowCalls(observer, NumbersTable.NAME).get("99", START_MAX);
  }

  /** Reads every row that clients know, so that every region must answer. */
  private void readAll() throws IOException {
    RowCalls rows = new RowCalls(observer, NumbersTable.NAME);
    Duration end = world.now().plus(HEALED_MAX);
    for (String row : List.copyOf(history.rows())) {
      long least = history.least(row);
      history.read(row, rows.get(row, end.minus(world.now())), least);
    }
  }

  private void readLast() throws IOException {
    RowCalls rows = new RowCalls(observer, NumbersTable.NAME);
    for (String row : List.copyOf(history.rows())) {
      history.readLast(row, rows.get(row, HEALED_MAX));
    }
  }

  /** Repeats the check until it succeeds: procedures and the janitor may need a while. */
  private void lookUntilInOrder() throws IOException {
    long end = world.now().plus(HEALED_MAX).toNanos();
    while (true) {
      List<String> complaints;
      try {
        complaints = restCheck.complaints();
      } catch (IOException e) {
        complaints = List.of(e.toString());
      }
      if (complaints.isEmpty()) {
        return;
      }
      if (world.now().toNanos() > end) {
        errors.addAll(complaints);
        return;
      }
      observer.machine().clock().park(LOOK_AGAIN.toNanos());
    }
  }

  /** Returns the simulated cluster. */
  ClusterWorld world() {
    return world;
  }

  @Override
  public void close() {
    world.close();
  }
}
