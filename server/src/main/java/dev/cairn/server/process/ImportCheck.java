package dev.cairn.server.process;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.exchange.FolderInspection;
import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.hook.HookModule;
import dev.cairn.server.process.keys.EngineKeys;
import dev.cairn.server.process.keys.StoreKeys;
import dev.cairn.server.process.keys.WalKeys;
import dev.cairn.server.regionserver.hooked.HookTimes;
import java.io.IOException;

/** Looks through a data folder with the settings that a server would have. */
public final class ImportCheck {
  private static final long CACHE_BYTES = 1 << 20;

  private ImportCheck() {}

  /**
   * Reports the contents of {@code folder} that a server with {@code config} would find. Writes
   * nothing and takes no lock. Needs memory for {@code hbase:meta} and the master's store.
   *
   * @throws IOException if the folder cannot be read; damage in it is in the report
   */
  public static ImportReport inspect(SiteConfig config, Storage folder, Clock clock)
      throws IOException {
    try (HookModule hooks =
        new HookModule(Host.hookHost(config, () -> config, clock, new HookTimes(), () -> ""))) {
      TableSupport support = new TableSupport(hooks::refusal, EngineParts::checkFiles);
      return FolderInspection.inspect(
          folder, support, config.get(EngineKeys.FILE_TRACKER), new Copies(config, clock), clock);
    }
  }

  private record Copies(SiteConfig config, Clock clock) implements FolderInspection.Opener {
    @Override
    public RegionContext context(Storage storage, String dataDirectory, Wal log) {
      StoreContext stores =
          new StoreContext(
              storage,
              new BlockCache(CACHE_BYTES, Runnable::run),
              clock,
              EngineParts.fileNames(),
              EngineListener.NONE,
              StoreKeys.settings(config));
      return new RegionContext(
          dataDirectory, log, stores, EngineKeys.regions(config, MemoryAccount.unlimited()));
    }

    @Override
    public LogSplitter splitter(Storage storage, String root) {
      return new LogSplitter(
          storage,
          Storage.join(root, "data"),
          Storage.join(root, "oldWALs"),
          Storage.join(root, "corrupt"),
          WalKeys.damagedLogs(config));
    }
  }
}
