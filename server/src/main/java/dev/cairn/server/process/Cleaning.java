package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.chore.MobCompactions;
import dev.cairn.server.master.cleaner.HFileCleaner;
import dev.cairn.server.master.cleaner.LogCleaner;
import dev.cairn.server.master.cleaner.MobCleaner;
import dev.cairn.server.master.store.RegionMasterStore;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background cleaning of unneeded files: it deletes archived files and archives MOB files,
 * while the master allows it. The next run repeats failed work.
 */
final class Cleaning {
  private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);
  private static final String LOG_ARCHIVE = "oldWALs";

  private final SiteConfig config;
  private final ServerThreads threads;
  private final Master master;
  private final LogCleaner logs;
  private final HFileCleaner files;
  private final MobCleaner mobFiles;

  Cleaning(SiteConfig config, Storage storage, Clock clock, ServerThreads threads, Master master) {
    this.config = config;
    this.threads = threads;
    this.master = master;
    this.logs =
        new LogCleaner(
            config,
            storage,
            clock,
            LOG_ARCHIVE,
            Storage.join(RegionMasterStore.DIRECTORY, LOG_ARCHIVE));
    this.files = new HFileCleaner(config, storage, clock, "", RegionMasterStore.DIRECTORY);
    this.mobFiles = new MobCleaner(config, storage, clock);
  }

  /** Looks now and then, until the threads are closed. */
  void start() {
    every(
        config.get(LogCleaner.INTERVAL_MILLIS),
        TimeUnit.MILLISECONDS,
        this::cleanArchivesIfAllowed);
    every(config.get(MobCleaner.PERIOD_SECONDS), TimeUnit.SECONDS, this::cleanMobFiles);
    every(config.get(MobCompactions.PERIOD_SECONDS), TimeUnit.SECONDS, master::compactMobFamilies);
  }

  private void every(long period, TimeUnit unit, Runnable work) {
    if (period > 0) {
      threads
          .timer()
          .scheduleWithFixedDelay(() -> threads.cleaning().execute(work), period, period, unit);
    }
  }

  /** Deletes archived logs and store files that are not needed any more; may take long. */
  void cleanArchives() throws IOException {
    try {
      logs.clean();
    } finally {
      files.clean();
    }
  }

  private void cleanArchivesIfAllowed() {
    if (!master.askForCleaning()) {
      return;
    }
    try {
      cleanArchives();
    } catch (IOException e) {
      LOG.warn(
          "Archived files could not be deleted, the next look tries again: {}", e.getMessage());
    }
  }

  private void cleanMobFiles() {
    try {
      if (master.askForCleaning()) {
        mobFiles.clean();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("No MOB file was archived, the next look tries again: {}", e.toString());
    }
  }
}
