package dev.cairn.engine.region.follow;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.probe.FollowMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionOwner;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFollower;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds the changes of a replica that its region has logged and that are in no store file yet.
 *
 * <p>The replica has a number, {@link #sequence}: every logged change up to it is in its files or
 * in its memory. A batch is accepted only if it begins at or before this number, so nothing is
 * missing in between; changes up to the number are skipped. For each store, the memory has every
 * cell between its oldest cell and the number. Otherwise a deleted cell in memory could reappear:
 * its delete marker might be only in files, where a compaction drops it.
 *
 * <p>A change becomes visible as a whole: its cells are added above the read point, which then
 * advances. If files have raised the read point above the numbers of some changes of a batch, the
 * cells of these changes go into one extra segment for each store. Reads see these segments at the
 * same moment.
 *
 * <p>Cells leave the memory in the same step in which reads see the files that contain them. A
 * running read keeps the memory that it began with.
 *
 * <p>Thread-safe. The lock is not held over I/O.
 */
public final class FollowerMemory {
  /** The maximum segments of a store. At this number, late changes become visible cell by cell. */
  public static final int SEGMENTS_MAX = 16;

  private final RegionInfo info;
  private final List<StoreFollower> followers;
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final MemStoreRoom room;
  private final Clock clock;

  // Guarded by this.
  private Optional<RegionOwner> owner = Optional.empty();

  private volatile long sequence = -1;

  /**
   * Creates an empty memory.
   *
   * @param stores the stores of {@code followers}
   * @param mvcc the read point of the replica
   * @param room the memory that all memstores of the server share
   */
  public FollowerMemory(
      RegionInfo info,
      List<StoreFollower> followers,
      RegionStores stores,
      Mvcc mvcc,
      MemStoreRoom room,
      Clock clock) {
    this.info = info;
    this.followers = List.copyOf(followers);
    this.stores = stores;
    this.mvcc = mvcc;
    this.room = room;
    this.clock = clock;
  }

  /**
   * Returns the number up to which the replica has every logged change; -1 before it has the
   * owner's flushed numbers.
   */
  public long sequence() {
    return sequence;
  }

  /**
   * Adds the changes that the replica does not have yet, and lets reads see them.
   *
   * @throws FeedGapException if changes before them are missing; nothing is added
   * @throws FormerOwnerException if they come from an earlier owner; nothing is added
   * @throws dev.cairn.engine.region.state.RegionBusyException if there is no memory; nothing is
   *     added
   */
  public synchronized void apply(FeedBatch batch) throws IOException {
    check(batch);
    List<FeedItem> items = new ArrayList<>();
    long bytes = 0;
    for (FeedItem item : batch.items()) {
      if (item.sequence() > sequence) {
        checkRows(item.cells());
        items.add(item);
        bytes += WriteRequest.memStoreBytes(item.cells());
      } else {
        assert Marks.hit(FollowMark.CHANGE_KNOWN);
      }
    }
    if (items.isEmpty()) {
      return;
    }
    room.reserveForReplica(bytes);
    LateChanges late = new LateChanges(stores);
    for (FeedItem item : items) {
      add(item, late);
    }
    show(late);
  }

  private void show(LateChanges late) {
    sequence = Math.max(sequence, late.show());
  }

  /** Checks the owner and the numbers of a batch as {@link #apply} does. Adds nothing. */
  public synchronized void check(FeedBatch batch) throws IOException {
    follow(batch.owner());
    if (batch.previous() > sequence) {
      assert Marks.hit(FollowMark.GAP);
      throw new FeedGapException(
          "%s has the changes up to %d, and got those after %d"
              .formatted(info.regionNameAsString(), sequence, batch.previous()));
    }
  }

  private void checkRows(CellBuffer cells) throws WrongRowException {
    if (info.startKey().length == 0 && info.endKey().length == 0) {
      return;
    }
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      if (stores.find(cell) != null && !info.contains(cell.row())) {
        throw new WrongRowException("A row is not in the region " + info.regionNameAsString());
      }
    }
  }

  private void add(FeedItem item, LateChanges late) {
    if (!item.frozen().isEmpty()) {
      assert Marks.hit(FollowMark.MEMORY_FROZEN);
      show(late); // A flush drops whole segments.
      item.frozen().stream()
          .map(stores::find)
          .filter(store -> store != null)
          .forEach(Store::freeze);
    }
    long now = clock.currentTimeMillis();
    boolean isLate = item.sequence() <= mvcc.readPoint();
    boolean isFull = isLate && late.isEmpty() && segments() >= SEGMENTS_MAX;
    assert Marks.hitIf(isFull, FollowMark.SEGMENTS_FULL);
    if (isLate && !isFull) {
      assert Marks.hit(FollowMark.CHANGE_LATE);
      late.begin(item.sequence());
      forEachNeeded(item, (store, cell) -> late.add(store, cell, now));
      return;
    }
    show(late);
    if (isNeededAsAWhole(item)) {
      assert Marks.hit(FollowMark.CHANGE_WHOLE);
      stores.add(item.cells(), Nonce.NONE, item.sequence(), now);
    } else {
      assert Marks.hit(FollowMark.CHANGE_IN_PART);
      forEachNeeded(item, (store, cell) -> stores.all().get(store).add(cell, item.sequence(), now));
    }
    sequence = item.sequence();
    mvcc.advance(item.sequence());
  }

  private int segments() {
    return stores.all().stream().mapToInt(store -> store.view().segments().size()).max().orElse(0);
  }

  /** Tells whether all cells belong to stores of the region and are in no file. */
  private boolean isNeededAsAWhole(FeedItem item) {
    for (StoreFollower follower : followers) {
      if (item.sequence() <= follower.flushedSequence()) {
        return false;
      }
    }
    Cell cell = new Cell();
    for (int i = 0; i < item.cells().size(); i++) {
      if (stores.find(item.cells().get(i, cell, 0)) == null) {
        return false;
      }
    }
    return true;
  }

  private interface CellOfStore {
    void take(int store, Cell cell);
  }

  /** Hands out the cells that are in no file, each with the index of its store. */
  private void forEachNeeded(FeedItem item, CellOfStore receiver) {
    Cell cell = new Cell();
    for (int i = 0; i < item.cells().size(); i++) {
      Store store = stores.find(item.cells().get(i, cell, item.sequence()));
      int index = store == null ? -1 : stores.all().indexOf(store);
      if (index >= 0 && item.sequence() > followers.get(index).flushedSequence()) {
        receiver.take(index, cell);
      }
    }
  }

  /**
   * Lets reads see the files that were found, and drops the cells in memory that these files
   * contain.
   *
   * @param news the changed files of the stores
   * @param told the numbers up to which the stores are in files, read before the files were listed;
   *     empty if the region's owner did not send them
   * @throws FormerOwnerException if the numbers come from an earlier owner; then only the files
   *     change
   */
  public synchronized void show(List<StoreFollower.News> news, Optional<Flushed> told)
      throws FormerOwnerException {
    boolean isFormer = told.isPresent() && isFormer(told.get().owner());
    if (told.isPresent() && !isFormer) {
      follow(told.get().owner());
      for (StoreFollower follower : followers) {
        follower.flushedUpTo(told.get().numbers().of(follower.store().family().name()));
      }
    }
    // First the read point, then the files: a compaction may have dropped what reads at the
    // earlier point would have to see.
    mvcc.advance(news.stream().mapToLong(StoreFollower.News::maxCellSequence).max().orElse(0));
    stores.publishTogether(
        () -> {
          news.forEach(StoreFollower.News::show);
          followers.forEach(StoreFollower::dropFlushed);
        });
    if (isFormer) {
      throw former(told.get().owner());
    }
    told.ifPresent(flushed -> sequence = Math.max(sequence, flushed.numbers().ofRegion()));
  }

  /**
   * A message of a region's owner about its store files.
   *
   * @param numbers the numbers up to which the families are in store files
   */
  public record Flushed(RegionOwner owner, FlushedNumbers numbers) {}

  private boolean isFormer(RegionOwner sender) {
    return owner.isPresent() && sender.token().compareTo(owner.get().token()) < 0;
  }

  private FormerOwnerException former(RegionOwner sender) {
    assert Marks.hit(FollowMark.FORMER_OWNER);
    return new FormerOwnerException(
        "%s follows the owner %s, not the earlier owner %s"
            .formatted(info.regionNameAsString(), owner.get().token(), sender.token()));
  }

  /** Begins to follow an owner, unless it is the present one. */
  private void follow(RegionOwner sender) throws FormerOwnerException {
    if (owner.isPresent() && owner.get().equals(sender)) {
      return;
    }
    if (isFormer(sender)) {
      throw former(sender);
    }
    assert Marks.hitIf(owner.isPresent(), FollowMark.NEXT_OWNER);
    // Higher numbers of earlier owners were in no log and no file, and are given out again.
    sequence = Math.min(sequence, sender.openSequence());
    followers.forEach(follower -> follower.capFlushed(sender.openSequence()));
    owner = Optional.of(sender);
  }
}
