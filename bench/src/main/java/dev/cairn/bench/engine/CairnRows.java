package dev.cairn.bench.engine;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.mob.MobSettings;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cairn's engine: one region with one family, its log and its cache, on the local disk, wired as a
 * server does it.
 */
final class CairnRows implements RowStore {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final long LOG_FILE_BYTES = 128L << 20;
  private static final int LOG_FILES_MAX = 32;
  private static final long ROW_LOCK_WAIT_MILLIS = 30_000;
  private static final long CELL_BYTES_MAX = 10L << 20;

  /** As many rows at once as stay in the processor's cache until they are looked at. */
  private static final long BYTES_AT_ONCE = 64 << 10;

  static final ThreadFactory DAEMONS =
      task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
      };

  private final SampleRows sample;
  private final ExecutorService packing = Executors.newSingleThreadExecutor(DAEMONS);
  private final Wal wal;
  private final Region region;
  private final RegionMaintenance maintenance;

  CairnRows(Setting setting, SampleRows sample, Path folder) throws IOException {
    this.sample = sample;
    LocalStorage storage = new LocalStorage(folder);
    this.wal =
        GroupCommitWal.open(
            storage,
            new WalConfig(
                "WALs/s",
                "oldWALs",
                "s",
                setting.synced() ? SyncLevel.SYNCED : SyncLevel.FLUSHED,
                LOG_FILE_BYTES,
                LOG_FILES_MAX),
            Clock.SYSTEM,
            DAEMONS,
            WalListener.NONE);
    AtomicLong names = new AtomicLong();
    StoreContext stores =
        new StoreContext(
            storage,
            new BlockCache(setting.cacheBytes(), Runnable::run),
            Clock.SYSTEM,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            StoreSettings.DEFAULTS,
            Optional.of(packing),
            MobSettings.DEFAULTS);
    TableSchema schema =
        TableSchema.of(
            TableName.parse("t"),
            FamilySchema.of(
                Bytes.utf8(FAMILY),
                Map.of(
                    "BLOCKSIZE",
                    Integer.toString(setting.blockBytes()),
                    "COMPRESSION",
                    setting.snappy() ? "SNAPPY" : "NONE")));
    RegionSettings settings =
        new RegionSettings(
            setting.memTableBytes(), Setting.MEM_TABLES, ROW_LOCK_WAIT_MILLIS, CELL_BYTES_MAX);
    this.region =
        Region.open(
            new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 1),
            schema,
            new RegionContext("data", wal, stores, settings));
    this.maintenance = new RegionMaintenance(region, setting.memTableBytes(), DAEMONS);
  }

  @Override
  public Session session() {
    return new CairnSession();
  }

  @Override
  public void settle() throws IOException {
    maintenance.settle();
  }

  @Override
  public void compact() throws IOException {
    region.compact(true);
  }

  @Override
  public long fileBytes() {
    return region.statistics().storeFileBytes();
  }

  @Override
  public void close() throws IOException {
    maintenance.close();
    region.close(true);
    wal.close();
    packing.shutdown();
  }

  private final class CairnSession implements Session {
    private final byte[] row = new byte[SampleRows.ROW_BYTES];
    private final CellBuffer buffer = new CellBuffer();
    private final RowSizes sizes = new RowSizes();
    private final Cell view = new Cell();

    @Override
    public void put(int number) throws IOException {
      write(List.of(mutation(number)));
    }

    @Override
    public void putAll(int[] rows, int count) throws IOException {
      List<Mutation> mutations = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        mutations.add(mutation(rows[i]));
      }
      write(mutations);
    }

    @Override
    public void get(int number, Taker taker) throws IOException {
      SampleRows.writeRow(number, row);
      buffer.clear();
      try (RegionRead read = region.read(ScanRequest.row(row).build(), ReadBudget.WHOLE_ROWS)) {
        read.next(buffer, ReadBudget.WHOLE_ROWS);
      }
      take(taker);
    }

    @Override
    public void scan(int fromRow, int rows, Taker taker) throws IOException {
      SampleRows.writeRow(fromRow, row);
      ScanRequest request = ScanRequest.builder().start(row, true).build();
      try (RegionRead read = region.read(request, someRows(rows))) {
        int left = rows;
        while (left > 0 && next(read, left, taker)) {
          left -= sizes.size();
        }
      }
    }

    @Override
    public void scanAll(Taker taker) throws IOException {
      ScanRequest request = ScanRequest.builder().build();
      try (RegionRead read = region.read(request, someRows(Integer.MAX_VALUE))) {
        while (next(read, Integer.MAX_VALUE, taker)) {
          // Some rows after the others.
        }
      }
    }

    @Override
    public void close() {
      // Holds nothing.
    }

    private boolean next(RegionRead read, int rowsMax, Taker taker) throws IOException {
      buffer.clear();
      sizes.clear();
      ScanProgress progress = read.nextRows(buffer, sizes, someRows(rowsMax));
      take(taker);
      return progress != ScanProgress.END;
    }

    private static ReadBudget someRows(int rowsMax) {
      return new ReadBudget(
          rowsMax, -1, BYTES_AT_ONCE, Long.MAX_VALUE, false, ReadBudget.Waiting.FOR_DISK);
    }

    private void take(Taker taker) {
      for (int i = 0; i < buffer.size(); i++) {
        Cell cell = buffer.get(i, view, 0);
        taker.take(cell.bytes(), cell.rowOffset(), cell.rowLength());
        if (sample.columns() > 1) {
          taker.take(cell.bytes(), cell.qualifierOffset(), cell.qualifierLength());
        }
        taker.take(cell.bytes(), cell.valueOffset(), cell.valueLength());
        taker.cellTaken();
      }
    }

    private Mutation mutation(int number) {
      SampleRows.writeRow(number, row);
      // A new array: the region keeps it as long as the mutation runs.
      byte[] key = row.clone();
      byte[] value = new byte[sample.valueBytes()];
      CellBuffer cells =
          new CellBuffer(
              sample.columns()
                  * (sample.valueBytes() + SampleRows.ROW_BYTES + SampleRows.QUALIFIER_BYTES + 32),
              sample.columns());
      for (int column = 0; column < sample.columns(); column++) {
        System.arraycopy(
            sample.pool(), sample.valueOffset(number, column), value, 0, sample.valueBytes());
        cells.add(
            key,
            FAMILY,
            sample.qualifier(column),
            Cell.LATEST_TIMESTAMP,
            CellType.PUT.code(),
            value,
            Bytes.EMPTY);
      }
      return Mutation.put(key, cells);
    }

    private void write(List<Mutation> mutations) throws IOException {
      while (true) {
        try {
          WriteRequest request = new WriteRequest.Batch(mutations);
          for (MutationOutcome outcome : region.write(request, WriteBudget.UNLIMITED).join()) {
            outcome.cells(); // or why it is not done
          }
          maintenance.written();
          return;
        } catch (RegionBusyException e) {
          maintenance.awaitRoom();
        }
      }
    }
  }
}
