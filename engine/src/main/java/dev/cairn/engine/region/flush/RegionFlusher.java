package dev.cairn.engine.region.flush;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.read.OpenScans;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.OneAtATime;
import dev.cairn.engine.wal.Wal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a region's memstores to store files, one flush at a time, while reads and writes go on.
 *
 * <p>A flush may take some families and leave others. Each file records up to which number its
 * family is flushed ({@link Store#flushedSequence}); the log is told the number up to which all
 * families are, so that it keeps the entries of families that are still in memory.
 */
public final class RegionFlusher {
  private static final Logger LOG = LoggerFactory.getLogger(RegionFlusher.class);

  private final RegionInfo info;
  private final String region; // its encoded name
  private final RegionStores stores;
  private final FlushSelection selection;
  private final OpenScans scans;
  private final Mvcc mvcc;
  private final Wal wal;
  private final UnflushedEdits unflushed;
  private final Optional<RegionFeed> feed;
  private final Lock exclusiveUpdates;
  private final BooleanSupplier hurry;
  private final EngineListener listener;
  private final StoreFileHook hook;
  private final Clock clock;
  private final OneAtATime runs;
  private volatile long flushedSequence;

  /**
   * Creates a flusher.
   *
   * @param scans the open scans, which continue in the new files
   * @param unflushed the recovered edits that are in the stores' memory
   * @param feed gets the families of each flush that begins; empty if no replica follows the log
   * @param exclusiveUpdates excludes all writes to the memstores
   * @param hurry tells whether a flush must be as fast as possible, whatever the write rate
   * @param hook sees the flushes
   */
  public RegionFlusher(
      RegionInfo info,
      RegionStores stores,
      FlushSelection selection,
      OpenScans scans,
      Mvcc mvcc,
      Wal wal,
      UnflushedEdits unflushed,
      Optional<RegionFeed> feed,
      Lock exclusiveUpdates,
      BooleanSupplier hurry,
      EngineListener listener,
      StoreFileHook hook,
      Clock clock) {
    this.info = info;
    this.region = info.encodedName();
    this.stores = stores;
    this.selection = selection;
    this.scans = scans;
    this.mvcc = mvcc;
    this.wal = wal;
    this.unflushed = unflushed;
    this.feed = feed;
    this.exclusiveUpdates = exclusiveUpdates;
    this.hurry = hurry;
    this.listener = listener;
    this.hook = hook;
    this.clock = clock;
    this.runs = new OneAtATime(clock);
    this.flushedSequence = flushedWithout(List.of(), mvcc.readPoint());
  }

  /** Returns the highest number up to which all writes since the opening are in store files. */
  public long flushedSequence() {
    return flushedSequence;
  }

  /**
   * Flushes the stores that {@code scope} selects. If it fails, the unflushed cells stay in memory
   * and in the log, and the next flush writes them.
   *
   * @return whether there was anything to write
   */
  public boolean flush(FlushScope scope) throws IOException {
    try (Hold hold = hold()) {
      return write(scope);
    }
  }

  /** Keeps other flushes from beginning until its holder closes it. */
  public final class Hold implements AutoCloseable {
    private Hold() {}

    /**
     * Flushes all stores.
     *
     * @param above the returned number is higher
     * @return a sequence number that no write has: all writes with lower numbers are in files, and
     *     all later writes have higher numbers
     */
    public long flush(long above) throws IOException {
      long[] number = new long[1];
      write(FlushScope.ALL, () -> number[0] = ownNumber(above));
      return number[0];
    }

    @Override
    public void close() {
      runs.end();
    }
  }

  /**
   * Waits for a running flush, then keeps flushes from beginning until the returned object is
   * closed.
   */
  public Hold hold() {
    while (!runs.tryBegin()) {
      runs.awaitEnd();
    }
    return new Hold();
  }

  /** Takes a sequence number that no write has, higher than {@code above}. */
  private long ownNumber(long above) throws IOException {
    Mvcc.Write write = mvcc.begin(above);
    mvcc.complete(write);
    return write.number();
  }

  private boolean write(FlushScope scope) throws IOException {
    return write(scope, mvcc::lastBegun);
  }

  /** Returns the highest number of the writes to flush. Called while no write begins. */
  private interface LastNumber {
    long take() throws IOException;
  }

  private boolean write(FlushScope scope, LastNumber last) throws IOException {
    List<Store> chosen = selection.select(scope);
    if (hook == StoreFileHook.NONE || scope == FlushScope.CLOSING) {
      return write(chosen, last) > 0;
    }
    List<FamilySchema> families = chosen.stream().map(Store::family).toList();
    hook.flushBegins(info, families);
    OptionalInt files = OptionalInt.empty();
    try {
      files = OptionalInt.of(write(chosen, last));
      return files.getAsInt() > 0;
    } finally {
      tellEnd(families, files);
    }
  }

  private void tellEnd(List<FamilySchema> families, OptionalInt files) {
    try {
      hook.flushEnds(info, families, files);
    } catch (RuntimeException | LinkageError e) { // the region is not affected
      LOG.warn("A hook failed after a flush of {}", info, e);
    }
  }

  /** Writes the chosen stores; returns the number of files. */
  private int write(List<Store> chosen, LastNumber last) throws IOException {
    long bytes = chosen.stream().mapToLong(Store::memStoreDataBytes).sum();
    if (bytes > 0) {
      wal.checkWritable(); // or the freezing would be in vain
    }
    long begun = clock.nanoTime();
    long sequence;
    long flushed;
    exclusiveUpdates.lock();
    try {
      chosen.forEach(Store::freeze);
      sequence = last.take();
      flushed = flushedWithout(chosen, sequence);
      feed.ifPresent(replicas -> replicas.flushBegins(names(chosen)));
    } finally {
      exclusiveUpdates.unlock();
    }
    if (bytes > 0) {
      listener.flushBegun(region, bytes);
    }
    int files = 0;
    long fileBytes = 0;
    try {
      mvcc.await(sequence);
      if (bytes > 0) {
        // Writes that did not wait for the log: where one family's file is written and another's
        // not, or not yet, the log has the rest of their rows.
        wal.sync(wal.lastTxid());
      }
      try (OpenScans.Flush flush = scans.beginFlush()) {
        for (Store store : chosen) {
          long length = store.flush(sequence, flush.oldest(), hurry);
          scans.releaseFlushed();
          files += length > 0 ? 1 : 0;
          fileBytes += length;
        }
      }
    } catch (IOException | RuntimeException e) {
      listener.flushFailed(region, e);
      throw e;
    }
    flushedSequence = Math.max(flushedSequence, flushed);
    wal.flushed(region, flushedSequence);
    unflushed.flushed(flushedSequence, stores);
    if (files > 0) {
      listener.flushEnded(region, files, fileBytes, clock.nanoTime() - begun);
    }
    return files;
  }

  private static List<byte[]> names(List<Store> stores) {
    return stores.stream().map(store -> store.family().name()).toList();
  }

  /** Returns up to where all families are in files, once the chosen ones are. */
  private long flushedWithout(List<Store> chosen, long sequence) {
    long flushed = sequence;
    for (Store store : stores.all()) {
      if (!chosen.contains(store)) {
        flushed = Math.min(flushed, store.oldestUnflushedSequence() - 1);
      }
    }
    return flushed;
  }
}
