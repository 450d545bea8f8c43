package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreEnvironment;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.LogSplitter;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A table of one or more regions on a simulated disk, without a catalog. */
final class TableHarness implements AutoCloseable {
  static final String DATA = "data";

  final RegionHarness.TickingClock clock = new RegionHarness.TickingClock();
  private final TableSchema schema;
  private final BlockCache cache = new BlockCache(8 << 20, Runnable::run);
  private final AtomicLong names = new AtomicLong();
  private final TreeMap<byte[], Region> regions = new TreeMap<>(Arrays::compareUnsigned);
  private MemoryStorage memory;
  private int life;
  private Wal wal;
  private RegionEnvironment environment;

  /** Creates a table of one region. */
  TableHarness(TableSchema schema) throws IOException {
    this.schema = schema;
    this.memory = new MemoryStorage(clock);
    start(FaultyStorage.Fault.stopAfter(Long.MAX_VALUE));
    open(new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 1));
  }

  MemoryStorage memory() {
    return memory;
  }

  List<Region> regions() {
    return List.copyOf(regions.values());
  }

  Region regionOf(String row) {
    return regions.floorEntry(Bytes.utf8(row)).getValue();
  }

  StoreEnvironment stores() {
    return environment.stores();
  }

  RegionFamilyTree tree() {
    return new RegionFamilyTree(schema.name(), DATA, environment.stores().storage());
  }

  /** Splits the region of {@code row} before it and opens the daughters. */
  RegionSplit split(String row) throws IOException {
    Region parent = regionOf(row);
    RegionSplit split = RegionSplit.plan(parent, Bytes.utf8(row));
    split.run(parent);
    regions.remove(parent.info().startKey());
    open(split.lower());
    open(split.upper());
    return split;
  }

  /** Merges the regions of {@code rows} and opens the one that takes their place. */
  RegionMerge merge(String... rows) throws IOException {
    List<RegionInfo> parents = new ArrayList<>();
    for (String row : rows) {
      Region parent = regionOf(row);
      parent.close(false);
      parents.add(parent.info());
    }
    RegionMerge merge = RegionMerge.plan(parents, clock.currentTimeMillis());
    merge.write(schema, DATA, environment.stores());
    parents.forEach(parent -> regions.remove(parent.startKey()));
    open(merge.merged());
    return merge;
  }

  /** Empties the region of {@code row}. */
  void truncate(String row) throws IOException {
    Region region = regionOf(row);
    region.close(false);
    RegionTruncation.run(region.info(), schema, DATA, environment.stores());
    open(region.info());
  }

  /** Ends everything and begins again on {@code after}, as a server does after a crash. */
  void recover(MemoryStorage after, FaultyStorage.Fault fault) throws IOException {
    abandon();
    memory = after;
    for (Storage.FileInfo directory : memory.list("WALs")) {
      new LogSplitter(memory, DATA, "oldWALs").split(directory.path());
    }
    start(fault);
    RegionFamilyTree.Census census = tree().settle();
    for (RegionInfo region : census.serving()) {
      open(region);
    }
  }

  void recover(MemoryStorage after) throws IOException {
    recover(after, FaultyStorage.Fault.stopAfter(Long.MAX_VALUE));
  }

  /** Closes all regions and begins again. */
  void restart() throws IOException {
    for (Region region : regions.values()) {
      region.close(false);
    }
    recover(memory);
  }

  /** Leaves the names of a closed region's files as a process does that cannot sync them. */
  void unsyncFiles(RegionInfo region, String family) throws IOException {
    String directory = RegionDirectory.of(DATA, region).family(family);
    for (Storage.FileInfo file : memory.list(directory)) {
      memory.rename(file.path(), "moved/" + file.name());
      memory.unsynced().rename("moved/" + file.name(), file.path());
    }
  }

  /** Archives the parents that are needed no more; returns how many are left. */
  int retireParents() throws IOException {
    int left = 0;
    for (RegionInfo parent : tree().settle().parents()) {
      left += tree().retire(parent) ? 0 : 1;
    }
    return left;
  }

  void put(String row, byte[] family, String qualifier, String value) throws IOException {
    RegionHarness.done(
        RegionHarness.mutate(
            regionOf(row),
            List.of(RegionHarness.putOf(row, family, qualifier, Cell.LATEST_TIMESTAMP, value))));
  }

  void deleteRow(String row) throws IOException {
    RegionHarness.done(
        RegionHarness.mutate(
            regionOf(row), List.of(Mutation.delete(Bytes.utf8(row), new CellBuffer()))));
  }

  /** Returns all cells as {@code row/family:qualifier=value}; regions in order. */
  List<String> dump() throws IOException {
    List<String> cells = new ArrayList<>();
    for (Region region : regions.values()) {
      read(region, ScanRequest.builder().build(), cells);
    }
    return cells;
  }

  /** Returns all cells, last row first; within a row in order. */
  List<String> dumpReversed() throws IOException {
    List<String> cells = new ArrayList<>();
    for (Region region : regions.descendingMap().values()) {
      read(region, ScanRequest.builder().reversed(true).build(), cells);
    }
    return cells;
  }

  List<String> row(String row) throws IOException {
    List<String> cells = new ArrayList<>();
    read(regionOf(row), ScanRequest.row(Bytes.utf8(row)).build(), cells);
    return cells;
  }

  static void read(Region region, ScanRequest request, List<String> out) throws IOException {
    try (RegionRead scanner = region.read(request, ReadBudget.WHOLE_ROWS)) {
      read(scanner, out);
    }
  }

  static void read(RegionRead scanner, List<String> out) throws IOException {
    CellBuffer row = new CellBuffer();
    ScanProgress progress;
    do {
      progress =
          scanner.nextRows(row, new RowSizes(), RegionHarness.ofRows(5, ReadBudget.WHOLE_ROWS));
      for (int i = 0; i < row.size(); i++) {
        Cell cell = row.get(i);
        out.add(
            Bytes.utf8(cell.row())
                + "/"
                + Bytes.utf8(cell.family())
                + ":"
                + Bytes.utf8(cell.qualifier())
                + "="
                + Bytes.utf8(cell.value()));
      }
      row.clear();
    } while (progress != ScanProgress.END);
  }

  private void start(FaultyStorage.Fault fault) throws IOException {
    Storage storage = new FaultyStorage(memory, fault);
    life++;
    wal =
        GroupCommitWal.open(
            storage,
            new WalConfig(
                "WALs/server-" + life, "oldWALs", "server-" + life, Wal.Safety.SYNCED, 64 << 10, 4),
            clock,
            runnable -> {
              Thread thread = new Thread(runnable, "test-wal");
              thread.setDaemon(true);
              return thread;
            },
            WalListener.NONE);
    StoreEnvironment stores =
        new StoreEnvironment(
            storage,
            cache,
            clock,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            new StoreSettings(3, 10, 1.2, 1 << 20, Long.MAX_VALUE, 0));
    environment =
        new RegionEnvironment(
            DATA, wal, stores, new RegionSettings(256 << 10, 4, 30_000, 10 << 20));
  }

  private void open(RegionInfo info) throws IOException {
    regions.put(info.startKey(), Region.open(info, schema, environment));
  }

  private void abandon() {
    for (Map.Entry<byte[], Region> region : regions.entrySet()) {
      try {
        region.getValue().close(true);
      } catch (IOException e) {
        // It is dead; nobody listens any more.
      }
    }
    regions.clear();
    try {
      wal.close();
    } catch (IOException e) {
      // Likewise.
    }
  }

  @Override
  public void close() {
    abandon();
  }
}
