package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.lifecycle.RegionFamilyTree;
import dev.cairn.engine.region.lifecycle.RegionMerge;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.region.lifecycle.RegionTruncation;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
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
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.split.LogSplitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A table of one or more regions on a simulated disk, without a catalog. */
final class TableHarness implements AutoCloseable {
  static final String DATA = "data";

  final RegionHarness.TickingClock clock = new RegionHarness.TickingClock();
  private final TableSchema schema;
  private final StoreFileHook hook;
  private final BlockCache cache = new BlockCache(8 << 20, Runnable::run);
  private final AtomicLong names = new AtomicLong();
  private final TreeMap<byte[], Region> regions = new TreeMap<>(Arrays::compareUnsigned);
  private final Set<Nonce> recovered = new HashSet<>();
  private MemoryStorage memory;
  private int life;
  private Wal wal;
  private RegionContext context;

  /** Creates a table of one region. */
  TableHarness(TableSchema schema) throws IOException {
    this(schema, StoreFileHook.NONE);
  }

  /** Creates a table whose flushes and compactions {@code hook} sees. */
  TableHarness(TableSchema schema, StoreFileHook hook) throws IOException {
    this.schema = schema;
    this.hook = hook;
    this.memory = new MemoryStorage(clock);
    start(FaultyStorage.Fault.stopAfter(Long.MAX_VALUE));
    open(new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 1));
  }

  /** Returns the nonces that openings of regions have found. */
  Set<Nonce> recovered() {
    return recovered;
  }

  MemoryStorage memory() {
    return memory;
  }

  List<Region> regions() {
    return List.copyOf(regions.values());
  }

  Region regionOf(String row) {
    return regionOf(Bytes.utf8(row));
  }

  Region regionOf(byte[] row) {
    return regions.floorEntry(row).getValue();
  }

  StoreContext stores() {
    return context.stores();
  }

  RegionFamilyTree tree() {
    return new RegionFamilyTree(schema.name(), DATA, context.stores().storage());
  }

  /** Splits the region of {@code row} before it and opens the daughters. */
  RegionSplit split(String row) throws IOException {
    return split(Bytes.utf8(row));
  }

  /** As {@link #split(String)}. */
  RegionSplit split(byte[] row) throws IOException {
    Region parent = regionOf(row);
    RegionSplit split = RegionSplit.plan(parent, row);
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
    merge.write(schema, DATA, context.stores());
    parents.forEach(parent -> regions.remove(parent.startKey()));
    open(merge.merged());
    return merge;
  }

  /** Empties the region of {@code row}. */
  void truncate(String row) throws IOException {
    Region region = regionOf(row);
    region.close(false);
    RegionTruncation.run(region.info(), schema, DATA, context.stores());
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

  /** Applies mutations, those of a region in one call, and returns the cells that they return. */
  List<Cell> write(List<Mutation> batch) throws IOException {
    return write(batch, WriteRequest.Batch::new);
  }

  /** Applies mutations of one region together, and returns the cells that they return. */
  List<Cell> writeAtomically(List<Mutation> mutations) throws IOException {
    return write(mutations, WriteRequest.Atomic::new);
  }

  private List<Cell> write(
      List<Mutation> mutations, Function<List<Mutation>, WriteRequest> requests)
      throws IOException {
    List<Cell> returned = new ArrayList<>();
    for (Map.Entry<Region, List<Mutation>> entry : byRegion(mutations).entrySet()) {
      WriteRequest request = requests.apply(entry.getValue());
      List<MutationOutcome> outcomes = entry.getKey().write(request, WriteBudget.UNLIMITED).join();
      RegionHarness.done(outcomes);
      for (MutationOutcome outcome : outcomes) {
        copy(((MutationOutcome.Done) outcome).cells(), returned);
      }
    }
    return returned;
  }

  private Map<Region, List<Mutation>> byRegion(List<Mutation> mutations) {
    Map<Region, List<Mutation>> byRegion = new LinkedHashMap<>();
    for (Mutation mutation : mutations) {
      byRegion.computeIfAbsent(regionOf(mutation.row()), region -> new ArrayList<>()).add(mutation);
    }
    return byRegion;
  }

  /** Returns the cells of the row that {@code request} names. */
  List<Cell> get(ScanRequest request) throws IOException {
    return get(request, ReadBudget.WHOLE_ROWS).orElseThrow();
  }

  /** Returns the cells of a row as {@code budget} allows; empty if that takes waiting. */
  Optional<List<Cell>> get(ScanRequest request, ReadBudget budget) throws IOException {
    CellBuffer out = new CellBuffer();
    try (RegionRead read = regionOf(request.startRow()).read(request, budget)) {
      if (read.next(out, budget) == ScanProgress.WOULD_WAIT) {
        return Optional.empty();
      }
    }
    List<Cell> cells = new ArrayList<>();
    copy(out, cells);
    return Optional.of(cells);
  }

  /** Returns the cells of all regions; {@code budget} is that of each call. */
  List<Cell> scan(ScanRequest request, ReadBudget budget) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (OpenScan scan = open(request)) {
      scan.read(budget, (part, progress) -> cells.addAll(part));
    }
    return cells;
  }

  /** Begins a scan of all regions. */
  OpenScan open(ScanRequest request) throws IOException {
    List<RegionRead> reads = new ArrayList<>();
    for (Region region : regionsOf(request)) {
      reads.add(region.read(request, new ReadBudget(-1, -1, Long.MAX_VALUE, true)));
    }
    return new OpenScan(reads);
  }

  private Collection<Region> regionsOf(ScanRequest request) {
    if (request.isSingleRow()) {
      return List.of(regionOf(request.startRow()));
    }
    return request.reversed() ? regions.descendingMap().values() : regions.values();
  }

  /** A scan that goes from region to region. */
  record OpenScan(List<RegionRead> reads) implements AutoCloseable {
    /** Reads what is left; {@code parts} gets what each call returns. */
    void read(ReadBudget budget, BiConsumer<List<Cell>, ScanProgress> parts) throws IOException {
      CellBuffer out = new CellBuffer();
      for (RegionRead read : reads) {
        ScanProgress progress;
        do {
          progress = read.nextRows(out, new RowSizes(), budget);
          List<Cell> part = new ArrayList<>();
          copy(out, part);
          parts.accept(part, progress);
          out.clear();
        } while (progress != ScanProgress.END);
      }
    }

    /** Returns the cells of the next rows. */
    List<Cell> rows(int rowsMax) throws IOException {
      List<Cell> cells = new ArrayList<>();
      CellBuffer out = new CellBuffer();
      int rows = 0;
      for (RegionRead read : reads) {
        while (rows < rowsMax && read.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
          rows += out.size() > 0 ? 1 : 0;
          copy(out, cells);
          out.clear();
        }
      }
      return cells;
    }

    @Override
    public void close() {
      reads.forEach(RegionRead::close);
    }
  }

  private static void copy(CellBuffer from, List<Cell> to) {
    for (int i = 0; i < from.size(); i++) {
      to.add(from.get(i).copy());
    }
  }

  /** Returns the number of cells in store files. */
  long storedCells() {
    long cells = 0;
    for (Region region : regions.values()) {
      for (Store store : region.stores()) {
        for (StoreFile file : store.view().files()) {
          cells += file.reader().info().entryCount();
        }
      }
    }
    return cells;
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
                "WALs/server-" + life, "oldWALs", "server-" + life, SyncLevel.SYNCED, 64 << 10, 4),
            clock,
            runnable -> {
              Thread thread = new Thread(runnable, "test-wal");
              thread.setDaemon(true);
              return thread;
            },
            WalListener.NONE);
    StoreContext stores =
        new StoreContext(
            storage,
            cache,
            clock,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            new StoreSettings(3, 10, 1.2, 1 << 20, Long.MAX_VALUE, 0));
    context =
        new RegionContext(
            DATA, wal, stores.hooked(hook), new RegionSettings(256 << 10, 4, 30_000, 10 << 20));
  }

  private void open(RegionInfo info) throws IOException {
    regions.put(
        info.startKey(),
        Region.open(info, schema, context, (nonce, writeTimeMillis) -> recovered.add(nonce)));
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
