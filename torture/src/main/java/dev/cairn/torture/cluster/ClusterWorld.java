package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.cleaner.HFileCleaner;
import dev.cairn.server.master.store.RegionMasterStore;
import dev.cairn.torture.scheduler.Machine;
import dev.cairn.torture.scheduler.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A simulated cluster: starts, kills and restarts its processes. */
final class ClusterWorld implements AutoCloseable {
  static final Duration SESSION = Duration.ofSeconds(10);

  /** The largest error of a clock's rate; two clocks may differ by twice that. */
  private static final double DRIFT_MAX = 0.03;

  private static final long START_AGAIN_NANOS = Duration.ofMillis(500).toNanos();
  private static final String FAMILY = Bytes.utf8(RowCalls.FAMILY);

  private final Scheduler scheduler;
  private final ClusterParts parts;
  private final List<MasterProcess> masters = new ArrayList<>();
  private final List<RegionServerProcess> servers = new ArrayList<>();
  private final List<RegionServerProcess> replaced = new ArrayList<>();
  private Consumer<ProcessParts> startedAgain = host -> {};
  private long lives;

  ClusterWorld(long seed, Set<Guard> without) {
    this(seed, without, Map.of());
  }

  /**
   * Creates it without processes.
   *
   * @param settings the keys of the site
   */
  ClusterWorld(long seed, Set<Guard> without, Map<String, String> settings) {
    SplittableRandom random = new SplittableRandom(seed);
    this.scheduler = new Scheduler(random.split());
    Network network = new Network(scheduler, random.split());
    ZooKeeperService zooKeeper = new ZooKeeperService(scheduler, network, SESSION);
    this.parts =
        new ClusterParts(
            scheduler,
            random.split(),
            network,
            zooKeeper,
            new MemoryStorage(zooKeeper.machine().clock()),
            settings,
            without);
    parts.startAgainBy(machine -> scheduler.after(START_AGAIN_NANOS, () -> startAgain(machine)));
  }

  /** Sets what to call when a process has restarted itself. */
  void whenStartedAgain(Consumer<ProcessParts> event) {
    startedAgain = event;
  }

  /** Restarts the process of a machine, unless another process has taken its place. */
  private void startAgain(Machine machine) {
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i).host().machine() == machine) {
        restartServer(i);
        startedAgain.accept(servers.get(i).host());
      }
    }
    for (int i = 0; i < masters.size(); i++) {
      if (masters.get(i).host().machine() == machine) {
        restartMaster(i);
        startedAgain.accept(masters.get(i).host());
      }
    }
  }

  /** Starts masters and region servers, and the check that no two servers have a region open. */
  void start(int masterCount, int serverCount) {
    new OwnerCheck(this).start();
    for (int i = 0; i < masterCount; i++) {
      masters.add(MasterProcess.start(parts, life("10.0.1." + (i + 1)), startCode()));
    }
    for (int i = 0; i < serverCount; i++) {
      servers.add(RegionServerProcess.start(parts, life("10.0.2." + (i + 1)), startCode()));
    }
  }

  /** Starts a machine whose monotonic clock is slightly fast or slow. */
  private ProcessParts life(String address) {
    Machine machine = scheduler.machine(address + "#" + ++lives);
    machine.drift(1 + parts.random().nextDouble(-DRIFT_MAX, DRIFT_MAX));
    return ProcessParts.of(machine, parts);
  }

  private long startCode() {
    return 1_700_000_000_000L + scheduler.nanos() / 1_000_000 + lives;
  }

  ClusterParts parts() {
    return parts;
  }

  List<MasterProcess> masters() {
    return masters;
  }

  List<RegionServerProcess> servers() {
    return servers;
  }

  /** Kills a region server. */
  void killServer(int index) {
    servers.get(index).host().machine().stop();
  }

  /** Starts a region server at the address of another one, which may still run and is cut off. */
  void replaceServer(int index) {
    replaced.add(servers.get(index));
    restartServer(index);
  }

  /** Stops the servers that {@link #replaceServer} has replaced. */
  void stopReplaced() {
    replaced.forEach(process -> process.host().machine().stop());
    replaced.clear();
  }

  /** Deletes archived files that nothing needs, as the cleaners of a master do after a while. */
  void cleanArchives() {
    MemoryStorage files = parts.files();
    try {
      for (String directory : List.of("oldWALs", "MasterData/oldWALs")) {
        for (Storage.FileInfo old : files.list(directory)) {
          files.delete(old.path());
        }
      }
      SiteConfig atOnce = new SiteConfig(Map.of(HFileCleaner.KEEP_MILLIS.name(), "0"));
      new HFileCleaner(
              atOnce, files, parts.zooKeeper().machine().clock(), "", RegionMasterStore.DIRECTORY)
          .clean();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the paths of the logs of all servers. */
  List<String> logs() {
    List<String> found = new ArrayList<>();
    for (String directory : List.of("WALs", "MasterData/WALs")) {
      for (Storage.FileInfo server : list(directory)) {
        list(server.path()).forEach(file -> found.add(file.path()));
      }
    }
    return found;
  }

  /** Returns the paths of the store files of a table. */
  List<String> storeFiles(TableName table) {
    List<String> found = new ArrayList<>();
    for (Storage.FileInfo region : list(RegionDirectory.ofTable("data", table))) {
      for (Storage.FileInfo file : list(Storage.join(region.path(), FAMILY))) {
        found.add(file.path());
      }
    }
    return found;
  }

  private List<Storage.FileInfo> list(String directory) {
    try {
      return parts.files().list(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Cuts the power of all machines, and starts them again at once. */
  void cutPower() {
    stopReplaced();
    masters.forEach(process -> process.host().machine().stop());
    servers.forEach(process -> process.host().machine().stop());
    parts.cutPower();
    for (int i = 0; i < masters.size(); i++) {
      restartMaster(i);
    }
    for (int i = 0; i < servers.size(); i++) {
      restartServer(i);
    }
  }

  void restartServer(int index) {
    String place = Network.place(servers.get(index).host().machine().name());
    servers.set(index, RegionServerProcess.start(parts, life(place), startCode()));
  }

  void killMaster(int index) {
    masters.get(index).host().machine().stop();
  }

  void restartMaster(int index) {
    String place = Network.place(masters.get(index).host().machine().name());
    masters.set(index, MasterProcess.start(parts, life(place), startCode()));
  }

  /** Returns the active master, if it answers clients. */
  Optional<Master> leader() {
    return masters.stream()
        .flatMap(process -> process.master().stream())
        .filter(Master::isInitialized)
        .findFirst();
  }

  /** Runs the cluster until {@code condition} holds. Returns whether it held in time. */
  boolean run(BooleanSupplier condition, Duration most) {
    return scheduler.run(condition, most.toNanos());
  }

  Duration now() {
    return Duration.ofNanos(scheduler.nanos());
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
