package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.mob.MobSettings;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.split.LogSplitter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** One region on a simulated disk, that can be closed, killed, cut from power, and opened again. */
final class RegionHarness implements AutoCloseable {
  static final byte[] F = Bytes.utf8("f");
  static final byte[] G = Bytes.utf8("g");

  /** A table with {@link #F}, which keeps three versions, and {@link #G}, which keeps one. */
  static final TableSchema TWO_FAMILIES =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("VERSIONS", "3")),
          FamilySchema.of("g"));

  /** No cell may be longer. */
  static final int CELL_BYTES_MAX = 10 << 20;

  /** A budget that does not wait for locks or files and has unlimited time. */
  static final ReadBudget AT_ONCE = atOnce(-1, Long.MAX_VALUE);

  /** A clock that goes on by a millisecond at each look, until it is stopped. */
  static final class TickingClock implements Clock {
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final AtomicLong looks = new AtomicLong();
    private volatile boolean stopped;
    private volatile Runnable atLook = () -> {};

    /** Runs {@code action} in each thread that asks for the time, before it gets an answer. */
    void atLook(Runnable action) {
      atLook = action;
    }

    /** Stops the clock. */
    void stop() {
      stopped = true;
    }

    /** Sets it forward, or back. */
    void advance(long byMillis) {
      millis.addAndGet(byMillis);
    }

    @Override
    public long currentTimeMillis() {
      atLook.run();
      return stopped ? millis.get() : millis.incrementAndGet();
    }

    @Override
    public long nanoTime() {
      long passed = stopped ? looks.get() : looks.incrementAndGet();
      return (millis.get() + passed) * 1_000_000;
    }
  }

  final TickingClock clock = new TickingClock();
  private final RegionInfo info;
  private TableSchema schema;
  private final AtomicInteger openFiles = new AtomicInteger();
  private final AtomicLong names = new AtomicLong();
  private final BlockCache cache = new BlockCache(8 << 20, 0.25, 64 << 10, Runnable::run);
  private MemoryStorage memory = new MemoryStorage(clock);
  private FaultyStorage.Fault fault;
  private Faults faults = new Faults(new Random(0));
  private FaultyStorage disk;
  private long rowLockWaitMillis = 30_000;
  private SyncLevel safety = SyncLevel.SYNCED;
  private EngineListener listener = EngineListener.NONE;
  private MobSettings mobSettings = MobSettings.DEFAULTS;
  private MemoryAccount account = MemoryAccount.unlimited();
  private MemStoreRoom room = MemStoreRoom.UNLIMITED;
  private boolean inSteps;
  private ReplayHook replayHook = ReplayHook.NONE;
  private StoreFileHook fileHook = StoreFileHook.NONE;
  private StoreContext.Paces paces = StoreContext.Paces.UNLIMITED;
  private FeedMemory feeds = FeedMemory.NONE;
  private int life;
  private Wal wal;
  private Region region;
  private RegionContext context;
  private final List<Nonce> recovered = new ArrayList<>();

  /** Returns the only region of {@link #TWO_FAMILIES}. */
  static RegionHarness ofTwoFamilies() throws IOException {
    return new RegionHarness(TWO_FAMILIES);
  }

  RegionHarness(TableSchema schema) throws IOException {
    this(schema, Bytes.EMPTY, Bytes.EMPTY);
  }

  RegionHarness(TableSchema schema, byte[] startKey, byte[] endKey) throws IOException {
    this.schema = schema;
    this.info = new RegionInfo(schema.name(), startKey, endKey, 1);
    open();
  }

  /** Returns the nonces that the last opening found in store files and in the log. */
  List<Nonce> recovered() {
    return recovered;
  }

  Region region() {
    return region;
  }

  MemoryStorage memory() {
    return memory;
  }

  /** Returns the number of blocks in the cache, about. */
  long cachedBlocks() {
    return cache.statistics().blocks();
  }

  /** Returns what the cache has done. */
  BlockCache.Statistics cacheStatistics() {
    return cache.statistics();
  }

  /** Returns the region's directory. */
  String directory() {
    return RegionDirectory.of("data", info).path();
  }

  /** Sets how long a write waits for a row after the next opening. */
  void waitForRows(long millis) {
    rowLockWaitMillis = millis;
  }

  /** Sets how safe the log makes entries after the next opening. */
  void promise(SyncLevel logSafety) {
    safety = logSafety;
  }

  /** Sets the treatment of MOB files after the next opening. */
  void treatMobFiles(MobSettings settings) {
    mobSettings = settings;
  }

  /** Sets the listener of the region after the next opening. */
  void listenWith(EngineListener changed) {
    listener = changed;
  }

  /** Limits the write rate of store files after the next opening. */
  void paceWith(StoreContext.Paces changed) {
    paces = changed;
  }

  /** From the next opening on, the region offers its writes in steps, too. */
  void offerSteps() {
    inSteps = true;
  }

  /** From the next opening on, {@code hook} sees recovered edits. */
  void replayWith(ReplayHook hook) {
    this.replayHook = hook;
  }

  /** From the next opening on, {@code hook} sees the flushes and compactions. */
  void hookFilesWith(StoreFileHook hook) {
    this.fileHook = hook;
  }

  /** Keeps so many bytes of logged changes for replicas after the next opening. */
  void feedReplicas(long bytesMax) {
    feeds = new FeedMemory(bytesMax, bytesMax);
  }

  /**
   * Lets another server recover the log and own the region.
   *
   * @return the former owner's region, which nobody has told; the caller closes it
   */
  Region takeOver() throws IOException {
    Region former = region;
    for (Storage.FileInfo directory : memory.list("WALs")) {
      new LogSplitter(memory, "data", "oldWALs").split(directory.path());
    }
    open();
    return former;
  }

  /** From the next opening on, increments and appends reserve here what they make. */
  void shareRoom(MemStoreRoom shared) {
    room = shared;
  }

  /**
   * Sets the lender from which, after the next opening, writes borrow memory for their reads, and
   * flushes and compactions for large cells.
   */
  void borrowFrom(MemoryAccount lender) {
    account = lender;
  }

  /** Makes storage operations fail by {@code fault} after the next opening. */
  void failWith(FaultyStorage.Fault fault) {
    this.fault = fault;
  }

  /** Makes storage operations fail by {@code faults} after the next opening. */
  void failBy(Faults faults) {
    this.faults = faults;
  }

  /** Returns the disk, whose size can be limited, until the next opening. */
  FaultyStorage disk() {
    return disk;
  }

  void open() throws IOException {
    disk = fault != null ? new FaultyStorage(memory, fault) : new FaultyStorage(memory, faults);
    Storage storage = counted(disk);
    life++;
    recovered.clear();
    wal = openLog(storage, "server-" + life);
    context = context(storage, wal);
    boolean opened = false;
    try {
      region = Region.open(info, schema, context, (nonce, writeTimeMillis) -> recovered.add(nonce));
      opened = true;
    } finally {
      if (!opened) {
        wal.close();
      }
    }
  }

  private Wal openLog(Storage storage, String server) throws IOException {
    return GroupCommitWal.open(
        storage,
        new WalConfig("WALs/" + server, "oldWALs", server, safety, 64 << 10, 4)
            .withRecovery(new WalRecovery(3, 1_000_000, 1_000_000)),
        clock,
        runnable -> {
          Thread thread = new Thread(runnable, "test-wal");
          thread.setDaemon(true);
          return thread;
        },
        WalListener.NONE);
  }

  private RegionContext context(Storage storage, Wal log) {
    StoreContext stores =
        new StoreContext(
            storage,
            cache,
            clock,
            () -> "%032x".formatted(names.incrementAndGet()),
            listener,
            new StoreSettings(3, 10, 1.2, 1 << 20, Long.MAX_VALUE, 0),
            Optional.empty(),
            mobSettings);
    RegionContext plain =
        new RegionContext(
            "data",
            log,
            stores.pacedBy(paces).borrowingFrom(account).hooked(fileHook),
            new RegionSettings(256 << 10, 4, rowLockWaitMillis, CELL_BYTES_MAX),
            account,
            room);
    return (inSteps ? plain.offeringSteps() : plain).replaying(replayHook).feeding(feeds);
  }

  /** The region as another server has it, while {@link #region} is still there. */
  record Elsewhere(RegionHarness harness, Region region) implements AutoCloseable {
    void put(String row, String qualifier, String value) throws IOException {
      Region own = harness.region;
      harness.region = region;
      try {
        harness.put(row, qualifier, value);
      } finally {
        harness.region = own;
      }
    }

    List<String> dump() throws IOException {
      List<String> cells = new ArrayList<>();
      TableHarness.read(
          region, ScanRequest.builder().maxVersions(Integer.MAX_VALUE).build(), cells);
      return cells;
    }

    @Override
    public void close() throws IOException {
      region.close(true);
      region.context().wal().close();
    }
  }

  /** Lets another server recover this one's log and open the region. */
  Elsewhere openElsewhere() throws IOException {
    try (RegionOpening opening = readElsewhere()) {
      return begin(opening, Optional.empty());
    }
  }

  /** As the method above; {@code fault} makes storage operations of the other server fail. */
  Elsewhere openElsewhere(FaultyStorage.Fault fault) throws IOException {
    try (RegionOpening opening = readElsewhere(fault)) {
      return begin(opening, Optional.empty());
    }
  }

  /** Lets another server recover this one's log and begin to open the region. */
  RegionOpening readElsewhere() throws IOException {
    return readElsewhere(memory);
  }

  /** As the method above; {@code fault} makes storage operations of the other server fail. */
  RegionOpening readElsewhere(FaultyStorage.Fault fault) throws IOException {
    return readElsewhere(new FaultyStorage(memory, fault));
  }

  private RegionOpening readElsewhere(Storage storage) throws IOException {
    for (Storage.FileInfo directory : memory.list("WALs")) {
      if (directory.name().startsWith("server-")) {
        new LogSplitter(memory, "data", "oldWALs").split(directory.path());
      }
    }
    Wal log = openLog(storage, "elsewhere-" + ++life);
    return RegionOpening.read(
        info, schema, context(storage, log), (nonce, writeTimeMillis) -> recovered.add(nonce));
  }

  /**
   * Lets another server begin to open a replica of the region, beside this one. Counts the files
   * that it opens among {@link #openFiles}.
   *
   * @param fault makes storage operations of the other server fail
   */
  RegionOpening readReplica(FaultyStorage.Fault fault) throws IOException {
    Storage storage = counted(new FaultyStorage(memory, fault));
    return RegionOpening.read(
        info.replica(1), schema, context(storage, wal), RecoveredNonces.IGNORED);
  }

  Elsewhere begin(RegionOpening opening, Optional<FencingToken> token) throws IOException {
    return new Elsewhere(this, opening.begin(token));
  }

  /** Returns the number of files that are open for reading, over all lives. */
  int openFiles() {
    return openFiles.get();
  }

  private Storage counted(Storage storage) {
    return counting(
        Storage.class,
        storage,
        (method, result) -> {
          if (method.equals("open")) {
            openFiles.incrementAndGet();
            return counting(
                ReadableFile.class,
                (ReadableFile) result,
                (ofFile, closed) -> {
                  if (ofFile.equals("close")) {
                    openFiles.decrementAndGet();
                  }
                  return closed;
                });
          }
          return result;
        });
  }

  /** Wraps {@code target}: each call's name and result go through {@code after}. */
  private static <T> T counting(Class<T> type, T target, BiFunction<String, Object, Object> after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return after.apply(method.getName(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Closes the region and opens it again on the same server, as an altered table's. */
  void alter(TableSchema altered) throws IOException {
    region.close(false);
    for (FamilySchema family : schema.families()) {
      if (altered.family(family.name()).isEmpty()) {
        memory.delete(directory() + "/" + family.nameAsString());
      }
    }
    schema = altered;
    region = Region.open(info, schema, context, (nonce, writeTimeMillis) -> recovered.add(nonce));
  }

  /** Alters the table so that it can only be read. */
  void makeReadOnly() throws IOException {
    HBaseProtos.BytesBytesPair readOnly =
        HBaseProtos.BytesBytesPair.newBuilder()
            .setFirst(ByteString.copyFromUtf8("READONLY"))
            .setSecond(ByteString.copyFromUtf8("true"))
            .build();
    alter(new TableSchema(schema.message().toBuilder().addAttributes(readOnly).build()));
  }

  /** Ends the log's file, so that what is not needed of it is archived. */
  void rollLog() throws IOException {
    wal.roll();
  }

  void closeCleanly() throws IOException {
    region.close(false);
    wal.close();
    context.stores().mobFiles().close();
  }

  /** Cuts the power: what was not synced is lost, or part of it is kept, by chance. */
  void powerCut(Random random) throws IOException {
    MemoryStorage after = memory.afterPowerCut(random);
    abandon();
    recover(after);
  }

  /** Cuts the power: all is lost that was not synced. */
  void powerCut() throws IOException {
    MemoryStorage after = memory.afterPowerCut();
    abandon();
    recover(after);
  }

  /** Kills the process: what was handed to the operating system stays. */
  void kill() throws IOException {
    MemoryStorage after = memory.afterKill();
    abandon();
    recover(after);
  }

  private void abandon() {
    context.stores().mobFiles().close();
    try {
      region.close(true);
      wal.close();
    } catch (IOException e) {
      // It is dead; nobody listens any more.
    }
  }

  private void recover(MemoryStorage after) throws IOException {
    memory = after;
    for (Storage.FileInfo directory : memory.list("WALs")) {
      new LogSplitter(memory, "data", "oldWALs").split(directory.path());
    }
    open();
  }

  @Override
  public void close() throws IOException {
    fault = null;
    abandon();
  }

  void put(String row, String qualifier, String value) throws IOException {
    put(row, F, qualifier, Cell.LATEST_TIMESTAMP, value);
  }

  void put(String row, byte[] family, String qualifier, long timestamp, String value)
      throws IOException {
    done(mutate(List.of(putOf(row, family, qualifier, timestamp, value))));
  }

  static Mutation putOf(String row, byte[] family, String qualifier, long timestamp, String value) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        family,
        Bytes.utf8(qualifier),
        timestamp,
        CellType.PUT.code(),
        Bytes.utf8(value),
        Bytes.EMPTY);
    return Mutation.put(Bytes.utf8(row), cells);
  }

  static Mutation deleteOf(
      String row, byte[] family, String qualifier, long timestamp, CellType type) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        family,
        Bytes.utf8(qualifier),
        timestamp,
        type.code(),
        Bytes.EMPTY,
        Bytes.EMPTY);
    return Mutation.delete(Bytes.utf8(row), cells);
  }

  static void done(List<MutationOutcome> outcomes) throws IOException {
    for (MutationOutcome outcome : outcomes) {
      if (outcome instanceof MutationOutcome.Refused refused) {
        throw refused.cause();
      }
    }
  }

  /** Writes, and returns once the outcomes are known. */
  List<MutationOutcome> write(WriteRequest request) throws IOException {
    return region.write(request, WriteBudget.UNLIMITED).join();
  }

  /** Applies mutations each on its own. */
  List<MutationOutcome> mutate(List<Mutation> mutations) throws IOException {
    return mutate(region, mutations);
  }

  /** Applies mutations each on its own. */
  static List<MutationOutcome> mutate(Region region, List<Mutation> mutations) throws IOException {
    return region.write(new WriteRequest.Batch(mutations), WriteBudget.UNLIMITED).join();
  }

  /** Applies mutations all together. */
  CellBuffer mutateTogether(List<Mutation> mutations) throws IOException {
    return write(new WriteRequest.Atomic(mutations)).get(0).cells();
  }

  /** Applies mutations all together if a condition holds; tells whether it did. */
  boolean checkAndMutate(Condition condition, List<Mutation> mutations) throws IOException {
    MutationOutcome outcome = write(new WriteRequest.Atomic(List.of(condition), mutations)).get(0);
    outcome.cells();
    return outcome instanceof MutationOutcome.Done;
  }

  /** Begins a write; empty if it takes waiting. Returns what completes with its result. */
  static Optional<CompletableFuture<CellBuffer>> begin(Region region, WriteRequest request)
      throws IOException {
    PendingWrite pending = region.write(request, WriteBudget.AT_ONCE);
    return pending.isBegun() ? Optional.of(future(pending)) : Optional.empty();
  }

  /** Returns what completes with the result of a write. */
  static CompletableFuture<CellBuffer> future(PendingWrite pending) {
    CompletableFuture<CellBuffer> result = new CompletableFuture<>();
    pending.whenDone(
        new WriteListener() {
          @Override
          public void done(List<MutationOutcome> outcomes) {
            try {
              result.complete(outcomes.get(0).cells());
            } catch (IOException e) {
              result.completeExceptionally(e);
            }
          }

          @Override
          public void failed(Throwable cause) {
            result.completeExceptionally(cause);
          }
        });
    return result;
  }

  /** Does a mutation as a network thread does, or else as a handler does. */
  static MutationOutcome begun(Region region, Mutation mutation) throws IOException {
    PendingWrite pending = region.write(mutation, WriteBudget.AT_ONCE);
    if (!pending.isBegun()) {
      return mutate(region, List.of(mutation)).get(0);
    }
    CompletableFuture<CellBuffer> result = future(pending);
    pending.requestSync().run();
    try {
      return new MutationOutcome.Done(result.get(60, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WriteUndecidedException undecided) {
        return new MutationOutcome.Undecided(undecided);
      }
      throw (IOException) e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("The write was neither done nor refused", e);
    }
  }

  /** Opens a scan that may stay idle. */
  Explanation explain(ScanRequest request, int rowsMax, int cellsMax) throws IOException {
    return Explanation.open(region()::read, request, clock, rowsMax, cellsMax);
  }

  RegionRead scan(ScanRequest request) throws IOException {
    return region.read(request, new ReadBudget(-1, -1, Long.MAX_VALUE, true));
  }

  /** Opens a scan that must not wait. */
  RegionRead scanAtOnce(ScanRequest request) throws IOException {
    return region.read(request, AT_ONCE);
  }

  /** Appends the cells of a row. */
  void get(ScanRequest request, CellBuffer out) throws IOException {
    try (RegionRead read = region.read(request, ReadBudget.WHOLE_ROWS)) {
      read.next(out, ReadBudget.WHOLE_ROWS);
    }
  }

  /** Appends the cells of a row if that takes no waiting; returns whether it did. */
  boolean getAtOnce(ScanRequest request, CellBuffer out, ReadBudget budget) throws IOException {
    try (RegionRead read = region.read(request, budget)) {
      return read.next(out, budget) != ScanProgress.WOULD_WAIT;
    }
  }

  /** Returns the budget of a call that must not wait, for any number of whole rows or parts. */
  static ReadBudget atOnce(long bytes, long deadlineNanos) {
    return new ReadBudget(
        Integer.MAX_VALUE, -1, bytes, deadlineNanos, true, ReadBudget.Waiting.NEVER);
  }

  /** Returns a budget for so many rows. */
  static ReadBudget ofRows(int rows, ReadBudget budget) {
    return new ReadBudget(
        rows,
        budget.maxCells(),
        budget.maxBytes(),
        budget.deadlineNanos(),
        budget.midRow(),
        budget.waiting());
  }

  /** Returns the value of a column, or null. */
  String get(String row, String qualifier) throws IOException {
    CellBuffer out = new CellBuffer();
    get(ScanRequest.row(Bytes.utf8(row)).build(), out);
    for (int i = 0; i < out.size(); i++) {
      if (Bytes.utf8(out.get(i).qualifier()).equals(qualifier)) {
        return Bytes.utf8(out.get(i).value());
      }
    }
    return null;
  }

  /** A put of one value into the column q of several families. */
  static Mutation put(String row, List<byte[]> families, String value) {
    CellBuffer cells = new CellBuffer();
    for (byte[] family : families) {
      cells.add(
          Bytes.utf8(row),
          family,
          Bytes.utf8("q"),
          Cell.LATEST_TIMESTAMP,
          CellType.PUT.code(),
          Bytes.utf8(value),
          Bytes.EMPTY);
    }
    return Mutation.put(Bytes.utf8(row), cells);
  }

  /** Returns all cells that a scan finds, as {@code row/family:qualifier=value}. */
  List<String> dump(ScanRequest request) throws IOException {
    List<String> cells = new ArrayList<>();
    TableHarness.read(region, request, cells);
    return cells;
  }

  List<String> dump() throws IOException {
    return dump(ScanRequest.builder().build());
  }
}
