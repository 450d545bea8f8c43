package dev.cairn.torture.cluster;

import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.torture.scheduler.Machine;
import dev.cairn.torture.scheduler.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Holds the parts that all processes of a simulated cluster share. */
final class ClusterParts {
  private static final long LOG_ROLL_BYTES = 64 << 10;
  private static final int LOG_FILES_MAX = 4;

  /** Small, so that feeds drop changes at times. */
  private static final long FEED_BYTES_MAX = 20_000;

  private static final int EVENTS_MAX = 200;
  private static final long LOG_LINGER_NANOS = 100_000;

  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final Network network;
  private final ZooKeeperService zooKeeper;
  private final SyncLevel logSync;
  private final DataNodes dataNodes;
  private MemoryStorage files;
  private final SiteConfig config;
  private final Set<Guard> without;
  private final List<String> failures = new ArrayList<>();
  private final Deque<Event> events = new ArrayDeque<>();
  private final Set<Machine> excused = new HashSet<>(); // never iterated
  private Consumer<Machine> startAgain = machine -> {};
  private long fileNames;
  private boolean groups;
  private boolean followsLog;
  private OptionalInt metaCopies = OptionalInt.empty();

  private record Event(long nanos, String text) {}

  ClusterParts(
      Scheduler scheduler,
      RandomGenerator random,
      Network network,
      ZooKeeperService zooKeeper,
      MemoryStorage files,
      Map<String, String> settings,
      Set<Guard> without) {
    this.scheduler = scheduler;
    this.random = random;
    this.network = network;
    this.zooKeeper = zooKeeper;
    this.files = files;
    this.dataNodes = new DataNodes(new SplittableRandom(random.nextLong()));
    this.logSync = random.nextBoolean() ? SyncLevel.FLUSHED : SyncLevel.SYNCED;
    this.config = new SiteConfig(settings);
    this.without = Set.copyOf(without);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  RandomGenerator random() {
    return random;
  }

  Network network() {
    return network;
  }

  ZooKeeperService zooKeeper() {
    return zooKeeper;
  }

  /** Returns the shared file system. */
  MemoryStorage files() {
    return files;
  }

  /** Returns the nodes that store the blocks of {@link #files}. */
  DataNodes dataNodes() {
    return dataNodes;
  }

  /** Tells whether acknowledged writes survive a power cut of all machines. */
  boolean survivesPowerCuts() {
    return logSync == SyncLevel.SYNCED;
  }

  /** Loses all unsynced data. All machines must have stopped. */
  void cutPower() {
    files = files.afterPowerCut(random);
  }

  /** Permits the machine to abort from now on, because of a fault. */
  void excuse(Machine machine) {
    excused.add(machine);
  }

  /** Records that a process has aborted; a failure, if no fault explains it. */
  void gaveUp(Machine machine, String reason) {
    if (!excused.contains(machine) && !machine.isStopped()) {
      failures.add(machine.name() + " aborted without a fault: " + reason);
    }
  }

  /** Turns groups of region servers on; called before a master starts. */
  void turnGroupsOn() {
    groups = true;
  }

  /** Tells whether there are groups of region servers. */
  boolean hasGroups() {
    return groups;
  }

  /** Lets replicas follow the logs of their regions; called before a region server starts. */
  void letReplicasFollow() {
    followsLog = true;
  }

  /** Tells whether replicas follow the logs of their regions. */
  boolean replicasFollow() {
    return followsLog;
  }

  /** Sets the number of copies of {@code hbase:meta}; called before a master starts. */
  void setMetaCopies(int copies) {
    metaCopies = OptionalInt.of(copies);
  }

  /** Returns the number of copies of {@code hbase:meta} in the settings of masters, if any. */
  OptionalInt metaCopies() {
    return metaCopies;
  }

  /** Returns the memory of the changes that the replicas of a server's regions lack. */
  FeedMemory feeds() {
    return followsLog ? new FeedMemory(FEED_BYTES_MAX, 8 * FEED_BYTES_MAX) : FeedMemory.NONE;
  }

  /** Sets what restarts processes that ended because others believed them dead. */
  void startAgainBy(Consumer<Machine> starter) {
    startAgain = starter;
  }

  /** Restarts the process of a machine after a moment, because others believed it dead. */
  void startAgain(Machine machine) {
    startAgain.accept(machine);
  }

  /** Tells whether a guard is in place. */
  boolean has(Guard guard) {
    return !without.contains(guard);
  }

  SiteConfig config() {
    return config;
  }

  RegionSettings regionSettings() {
    return RegionSettings.DEFAULTS;
  }

  /** Returns errors found outside of {@link History}. */
  List<String> failures() {
    return failures;
  }

  /** Records an event, for the report of a failure. */
  void note(String event) {
    events.add(new Event(scheduler.nanos(), event));
    if (events.size() > EVENTS_MAX) {
      events.remove();
    }
  }

  /** Returns the last events. */
  List<String> events() {
    return events.stream()
        .map(event -> "%9.3f s  %s".formatted(event.nanos() / 1e9, event.text()))
        .toList();
  }

  /** Returns a new unique name for a store file. Names are not in alphabetical order. */
  String fileName() {
    fileNames++;
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(fileNames * 0x9E3779B97F4A7C15L) + hex.toHexDigits(fileNames);
  }

  /** Returns how often a log tries to begin a file: as often as on HDFS, or only a few times. */
  private int logTries() {
    return logSync == SyncLevel.FLUSHED ? 600 : 5;
  }

  WalConfig log(String directory, String archive, String prefix) {
    return new WalConfig(
            directory,
            archive,
            prefix,
            logSync,
            LOG_ROLL_BYTES,
            LOG_FILES_MAX,
            WalConfig.DEFAULT_QUEUED_BYTES_MAX,
            LOG_LINGER_NANOS)
        .withRecovery(new WalRecovery(logTries(), 1_000_000, 1_000_000_000));
  }
}
