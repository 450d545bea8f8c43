package dev.cairn.server.regionserver;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.logs.WalMaintenance;
import dev.cairn.server.regionserver.maintenance.BlockingStoreFiles;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.LoadSplits;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.maintenance.Splits;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.regionserver.membership.Chore;
import dev.cairn.server.regionserver.membership.ChoreService;
import dev.cairn.server.split.SplitSettings;

/**
 * The background work of a server: flushes, compactions and splits of its regions, and the
 * maintenance of its log.
 *
 * @param splits splits regions for their size
 * @param loadSplits splits regions for their load
 * @param pressure flushes memstores that are large or old, or too large together
 * @param log rolls the log, and flushes regions that keep too many of its files
 * @param retries decides when a failed flush, opening or closing is tried again
 */
record Maintenance(
    Splits splits,
    LoadSplits loadSplits,
    Compactions compactions,
    Flushes flushes,
    MemStorePressure pressure,
    WalMaintenance log,
    StorageRetries retries) {
  private static final long MEMSTORE_CHECK_MILLIS = 250;
  private static final long LOG_CHECK_MILLIS = 1_000;
  private static final long COMPACTION_CHECK_MILLIS = 10_000;

  /** Creates the work, which begins with the chores or when somebody requests it. */
  static Maintenance of(SharedParts shared) {
    OnlineRegions regions = shared.regions();
    Clock clock = shared.clock();
    RegionServerContext.Calls calls = shared.context().calls();
    RegionServerExecutors executors = shared.executors();
    MaintenanceSettings settings = shared.settings();
    Splits splits =
        new Splits(
            shared.state(),
            regions,
            shared.master(),
            SplitSettings.of(shared.config(), settings.regionFlushBytes()),
            clock,
            executors.splits());
    Compactions compactions =
        new Compactions(
            executors.smallCompactions(),
            executors.largeCompactions(),
            executors.hooked(),
            clock,
            settings.compacts(),
            splits::requestIfDue);
    StorageRetries retries = new StorageRetries(clock);
    Flushes flushes =
        new Flushes(
            executors.flushes(),
            executors.hooked(),
            splits::requestIfDue,
            compactions,
            new BlockingStoreFiles(clock, settings.blockingWaitMillis(), compactions),
            retries,
            shared.fatal());
    return new Maintenance(
        splits,
        new LoadSplits(
            regions,
            LoadSplitSettings.of(shared.config()),
            splits,
            calls.traffic(),
            clock,
            calls.load()),
        compactions,
        flushes,
        new MemStorePressure(regions, flushes, settings, clock),
        new WalMaintenance(
            shared.context().files().logs(), regions, flushes, clock, settings.logRollMillis()),
        retries);
  }

  /** Looks for work periodically. */
  void startChores(ChoreService chores, SharedParts shared) {
    chores.every(MEMSTORE_CHECK_MILLIS, "Looking at memstores", pressure::isDue, pressure::check);
    chores.every(LOG_CHECK_MILLIS, "Looking at the log", log::isDue, log::check);
    chores.every(
        COMPACTION_CHECK_MILLIS,
        "Looking for compactions",
        () -> shared.regions().open().forEach(compactions::check));
    chores.every(
        LoadSplits.CHECK_MILLIS,
        new Chore(
            "Looking at the load of regions",
            shared.executors().splits(),
            loadSplits::isDue,
            loadSplits::check));
  }
}
