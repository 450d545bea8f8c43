package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.wal.RecoveredEdits;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

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
public final class Region {
  private final RegionInfo info;
  private final TableSchema schema;
  private final RegionEnvironment environment;
  private final RegionSettings settings;
  private final RegionStores stores;
  private final RegionGate gate;
  private final Mvcc mvcc;
  private final RegionReader reader;
  private final RegionWriter writer;
  private final RegionFlusher flusher;
  private final long openSequence;
  private volatile long lastFlushMillis;

  Region(
      RegionInfo info,
      TableSchema schema,
      RegionEnvironment environment,
      RegionStores stores,
      long sequence) {
    this.info = info;
    this.schema = schema;
    this.environment = environment;
    this.settings = environment.settings().of(schema);
    this.stores = stores;
    this.openSequence = sequence;
    this.gate = new RegionGate(info);
    this.mvcc = new Mvcc(sequence);
    var clock = environment.stores().clock();
    var updates = new ReentrantReadWriteLock();
    this.reader = new RegionReader(info, stores, mvcc, clock);
    this.writer =
        new RegionWriter(
            info,
            stores,
            reader,
            mvcc,
            environment.wal(),
            clock,
            updates.readLock(),
            settings,
            schema.readOnly(),
            defaultDurability(schema));
    this.flusher =
        new RegionFlusher(
            info.encodedName(),
            stores,
            mvcc,
            environment.wal(),
            updates.writeLock(),
            environment.stores().listener(),
            clock);
    this.lastFlushMillis = clock.currentTimeMillis();
  }

  /**
   * Opens a region: its stores, then what a dead server's log left for it.
   *
   * @throws IllegalArgumentException if the schema asks for something that is not supported
   */
  public static Region open(RegionInfo info, TableSchema schema, RegionEnvironment environment)
      throws IOException {
    return open(info, schema, environment, RecoveredNonces.IGNORED);
  }

  /**
   * As {@link #open(RegionInfo, TableSchema, RegionEnvironment)}, and tells {@code nonces} which
   * numbered changes that log holds.
   */
  public static Region open(
      RegionInfo info, TableSchema schema, RegionEnvironment environment, RecoveredNonces nonces)
      throws IOException {
    return new RegionOpening(info, schema, environment, nonces).open();
  }

  private static Durability defaultDurability(TableSchema schema) {
    Durability durability =
        schema.attribute("DURABILITY").map(Durability::valueOf).orElse(Durability.USE_DEFAULT);
    return durability == Durability.USE_DEFAULT ? Durability.SYNC_WAL : durability;
  }

  /** Returns which region this is. */
  public RegionInfo info() {
    return info;
  }

  /** Returns the table's descriptor as of the region's opening. */
  public TableSchema schema() {
    return schema;
  }

