package dev.cairn.engine.region;

import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.follow.FollowerMemory;
import dev.cairn.engine.region.read.OpenScans;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.CompactionNeed;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.engine.store.StoreFollower;
import dev.cairn.engine.store.StoreStatistics;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.OneAtATime;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A region that is only read, while another server may own it. Changes nothing in storage. {@link
 * RegionOpening#follow} opens it.
 *
 * <p>Reads see the store files as of the opening or the last {@link #refresh}, and the changes that
 * {@link #apply} has added since. Without the latter, reads see changes in the owner's memory or
 * recovered edits only after the owner's next flush. Each family is then as of its own last flush,
 * so a row may lack the part of a write that belongs to another family. The owner archives files
 * that it has merged; they stay open here until the next refresh, and for the reads that use them.
 *
 * <p>Thread-safe.
 */
public final class ReadOnlyRegion implements RegionFigures, Closeable {
  private final RegionInfo info;
  private final TableSchema schema;
  private final List<StoreFollower> followers;
  private final boolean followsLog;
  private final FollowerMemory memory;
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final OpenScans scans;
  private final RegionReader reader;
  private final RegionGate gate;
  private final Clock clock;
  private final RegionFiles files;
  private final OneAtATime looks;
  private final long openSequence;

  ReadOnlyRegion(
      RegionInfo info,
      TableSchema schema,
      List<StoreFollower> followers,
      MemStoreRoom room,
      boolean followsLog,
      Clock clock) {
    this.info = info;
    this.schema = schema;
    this.followers = followers;
    this.followsLog = followsLog;
    this.stores = new RegionStores(followers.stream().map(StoreFollower::store).toList());
    this.clock = clock;
    this.looks = new OneAtATime(clock);
    long newest = stores.all().stream().mapToLong(Store::maxCellSequence).max().orElse(0);
    this.openSequence = newest;
    this.files = new RegionFiles(stores.all());
    this.mvcc = new Mvcc(newest, clock);
    this.memory = new FollowerMemory(info, followers, stores, mvcc, room, clock);
    this.scans = new OpenScans(mvcc, clock);
    this.gate = new RegionGate(info);
    this.reader = new RegionReader(info, stores, mvcc, clock, scans, gate);
  }

  /** Returns the region's identity; it may be a replica. */
  public RegionInfo info() {
    return info;
  }

  /** Returns the table's descriptor as of the opening. */
  public TableSchema schema() {
    return schema;
  }

  /** Tells whether the region's owner is expected to send its log. */
  public boolean followsLog() {
    return followsLog;
  }

  /** Opens a read as {@link Region#read} does. */
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    if (budget.mayWait()) {
      reader.releaseUnneeded();
    }
    return reader.read(request, budget, gate.enter());
  }

  /**
   * Adds changes that the owner has logged, and lets reads see them. Refreshes the files before
   * each change that follows a bulk load.
   *
   * @throws dev.cairn.engine.region.follow.FeedGapException if changes before them are missing;
   *     nothing is added
   * @throws dev.cairn.engine.region.state.RegionBusyException if there is no memory for them;
   *     nothing is added
   * @throws RegionClosedException if the region is closed
   */
  public void apply(FeedBatch batch) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      for (FeedBatch part : batch.splitAtLoads()) {
        if (part.items().get(0).isAfterLoad() && part.lastSequence() > memory.sequence()) {
          memory.check(part);
          refresh();
        }
        memory.apply(part);
      }
    }
  }

  /**
   * Returns the number up to which the region has every logged change of its owner; -1 before it
   * has the owner's flushed numbers.
   */
  public long followedSequence() {
    return memory.sequence();
  }

  /**
   * Takes over the store files that the owner has now. Running reads keep theirs. If it fails, the
   * region has the files that it had before.
   *
   * @return whether the files have changed
   * @throws RegionClosedException if the region is closed
   */
  public boolean refresh() throws IOException {
    return refresh(Optional.empty());
  }

  /** As {@link #refresh()}, and drops the memory that is in files according to the owner. */
  public boolean refresh(FollowerMemory.Flushed told) throws IOException {
    return refresh(Optional.of(told));
  }

  private boolean refresh(Optional<FollowerMemory.Flushed> told) throws IOException {
    while (!looks.tryBegin()) {
      looks.awaitEnd();
    }
    try {
      return look(told);
    } finally {
      looks.end();
    }
  }

  private boolean look(Optional<FollowerMemory.Flushed> told) throws IOException {
    List<StoreFollower.News> news = new ArrayList<>();
    try (RegionGate.Visit visit = gate.enter()) {
      for (StoreFollower follower : followers) {
        follower.look().ifPresent(news::add);
      }
      memory.show(news, told);
    } finally {
      news.forEach(StoreFollower.News::close);
    }
    reader.releaseUnneeded();
    return !news.isEmpty();
  }

  /** Returns the store files that reads see. */
  public RegionFiles files() {
    return files;
  }

  /** Returns the heap of changes that are in no file, bytes. */
  public long memStoreBytes() {
    return stores.memStoreBytes();
  }

  /** Returns the heap of flushed changes that running reads still use, bytes. */
  public long flushedBytesInUse() {
    return stores.flushedBytesInUse();
  }

  /** Returns sizes and counts. */
  @Override
  public RegionStatistics statistics() {
    long point = readPoint();
    return RegionStatistics.of(stores, openSequence, point, point);
  }

  @Override
  public long storeFileBytes() {
    return stores.storeFileBytes();
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

  /** Returns nothing: a replica neither flushes nor compacts. */
  @Override
  public List<LargestRow> largestRows() {
    return List.of();
  }

  /** Returns the region's stores, to look at. */
  public List<Store> stores() {
    return stores.all();
  }

  /** Returns the sequence number up to which reads see cells. */
  public long readPoint() {
    return mvcc.readPoint();
  }

  /** Ends all reads and closes the files. Closing twice does nothing. */
  @Override
  public void close() {
    var left = gate.shut();
    if (left.isEmpty()) {
      return;
    }
    clock.join(left.get());
    followers.forEach(StoreFollower::close);
    scans.close();
    reader.releaseUnneeded();
    gate.settle();
  }
}
