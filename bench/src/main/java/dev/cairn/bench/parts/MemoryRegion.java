package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A region with a log and a cache of its own, on a disk that is memory. */
public final class MemoryRegion implements Closeable {
  private static final long CACHE_BYTES = 1L << 30;
  private static final long LOG_FILE_BYTES = 1L << 30;
  private static final int LOG_FILES_MAX = 4;

  private final Wal wal;
  private final RegionContext context;
  private List<Region> regions;

  private MemoryRegion(Wal wal, RegionContext context, Region region) {
    this.wal = wal;
    this.context = context;
    this.regions = List.of(region);
  }

  /** Opens an empty region, the only one of its table. */
  public static MemoryRegion open(TableSchema schema) throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    AtomicLong names = new AtomicLong();
    Wal wal =
        GroupCommitWal.open(
            storage,
            new WalConfig(
                "WALs/s", "oldWALs", "s", SyncLevel.FLUSHED, LOG_FILE_BYTES, LOG_FILES_MAX),
            Clock.SYSTEM,
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            },
            WalListener.NONE);
    StoreContext stores =
        new StoreContext(
            storage,
            new BlockCache(CACHE_BYTES, Runnable::run),
            Clock.SYSTEM,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    RegionContext context = new RegionContext("data", wal, stores, RegionSettings.DEFAULTS);
    RegionInfo info = new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 1);
    return new MemoryRegion(wal, context, Region.open(info, schema, context));
  }

  /** Returns the region; after a split the lower daughter. */
  public Region region() {
    return regions.get(0);
  }

  /** Replaces the region by two daughters, which refer to its files, and returns them in order. */
  public List<Region> split(byte[] row) throws IOException {
    Region parent = region();
    RegionSplit split = RegionSplit.plan(parent, row);
    split.run(parent);
    regions =
        List.of(
            Region.open(split.lower(), parent.schema(), context),
            Region.open(split.upper(), parent.schema(), context));
    return regions;
  }

  /** Closes the regions and their log. */
  @Override
  public void close() throws IOException {
    for (Region region : regions) {
      region.close(true);
    }
    wal.close();
  }
}