  /** Opens a scan. The caller closes it. */
  public RegionScanner scan(ScanRequest request) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      return new GuardedScanner(reader.scan(request), gate);
    }
  }

  /** Reads one row, {@code request.startRow()}, and appends its cells to {@code out}. */
  public void get(ScanRequest request, CellBuffer out) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      reader.get(request, out);
    }
  }

  /**
   * Applies mutations of any rows, each row's on its own: one may be refused and the others done.
   * Returns once all that is done is as safe as asked.
   *
   * @return one outcome per mutation, in the same order
   */
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      admit();
      return writer.write(batch);
    }
  }

  /**
   * Applies mutations (of one row, or of several rows of this region) all together or not at all.
   *
   * @return the new cells of increments and appends whose result is wanted, in the mutations' order
   */
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      admit();
      return writer.writeAtomically(mutations);
    }
  }

  /**
   * Applies mutations of one row together, if {@code condition} holds at that moment.
   *
   * @return empty if it does not hold; else as {@link #mutateAtomically}
   */
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      admit();
      return writer.checkAndWrite(condition, mutations);
    }
  }

  /**
   * Applies mutations of any rows of this region together, if all {@code conditions}, each of any
   * row of this region, hold at one moment. Without conditions as {@link #mutateAtomically}.
   *
   * @return empty if one does not hold; else as {@link #mutateAtomically}
   */
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      admit();
      return writer.checkAndWrite(conditions, mutations);
    }
  }

  /** Writes all memstores to store files. Returns false if there was nothing to write. */
  public boolean flush() throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      return flushNow();
    }
  }

  /**
   * Merges store files; all of every store, if {@code major}. Returns once done.
   *
   * @throws RegionClosedException also if closing has begun meanwhile
   */
  public void compact(boolean major) throws IOException {
    for (Store store : stores.all()) {
      compact(store, major);
    }
  }

  /** As {@link #compact(boolean)}, of one family. */
  public void compact(byte[] family, boolean major) throws IOException {
    for (Store store : stores.all()) {
      if (java.util.Arrays.equals(store.family().name(), family)) {
        compact(store, major);
        return;
      }
    }
    throw new NoSuchFamilyException(
        "No column family "
            + new String(family, java.nio.charset.StandardCharsets.UTF_8)
            + " in "
            + info.regionNameAsString());
  }

  /** Tells whether a store has files that the policy would merge. */
  public boolean needsCompaction() {
    return stores.all().stream().anyMatch(Store::needsCompaction);
  }

  /** Returns the heap that the memstores take, bytes. */
  public long memStoreBytes() {
    return stores.memStoreBytes();
  }

  /** Returns sizes and counts, without reading from storage. */
  public RegionStatistics statistics() {
    int files = 0;
    int mostFiles = 0;
    long bytes = 0;
    long uncompressed = 0;
    long oldestMajor = Long.MAX_VALUE;
    for (Store store : stores.all()) {
      List<StoreFile> own = store.view().files();
      files += own.size();
      mostFiles = Math.max(mostFiles, own.size());
      for (StoreFile file : own) {
        bytes += file.length();
        uncompressed += file.uncompressedLength();
        if (file.majorCompactionMillis() > 0) {
          oldestMajor = Math.min(oldestMajor, file.majorCompactionMillis());
        }
      }
    }
    return new RegionStatistics(
        stores.all().size(),
        files,
        mostFiles,
        bytes,
        uncompressed,
        stores.memStoreBytes(),
        openSequence,
        flusher.flushedSequence(),
        lastFlushMillis,
        oldestMajor == Long.MAX_VALUE ? 0 : oldestMajor);
  }

  /** Tells whether some of the region's cells lie in files of the region it was split from. */
  public boolean hasReferences() {
    return stores.all().stream().anyMatch(Store::hasReferences);
  }

  RegionEnvironment environment() {
    return environment;
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
    if (!gate.shut()) {
      return false;
    }
    if (!abort) {
      stores.all().forEach(Store::stopCompactions);
      boolean flushed = false;
      try {
        flushNow();
        markFlushed();
        flushed = true;
      } finally {
        if (!flushed) {
          stores.all().forEach(Store::resumeCompactions);
          gate.reopen();
        }
      }
      environment.wal().regionClosed(info.encodedName());
    }
    stores.all().forEach(Store::close);
    environment.stores().listener().regionClosed(info.encodedName());
    return true;
  }

  private void markFlushed() throws IOException {
    long last = mvcc.lastBegun();
    if (!stores.haveFlushed(last)) {
      var directory = RegionDirectory.of(environment.dataDirectory(), info);
      new RecoveredEdits(environment.stores().storage(), directory.path()).markFlushed(last);
    }
  }

  private boolean flushNow() throws IOException {
    boolean flushed = flusher.flush();
    if (flushed) {
      lastFlushMillis = environment.stores().clock().currentTimeMillis();
    }
    return flushed;
  }

  private void compact(Store store, boolean major) throws IOException {
    boolean again = true;
    while (again) {
      gate.check();
      again = store.compact(major, mvcc.readPoint()) && !major;
    }
    // If closing stopped the compaction, the caller has to know that it was not done.
    gate.check();
  }

  private void admit() throws IOException {
    environment.wal().checkWritable();
    long bytes = stores.memStoreBytes();
    if (bytes > settings.memStoreBlockingBytes()) {
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
