package dev.cairn.server.process;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.SplitSummary;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.store.RegionMasterStore;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.process.event.EventLog;
import dev.cairn.server.process.event.EventRing;
import dev.cairn.server.process.health.DamagedFilesHealth;
import dev.cairn.server.process.keys.EngineKeys;
import dev.cairn.server.process.keys.FileKeys;
import dev.cairn.server.process.keys.MobKeys;
import dev.cairn.server.process.keys.PaceKeys;
import dev.cairn.server.process.keys.StoreKeys;
import dev.cairn.server.process.keys.WalKeys;
import dev.cairn.server.process.metrics.CacheMetrics;
import dev.cairn.server.process.metrics.EngineMetrics;
import dev.cairn.server.process.metrics.MemoryUsage;
import dev.cairn.server.process.metrics.WalMetrics;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.logs.WalSplits.WalSplitter;
import dev.cairn.server.rpc.RpcKeys;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine, as one process uses it: what stores share, and how logs and regions are opened. */
final class EngineParts {
  private static final Logger LOG = LoggerFactory.getLogger(EngineParts.class);

  /** Log entries that wait to be written may take 1/16 of the heap. */
  private static final int LOG_QUEUE_PARTS = 16;

  /** Log entries that a region server reads for a split may take 1/32 of the heap. */
  private static final int SPLIT_PARTS = 32;

  private static final long SPLIT_BYTES_MAX = 32L << 20;

  /** The directory of tables below the root. */
  static final String DATA = "data";

  private static final String LOG_ARCHIVE = "oldWALs";
  private static final String LOG_CORRUPT = "corrupt";

  private final SiteConfig config;
  private final Storage storage;
  private final Clock clock;
  private final EventLog events;
  private final EventRing ring;
  private final StoreContext stores;
  private final Executor background;
  private final HeapShares shares;
  private final MemoryAccount memory;
  private final long queuedBytesMax;
  private final BlockCache cache;
  private final EngineMetrics metrics = new EngineMetrics();

  /** Of the region server, if there is one. */
  private volatile LongSupplier memStoreBytes = () -> 0;

  /**
   * Creates the parts.
   *
   * @param damagedFiles receives the damaged files that reads find
   */
  EngineParts(
      LiveConfig live,
      Storage storage,
      Clock clock,
      ServerThreads threads,
      DamagedFilesHealth damagedFiles) {
    this.config = live.current();
    this.storage = storage;
    this.clock = clock;
    this.background = threads.background();
    long heapBytes = Runtime.getRuntime().maxMemory();
    this.shares = HeapShares.of(config);
    int handlers = config.get(RpcKeys.HANDLER_COUNT).intValue();
    this.memory = new MemoryAccount(shares.callBytes(), Math.max(1, handlers / 3), clock);
    this.cache =
        new BlockCache(
            shares.cacheBytes(),
            config.get(FileKeys.IN_MEMORY_SHARE),
            BlockCache.slabBytes(heapBytes),
            // The thread that misses does the maintenance: waking another costs 10 to 20 µs per
            // block read.
            Runnable::run);
    this.queuedBytesMax = Math.min(WalConfig.DEFAULT_QUEUED_BYTES_MAX, heapBytes / LOG_QUEUE_PARTS);
    this.ring = new EventRing(clock);
    this.events = new EventLog(damagedFiles, metrics, ring);
    this.stores =
        new StoreContext(
                storage,
                cache,
                clock,
                fileNames(),
                events,
                live.derive(StoreKeys::settings),
                Optional.of(threads.packing()),
                MobKeys.settings(config))
            .pacedBy(PaceKeys.paces(live, clock))
            .borrowingFrom(memory);
  }

  /** Returns the account that calls, flushes and compactions borrow from. */
  MemoryAccount memory() {
    return memory;
  }

  /** Returns the latest events of the process. */
  EventRing ring() {
    return ring;
  }

  /**
   * Sets the owner of the open regions.
   *
   * @param owner receives the encoded name of a region whose read met a lost block; must not block
   */
  void tellOfLostRegions(Consumer<String> owner) {
    events.tellOfLostRegions(owner);
  }

  /** Adds flushes, compactions and the block cache to the record of a region server. */
  void collect(MetricRecord.Builder to) {
    metrics.collect(to);
    CacheMetrics.collect(cache.statistics(), to);
  }

  BlockCache cache() {
    return cache;
  }

  /** Returns the memory usage. */
  MemoryUsage memoryUsage() {
    return new MemoryUsage(memory.snapshot(), cache.statistics(), memStoreBytes.getAsLong());
  }

