package dev.cairn.torture.simulation;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.lifecycle.RegionFamilyTree;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.index.IndexCollector;
import dev.cairn.engine.store.index.IndexPace;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.split.LogSplitter;
import java.io.IOException;
import java.util.List;

/**
 * One life of a server's engine: a log, and regions that share it. It begins as a server's does, by
 * sorting the logs of earlier lives by region. For one driving thread; what it opens has its own
 * rules.
 */
public final class Engine {
  private static final String DATA = "data";
  private static final String LOGS = "WALs";
  private static final String LOG_ARCHIVE = "oldWALs";

  /** As many slabs as a cache has to hold for blocks to lie in them. */
  private static final int CACHE_SLABS = 64;

  /**
   * The maximum lead over the clock of a region's first timestamps, if clients have set timestamps
   * in the future. Models can ignore it once it has passed.
   */
  private static final long AHEAD_MAX_MILLIS = 1_001;

  private final RegionContext context;
  private final SimulatedClock clock;

  private Engine(RegionContext context, SimulatedClock clock) {
    this.context = context;
    this.clock = clock;
  }

  /** Begins on {@code machine}, in its current life. */
  public static Engine start(Machine machine) throws IOException {
    Storage disk = machine.disk();
    String name = "server-" + machine.life();
    for (Storage.FileInfo left : disk.list(LOGS)) {
      if (!left.name().equals(name)) {
        new LogSplitter(disk, DATA, LOG_ARCHIVE).split(left.path());
      }
    }
    EngineSettings settings = machine.settings();
    GroupCommitWal wal = log(machine, Storage.join(LOGS, name), name);
    StoreContext stores =
        new StoreContext(
                disk,
                new BlockCache(
                    settings.cacheBytes(),
                    0.25,
                    (int) (settings.cacheBytes() / CACHE_SLABS),
                    Runnable::run),
                machine.clock(),
                machine::fileName,
                machine.tally(),
                settings.stores())
            .hooked(machine.duringCompaction());
    return new Engine(new RegionContext(DATA, wal, stores, settings.regions()), machine.clock());
  }

  private static GroupCommitWal log(Machine machine, String directory, String prefix)
      throws IOException {
    EngineSettings settings = machine.settings();
    boolean concurrent = machine.isConcurrent();
    WalConfig config =
        new WalConfig(
                directory,
                LOG_ARCHIVE,
                prefix,
                SyncLevel.SYNCED,
                settings.rollBytes(),
                settings.logFilesMax(),
                WalConfig.DEFAULT_QUEUED_BYTES_MAX,
                concurrent ? WalConfig.DEFAULT_LINGER_NANOS : SimulatedClock.FAR_NANOS)
            .withRecovery(new WalRecovery(5, 1, concurrent ? 1_000_000 : SimulatedClock.FAR_NANOS))
            .withCompression(settings.logCompression());
    if (concurrent) {
      return GroupCommitWal.open(
          machine.disk(), config, Clock.SYSTEM, Engine::daemon, machine.tally());
    }
    GroupCommitWal wal =
        GroupCommitWal.open(machine.disk(), config, machine.clock(), machine.tally());
    machine.clock().follow(wal::poll);
    machine.settle();
    return wal;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "torture-log");
    thread.setDaemon(true);
    return thread;
  }

  /** Opens a region, and lets the clock pass the times that it may have given before. */
  public Region open(RegionInfo info, TableSchema schema) throws IOException {
    Region region = Region.open(info, schema, context);
    clock.advance(AHEAD_MAX_MILLIS);
    return region;
  }

  /**
   * Writes a store file, as a job of a client does.
   *
   * @param cells in order
   * @param indexed the columns of which the file has an index: jobs write none, but may load files
   *     of other tables
   */
  public void writeFile(
      String path,
      FamilySchema family,
      CellComparator order,
      List<Cell> cells,
      IndexedColumns indexed)
      throws IOException {
    StoreContext stores = context.stores();
    Storage disk = stores.storage();
    try (HFileWriter file = new HFileWriter(disk, path, HFileOptions.of(family, order), clock);
        IndexCollector index =
            new IndexCollector(
                indexed,
                disk,
                stores.cache(),
                clock,
                () -> disk.create(path + ".index"),
                IndexPace.NONE)) {
      file.addMetaBlocks(index);
      for (Cell cell : cells) {
        index.add(cell);
        file.append(cell);
      }
      file.finish();
    }
  }

  /** Returns what says which regions of a table count. */
  public RegionFamilyTree familyTree(TableName table) {
    return new RegionFamilyTree(table, DATA, context.stores().storage());
  }

  /** Returns the log. */
  public Wal wal() {
    return context.wal();
  }
}
