package dev.cairn.bench.engine;

import dev.cairn.bench.folder.Folders;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code cairn bench open}: how long a large region takes to open, and to answer its first get. The
 * files are written directly, each with rows of all the key space; they are in the operating
 * system's cache as far as that has room.
 */
@Command(
    name = "open",
    description = "Measures how long a large region takes to open, and to answer its first get.")
public final class RegionOpenCommand implements Callable<Integer> {
  private static final String DATA = "data";
  private static final String FAMILY = "f";
  private static final int VALUE_BYTES = 1000;
  private static final int MEGABYTE = 1_000_000;
  private static final long CACHE_BYTES = 256L << 20;

  @Option(
      names = "--data",
      defaultValue = "10000",
      description = "Megabytes of values (default: ${DEFAULT-VALUE}).")
  private int megabytes;

  @Option(
      names = "--files",
      defaultValue = "5",
      description = "Number of their store files (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Number of openings (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--directory",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Where the region's folder is made, and deleted (default: ${DEFAULT-VALUE}).")
  private Path directory;

  private final TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of(FAMILY));
  private final RegionInfo info = new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 1);
  private final AtomicLong names = new AtomicLong();

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory(directory, "cairn-bench");
    try {
      LocalStorage storage = new LocalStorage(folder);
      int rowsPerFile = (int) ((long) megabytes * MEGABYTE / VALUE_BYTES / files);
      long bytes = 0;
      for (int file = 0; file < files; file++) {
        bytes += write(storage, file, rowsPerFile);
      }
      System.out.printf(
          "%d files, %.2f GB, %d rows%n", files, bytes / 1e9, (long) rowsPerFile * files);
      try (Wal wal = log(storage)) {
        for (int round = 1; round <= rounds; round++) {
          open(storage, wal, round, rowsPerFile);
        }
      }
    } finally {
      Folders.delete(folder);
    }
    return 0;
  }

  private void open(LocalStorage storage, Wal wal, int round, int rowsPerFile) throws IOException {
    StoreContext stores =
        new StoreContext(
            storage,
            new BlockCache(CACHE_BYTES, Runnable::run),
            Clock.SYSTEM,
            this::nextName,
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    long begin = System.nanoTime();
    Region region =
        Region.open(info, schema, new RegionContext(DATA, wal, stores, RegionSettings.DEFAULTS));
    long opened = System.nanoTime();
    CellBuffer cells = new CellBuffer();
    try (RegionRead read =
        region.read(ScanRequest.row(row(rowsPerFile / 2, 0)).build(), ReadBudget.WHOLE_ROWS)) {
      read.next(cells, ReadBudget.WHOLE_ROWS);
    }
    long answered = System.nanoTime();
    if (cells.size() != 1) {
      throw new IOException("The row has " + cells.size() + " cells instead of one");
    }
    System.out.printf(
        "round %d: open %.1f ms, first get %.1f ms%n",
        round, (opened - begin) / 1e6, (answered - opened) / 1e6);
    region.close(false);
  }

  private long write(LocalStorage storage, int file, int rows) throws IOException {
    FamilySchema family = schema.families().iterator().next();
    String path =
        new StoreDirectory(DATA, schema.name(), info.encodedName(), FAMILY).file(nextName());
    CellBuffer buffer = new CellBuffer();
    Cell cell = new Cell();
    SampleRows sample = new SampleRows(1, VALUE_BYTES);
    byte[] value = new byte[VALUE_BYTES];
    try (HFileWriter writer =
        new HFileWriter(
            storage, path, HFileOptions.of(family, CellComparator.USER), Clock.SYSTEM)) {
      for (int number = 0; number < rows; number++) {
        System.arraycopy(sample.pool(), sample.valueOffset(number, 0), value, 0, VALUE_BYTES);
        buffer.clear();
        buffer.add(
            row(number, file),
            family.name(),
            sample.qualifier(0),
            1,
            CellType.PUT.code(),
            value,
            Bytes.EMPTY);
        writer.append(buffer.get(0, cell, file + 1));
      }
      writer.setMaxSequence(file + 1);
      return writer.finish();
    }
  }

  private static byte[] row(int number, int file) {
    return Bytes.utf8("user%012d-%03d".formatted(number, file));
  }

  private String nextName() {
    return "%032x".formatted(names.incrementAndGet());
  }

  private static Wal log(LocalStorage storage) throws IOException {
    return GroupCommitWal.open(
        storage,
        new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.FLUSHED, 1L << 30, 4),
        Clock.SYSTEM,
        CairnRows.DAEMONS,
        WalListener.NONE);
  }
}