  /**
   * Keeps the block cache within the heap that calls and memstores leave free.
   *
   * @param memStoreBytes returns the bytes that all memstores hold
   * @return a task that must run periodically
   */
  Runnable balance(LongSupplier memStoreBytes) {
    this.memStoreBytes = memStoreBytes;
    HeapShares.Balance balance = new HeapShares.Balance(shares, cache, memory, memStoreBytes);
    balance.watch();
    return balance;
  }

  /** Returns how fast regions write their files. */
  StoreContext.Paces paces() {
    return stores.paces();
  }

  /** Closes the files that are kept open for later readers. */
  void close() {
    stores.mobFiles().close();
  }

  /** Registers a region server and begins its logs. */
  ServerLogs openLogs(
      ServerName server, RegionServerLogs.Registration registration, WalListener listener)
      throws IOException {
    return RegionServerLogs.begin(
        server,
        registration,
        directory -> open(walConfig(directory, LOG_ARCHIVE, server), listener),
        directory ->
            GroupCommitWal.openBeside(
                storage,
                queueing(walConfig(directory, LOG_ARCHIVE, server).ofMeta()),
                clock,
                ServerThreads.named("cairn-wal"),
                listener));
  }

  /** Returns the context of regions that write to {@code log}. */
  RegionContext regions(Wal log) {
    return new RegionContext(
        DATA, log, stores, EngineKeys.regions(config, memory), memory, MemStoreRoom.UNLIMITED);
  }

  /**
   * Returns the component that splits, merges and empties regions, as the owner of {@code fenced}.
   */
  RegionShapes shapes(FencedStorage fenced) {
    return new RegionShapes(stores.helpedBy(background), fenced);
  }

  /** Returns the splitter of dead servers' logs whose files are below {@code root}. */
  LogSplitter splitter(String root) {
    return new LogSplitter(
            storage,
            Storage.join(root, DATA),
            Storage.join(root, LOG_ARCHIVE),
            Storage.join(root, LOG_CORRUPT),
            WalKeys.damagedLogs(config))
        .publishing(ServerThreads.detached("cairn-recovery"), clock, fileNames());
  }

  /**
   * Returns the splitter of parts of dead servers' logs for the master. It stops at damaged files,
   * because the master decides about them.
   */
  WalSplitter walSplitter() {
    LogSplitter splitter =
        new LogSplitter(storage, DATA, LOG_ARCHIVE)
            .publishing(
                ServerThreads.detached("cairn-recovery"),
                clock,
                fileNames(),
                Math.min(SPLIT_BYTES_MAX, Runtime.getRuntime().maxMemory() / SPLIT_PARTS));
    return (directory, kind, parts, flushed, scratch) -> {
      SplitSummary summary =
          splitter.splitShare(directory, kind, parts::includes, flushed, scratch, parts).summary();
      LOG.info("{}", summary);
    };
  }

  /** Returns the opening of the store for {@code master}. */
  MasterStoreOpening masterStore(ServerName master) {
    return new MasterStoreOpening(
        storage,
        splitter(RegionMasterStore.DIRECTORY),
        (logs, archive) ->
            open(
                walConfig(Storage.join(logs, master.toString()), archive, master),
                new WalLog(
                    new WalMetrics(),
                    failure -> {},
                    Optional.empty())), // the next write reports it
        (data, log) -> new RegionContext(data, log, stores, EngineKeys.masterStore(config)));
  }

  /** Throws {@link IllegalArgumentException} if the engine cannot write the table's files. */
  static void checkFiles(TableSchema schema) {
    RegionSettings.DEFAULTS.forTable(schema);
    for (FamilySchema family : schema.families()) {
      StoreSettings.DEFAULTS.forFamily(schema, family);
      HFileOptions.of(family, CellComparator.USER);
    }
  }

  private WalConfig walConfig(String directory, String archive, ServerName server) {
    return WalKeys.wal(config, storage.replication(), directory, archive, server);
  }

  private Wal open(WalConfig walConfig, WalListener listener) throws IOException {
    return GroupCommitWal.open(
        storage, queueing(walConfig), clock, ServerThreads.named("cairn-wal"), listener);
  }

  private WalConfig queueing(WalConfig walConfig) {
    return walConfig.withQueuedBytesMax(queuedBytesMax);
  }

  static Supplier<String> fileNames() {
    SplittableRandom random = new SplittableRandom();
    HexFormat hex = HexFormat.of();
    return () -> {
      long high;
      long low;
      synchronized (random) {
        high = random.nextLong();
        low = random.nextLong();
      }
      return hex.toHexDigits(high) + hex.toHexDigits(low);
    };
  }
}
