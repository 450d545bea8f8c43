package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.region.bulkload.BulkLoadJournal;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.feed.RegionOwner;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.flush.FlushSelection;
import dev.cairn.engine.region.flush.RegionFlusher;
import dev.cairn.engine.region.flush.UnflushedEdits;
import dev.cairn.engine.region.read.OpenScans;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.steps.RegionWriteSteps;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.MutationCheck;
import dev.cairn.engine.region.write.MutationResolver;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.RowLocks;
import dev.cairn.engine.region.write.TimestampAllocator;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteCompletion;
import dev.cairn.engine.region.write.WriteDurability;
import dev.cairn.engine.region.write.WriteParts;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteStaging;
import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.store.CompactionNeed;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.engine.store.StoreStatistics;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One region, open: takes writes, answers reads. Thread-safe. A facade: reading, writing and
 * flushing are classes of their own.
 *
 * <p>Every method that reads or writes throws {@link RegionClosedException} once closing has begun,
 * {@link WrongRowException} for a row outside the region and {@link NoSuchFamilyException} for an
 * unknown family. Every method that writes throws {@link dev.cairn.engine.wal.WalStalledException},
 * with nothing done, while the log's disk is full, and {@link WriteUndecidedException} if that
 * happened in the middle.
 */
public final class Region
    implements FlushableRegion, CompactableRegion, SplittableRegion, RegionFigures {
  private static final Logger LOG = LoggerFactory.getLogger(Region.class);

  private final RegionInfo info;
  private final TableSchema schema;
  private final RegionContext context;
  private final RegionSettings settings;
  private final RegionStores stores;
  private final ScratchDirectory scratch;
  private final RegionGate gate;
  private final Clock clock;
  private final Mvcc mvcc;
  private final OpenScans scans;
  private final RegionReader reader;
  private final RegionWriter writer;
  private final Optional<WriteSteps> steps;
  private final RegionFlusher flusher;
  private final RegionBulkLoads bulkLoads;
  private final FlushSelection flushSelection;
  private final long openSequence;
  private final UnflushedEdits unflushed;
  private final Optional<RegionFeed> feed;
  private final LongAdder blockedWrites = new LongAdder();
  private final DoubleSupplier flushPressure = this::flushPressure;

  Region(
      RegionInfo info,
      TableSchema schema,
      RegionContext context,
      RegionStores stores,
      ScratchDirectory scratch,
      long sequence,
      UnflushedEdits unflushed) {
    this.info = info;
    this.schema = schema;
    this.context = context;
    this.settings = context.settings().forTable(schema);
    this.stores = stores;
    this.scratch = scratch;
    this.openSequence = sequence;
    this.unflushed = unflushed;
    this.gate = new RegionGate(info);
    this.clock = context.stores().clock();
    this.mvcc = new Mvcc(sequence, clock);
    this.feed = feed(scratch.owner());
    var updates = new ReentrantReadWriteLock();
    this.scans = new OpenScans(mvcc, clock);
    this.reader = new RegionReader(info, stores, mvcc, clock, scans, gate);
    WriteParts parts = writeParts(updates.readLock());
    this.writer = new RegionWriter(parts);
    this.steps =
        parts.explicit().map(locks -> new RegionWriteSteps(parts, locks, gate, this::admit));
    this.flushSelection =
        new FlushSelection(stores, mvcc, settings.flushes(), settings.memStoreFlushBytes(), clock);
    this.flusher =
        new RegionFlusher(
            info,
            stores,
            flushSelection,
            scans,
            mvcc,
            context.wal(),
            unflushed,
            feed,
            updates.writeLock(),
            gate::isClosing,
            context.stores().listener(),
            context.stores().hook(),
            clock);
    this.bulkLoads =
        new RegionBulkLoads(
            info,
            stores,
            context,
            settings.constraints(),
            flusher,
            writer,
            new BulkLoadJournal(
                context.stores(), RegionDirectory.of(context.dataDirectory(), info), scratch),
            feed);
    context.stores().paces().flushes().watch(flushPressure);
  }

  private WriteParts writeParts(Lock updates) {
    long floor = TimestampAllocator.floor(stores.newestTimestamp(), clock);
    RowLocks rows = new RowLocks(settings.rowLockWaitMillis(), floor, clock);
    MutationCheck check = new MutationCheck(info, stores, schema.readOnly(), settings, clock);
    Optional<ExplicitRowLocks> explicit =
        context.inSteps()
            ? Optional.of(
                new ExplicitRowLocks(rows, check, mvcc, clock, settings.rowLockWaitMillis()))
            : Optional.empty();
    WriteCompletion completion = new WriteCompletion(info, mvcc, context.wal());
    return new WriteParts(
        reader,
        rows,
        explicit,
        new TimestampAllocator(clock),
        check,
        new MutationResolver(stores, check),
        new WriteDurability(defaultDurability(schema)),
        context.memory(),
        context.room(),
        new WriteStaging(info, stores, mvcc, context.wal(), updates, completion, feed),
        completion,
        clock);
  }

  private Optional<RegionFeed> feed(FencingToken owner) {
    boolean feeds =
        context.feeds().hasFeeds() && schema.regionReplication() > 1 && schema.replicatesMemStore();
    return feeds
        ? Optional.of(
            new RegionFeed(
                new RegionOwner(owner, openSequence), mvcc, context.wal(), context.feeds()))
        : Optional.empty();
  }

  /** Returns the logged changes for the replicas; empty if no replica follows the log. */
  public Optional<RegionFeed> feed() {
    return feed;
  }

  /**
   * Returns the numbers up to which the families are in store files; empty once the region closes.
   * The memstores of a closed region are empty, even if they were not flushed.
   */
  public Optional<FlushedNumbers> flushedNumbers() {
    if (!gate.tryEnter()) {
      return Optional.empty();
    }
    try {
      return Optional.of(FlushedNumbers.of(stores, mvcc));
    } finally {
      gate.leave();
    }
  }

  /** Returns this opening of the region. */
  public RegionOwner owner() {
    return new RegionOwner(scratch.owner(), openSequence);
  }

  /**
   * Opens a region as its latest owner: opens its stores, then replays and flushes its recovered
   * edits.
   *
   * @throws IllegalArgumentException if the schema asks for something that is not supported
   */
  public static Region open(RegionInfo info, TableSchema schema, RegionContext context)
      throws IOException {
    return open(info, schema, context, RecoveredNonces.IGNORED);
  }

  /**
   * As {@link #open(RegionInfo, TableSchema, RegionContext)}, and tells {@code nonces} which
   * numbered changes that log holds.
   */
  public static Region open(
      RegionInfo info, TableSchema schema, RegionContext context, RecoveredNonces nonces)
      throws IOException {
    try (RegionOpening opening = RegionOpening.read(info, schema, context, nonces)) {
      return opening.beginFlushed(Optional.empty());
    }
  }

  /**
   * As {@link #open(RegionInfo, TableSchema, RegionContext)}, for one of several owners.
   *
   * @throws FencedException if there is a later owner than {@code token}
   */
  public static Region open(
      RegionInfo info, TableSchema schema, RegionContext context, FencingToken token)
      throws IOException {
    try (RegionOpening opening =
        RegionOpening.read(info, schema, context, RecoveredNonces.IGNORED)) {
      return opening.beginFlushed(Optional.of(token));
    }
  }

  private static Durability defaultDurability(TableSchema schema) {
    Durability durability =
        schema.attribute("DURABILITY").map(Durability::valueOf).orElse(Durability.USE_DEFAULT);
    return durability == Durability.USE_DEFAULT ? Durability.SYNC_WAL : durability;
  }

  /** Returns the region's identity. */
  public RegionInfo info() {
    return info;
  }

  /** Returns the table's descriptor as of the region's opening. */
  public TableSchema schema() {
    return schema;
  }

  /**
   * Opens a read; the caller closes it. A request for a single row must belong to this region;
   * other requests read the part of their range that is in the region.
   *
   * @param budget limits the first call; also tells whether this method may wait
   */
  @CompiledApart("leads from the server to a region's reads")
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    if (budget.mayWait()) {
      reader.releaseUnneeded();
    }
    return reader.read(request, budget, gate.enter());
  }

  /**
   * Begins a write. It completes without its caller; the returned object tells the outcome.
   *
   * @return the write, or {@link PendingWrite#WOULD_WAIT} if it did not begin: {@code budget} does
   *     not allow its work, or the region is closing and the budget does not allow waiting. Then
   *     nothing is done, but the request may have timestamps
   * @throws IOException if the write is refused as a whole; nothing is done then
   */
  @CompiledApart("leads from the server to a region's writes")
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    if (budget.mayWait()) {
      gate.enter();
    } else if (!gate.tryEnter()) {
      return PendingWrite.WOULD_WAIT;
    }
    try {
      admit();
      return writer.write(request, budget);
    } finally {
      gate.leave();
    }
  }

  /**
   * Returns the region's writes in steps; empty unless its context asks for them ({@link
   * RegionContext#offeringSteps}).
   */
  public Optional<WriteSteps> steps() {
    return steps;
  }

  /** Writes all memstores to store files. Returns false if there was nothing to write. */
  public boolean flush() throws IOException {
    return flush(FlushScope.ALL);
  }

  @Override
  public boolean flush(FlushScope scope) throws IOException {
    if (scope instanceof FlushScope.Families named) {
      for (byte[] family : named.families()) {
        store(family);
      }
    }
    try (RegionGate.Visit visit = gate.enter()) {
      return flusher.flush(scope);
    }
  }

  /**
   * Moves store files from elsewhere in the region's storage into the region: all of them or none,
   * also after a crash.
   *
   * @throws dev.cairn.engine.store.LoadableFile.UnloadableFileException if a file fits into no
   *     region of the table; no file is loaded then
   */
  public BulkLoadOutcome bulkLoad(BulkLoadRequest request) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      context.wal().checkWritable();
      return bulkLoads.load(request);
    }
  }

  @Override
  public boolean hasRecoveredEdits() {
    return unflushed.exist();
  }

  /**
   * Returns the region's store files at one moment: all families, and rows that were loaded in bulk
   * together, are of that moment. Writes go on meanwhile.
   */
  public RegionSnapshot snapshot(RegionSnapshot.Memory memory) throws IOException {
    try (RegionGate.Visit visit = gate.enter();
        RegionFlusher.Hold hold = flusher.hold()) {
      if (memory == RegionSnapshot.Memory.FLUSH) {
        context.wal().checkWritable();
        hold.flush(0);
      }
      return RegionSnapshot.of(info, stores.all());
    }
  }

  @Override
  public boolean isFlushOverdue() {
    return flushSelection.isOverdue(flusher.flushedSequence());
  }

  /** As {@link #compact(byte[], boolean, Optional)}, of all families. */
  public void compact(boolean major) throws IOException {
    for (Store store : stores.all()) {
      compact(store, major, Optional.empty());
    }
  }

  @Override
  public void compact(byte[] family, boolean major, Optional<String> requester) throws IOException {
    compact(store(family), major, requester);
  }

  @Override
  public boolean isLargeCompaction(byte[] family, boolean major) {
    Store store = stores.find(family);
    return store != null && store.isLargeCompaction(major);
  }

  /** Returns the store of a family. */
  Store store(byte[] family) throws NoSuchFamilyException {
    for (Store store : stores.all()) {
      if (Arrays.equals(store.family().name(), family)) {
        return store;
      }
    }
    throw new NoSuchFamilyException(
        "No column family " + Bytes.utf8(family) + " in " + info.regionNameAsString());
  }

  /**
   * Tells whether a store has files that the policy would merge, or that can be dropped or removed,
   * or whether a bulk load is unfinished.
   */
  public boolean needsCompaction() {
    return !familiesToCompact().isEmpty();
  }

  @Override
  public List<byte[]> familiesToCompact() {
    List<byte[]> names = List.of();
    for (Store store : stores.all()) { // asked often, of all regions
      if (store.needsCompaction()) {
        names = names.isEmpty() ? new ArrayList<>() : names;
        names.add(store.family().name());
      }
    }
    if (names.isEmpty() && bulkLoads.hasUnfinished()) {
      return List.of(stores.all().get(0).family().name());
    }
    return names;
  }

  @Override
  public List<CompactionProgress> compactionProgress() {
    return stores.all().stream().flatMap(store -> store.compactions().stream()).toList();
  }

  @Override
  public boolean hasTooManyFiles() {
    return stores.all().stream().anyMatch(Store::hasTooManyFiles);
  }

  @Override
  public long flushedBytesInUse() {
    return stores.flushedBytesInUse();
  }

  @Override
  public long memStoreBytes() {
    return stores.memStoreBytes();
  }

  @Override
  public long storeFileBytes() {
    return stores.storeFileBytes();
  }

  @Override
  public RegionStatistics statistics() {
    return RegionStatistics.of(stores, openSequence, flusher.flushedSequence(), mvcc.readPoint());
  }

  @Override
  public long blockedWrites() {
    return blockedWrites.sum();
  }

  @Override
  public List<StoreFigures> storeFigures(long nowMillis) {
    return stores.all().stream().map(store -> store.figures(nowMillis)).toList();
  }

  @Override
  public Optional<StoreStatistics> storeStatistics(byte[] family) {
    return Optional.ofNullable(stores.find(family)).map(Store::statistics);
  }

  @Override
  public Optional<CompactionNeed> compactionNeed(byte[] family) {
    return Optional.ofNullable(stores.find(family)).map(Store::compactionNeed);
  }

  @Override
  public List<IndexBuild> indexBuilds() {
    return IndexBuild.of(schema, stores);
  }

  @Override
  public List<IndexUsage> indexUsage() {
    return IndexUsage.of(schema, stores, reader);
  }

  @Override
  public List<LargestRow> largestRows() {
    return stores.all().stream()
        .flatMap(
            store ->
                store.largestRows().stream()
                    .map(row -> new LargestRow(store.family().nameAsString(), row)))
        .toList();
  }

  @Override
  public List<Long> storeBytes() {
    return stores.all().stream().map(Store::fileBytes).toList();
  }

  @Override
  public boolean hasReferences() {
    return stores.all().stream().anyMatch(Store::hasReferences);
  }

  @Override
  public Optional<byte[]> splitPoint() throws IOException {
    return hasReferences() ? Optional.empty() : stores.middle(info::isWithin);
  }

  /** Returns the region's store files. */
  public RegionFiles files() {
    return new RegionFiles(stores.all());
  }

  public RegionContext context() {
    return context;
  }

  /** Returns the region's stores, to look at. */
  public List<Store> stores() {
    return stores.all();
  }

  /** Returns the sequence number up to which reads see everything. */
  public long readPoint() {
    return mvcc.readPoint();
  }

  /**
   * Stops taking requests, waits for running ones, flushes unless {@code abort}, stops compactions,
   * and closes. Closing twice does nothing.
   *
   * @return false if closing had begun before; then nothing was done
   * @throws IOException if the flush fails: then the region is open as before, and can be closed
   *     later or with {@code abort}
   */
  public boolean close(boolean abort) throws IOException {
    var left = gate.shut();
    if (left.isEmpty()) {
      return false;
    }
    clock.join(left.get());
    try {
      finish(abort);
      return true;
    } finally {
      gate.settle();
    }
  }

  private void finish(boolean abort) throws IOException {
    if (!abort) {
      stores.all().forEach(Store::stopCompactions);
      boolean flushed = false;
      try {
        finishLoads();
        flusher.flush(FlushScope.CLOSING);
        markFlushed();
        flushed = true;
      } finally {
        if (!flushed) {
          stores.all().forEach(Store::resumeCompactions);
          gate.reopen();
        }
      }
      context.wal().regionClosed(info.encodedName());
      writeFileList();
    }
    context.stores().paces().flushes().forget(flushPressure);
    feed.ifPresent(RegionFeed::close);
    stores.all().forEach(Store::close);
    scans.close();
    reader.releaseUnneeded();
    context.stores().listener().regionClosed(info.encodedName());
  }

  /**
   * Finishes earlier bulk loads if that has failed before. A region with unfinished ones can be
   * neither split nor merged.
   */
  private void finishLoads() {
    try {
      bulkLoads.finish();
    } catch (IOException e) {
      LOG.warn(
          "{} still has files of a bulk load that failed, or its record: {}", info, e.toString());
    }
  }

  /** Writes the list of store files. Without it, the next opening cannot detect missing files. */
  private void writeFileList() {
    stores.all().forEach(Store::endCompactions);
    var directory = RegionDirectory.of(context.dataDirectory(), info);
    try {
      new ClosedFiles(context.stores().storage(), directory).write(stores.all(), scratch);
    } catch (IOException e) {
      LOG.warn(
          "{} closes without a list of its store files, so its next opening cannot"
              + " detect missing files: {}",
          info,
          e.toString());
    }
  }

  private void markFlushed() throws IOException {
    long last = mvcc.lastBegun();
    if (!stores.haveFlushed(last)) {
      // Another owner may open the region after this check. The mark is true nevertheless: that
      // owner found the number in the log or in a file, and continues from it.
      scratch.check();
      var directory = RegionDirectory.of(context.dataDirectory(), info);
      new RecoveredEdits(context.stores().storage(), directory.path()).markFlushed(last);
    }
  }

  private void compact(Store store, boolean major, Optional<String> requester) throws IOException {
    if (bulkLoads.hasUnfinished() && gate.tryEnter()) { // a closing region finishes them itself
      try {
        finishLoads();
      } finally {
        gate.leave();
      }
    }
    boolean large = store.isLargeCompaction(major);
    boolean again = true;
    while (again) {
      clock.join(gate.settled());
      gate.check();
      int closings = gate.closings();
      boolean merged = store.compact(major, requester, mvcc.readPoint());
      // If closing stopped it, it must be repeated, or the caller must know that it was not done.
      // A thread of small compactions does not go on with a large one.
      again =
          merged
              ? !major && (large || !store.isLargeCompaction(false))
              : gate.closings() != closings;
    }
  }

  /**
   * Returns how much the region needs its flush: at half of its maximum memory, flushes are no
   * longer slowed, so that writes are not refused for a flush that could be faster.
   */
  private double flushPressure() {
    return 2.0 * stores.memStoreBytes() / settings.memStoreBlockingBytes();
  }

  private void admit() throws IOException {
    context.wal().checkWritable();
    long bytes = stores.memStoreBytes();
    if (bytes > settings.memStoreBlockingBytes()) {
      blockedWrites.increment();
      throw new RegionBusyException(
          "The memstores of "
              + info.regionNameAsString()
              + " hold "
              + bytes
              + " bytes, over the limit of "
              + settings.memStoreBlockingBytes()
              + "; it takes writes again when they have been flushed");
    }
  }

  @Override
  public String toString() {
    return info.regionNameAsString();
  }
}
