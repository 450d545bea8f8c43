package dev.cairn.engine.region.feed;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.probe.FollowMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.wal.Wal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A bounded queue of the latest logged changes of a region, in the order of their numbers, until
 * all replicas have them. A change may be sent once it is as durable as an acknowledged one and
 * visible to the region's own readers. So a replica never shows a change that a recovery loses, or
 * that the region does not show yet.
 *
 * <p>Adding never blocks. If there is no room, the oldest changes of this feed or of the largest
 * one are dropped; a replica gets a dropped change with the region's next flush. Changes that skip
 * the log are not in the feed.
 *
 * <p>Thread-safe. The lock is held only for a few instructions per change.
 */
public final class RegionFeed {
  private final RegionOwner owner;
  private final Mvcc mvcc;
  private final Wal wal;
  private final FeedMemory memory;

  // Guarded by this.
  private final ArrayDeque<Queued> queue = new ArrayDeque<>();
  private List<byte[]> frozen = List.of();
  private boolean isLoading;
  private boolean hasLoaded;
  private long droppedItems;

  /** The number of the change before the first one in the queue. */
  private long base;

  /** The memory of the changes in the queue, bytes. Written under the lock. */
  private volatile long queuedBytes;

  /** The number of the newest change. */
  private volatile long newest;

  private record Queued(FeedItem item, long txid) {}

  /**
   * Creates an empty feed.
   *
   * @param wal the log of the changes
   * @param memory limits the memory of the changes
   */
  public RegionFeed(RegionOwner owner, Mvcc mvcc, Wal wal, FeedMemory memory) {
    this.owner = owner;
    this.mvcc = mvcc;
    this.wal = wal;
    this.memory = memory;
    this.base = owner.openSequence();
    this.newest = base;
  }

  /** Returns the owner whose changes these are. */
  public RegionOwner owner() {
    return owner;
  }

  /**
   * Adds a change whose log entry has just been queued. Calls come in the order of the numbers.
   *
   * @param txid the log's txid of the entry
   */
  public void add(long sequence, long writeMillis, CellBuffer cells, long txid) {
    enqueue(sequence, writeMillis, cells, txid);
    memory.makeRoom();
  }

  private synchronized void enqueue(long sequence, long writeMillis, CellBuffer cells, long txid) {
    FeedItem item = new FeedItem(sequence, writeMillis, cells, hasLoaded || isLoading, frozen);
    frozen = List.of();
    hasLoaded = false;
    if (queue.isEmpty()) {
      memory.opened(this);
    }
    queue.addLast(new Queued(item, txid));
    newest = sequence;
    count(item.heapBytes());
    while (memory.isTooMuchForARegion(queuedBytes)) {
      dropFirst();
    }
  }

  private void dropFirst() {
    removeFirst();
    droppedItems++;
    memory.dropped();
    assert Marks.hit(FollowMark.FEED_DROPPED);
  }

  /** Drops the oldest changes, until at most half of the queued bytes are left. */
  synchronized void dropOlderHalf() {
    long half = queuedBytes / 2;
    while (queuedBytes > half) {
      dropFirst();
    }
  }

  long queuedBytes() {
    return queuedBytes;
  }

  /** Notes that a flush of some families begins, while no change is being added. */
  public synchronized void flushBegins(List<byte[]> families) {
    if (families.isEmpty()) {
      return;
    }
    // A table that is written without the log may be flushed many times between logged changes.
    List<byte[]> all = new ArrayList<>(frozen);
    for (byte[] family : families) {
      if (all.stream().noneMatch(known -> Arrays.equals(known, family))) {
        all.add(family);
      }
    }
    frozen = all;
  }

  /** Notes that bulk-loaded files become visible from now until {@link #loadEnds}. */
  public synchronized void loadBegins() {
    isLoading = true;
  }

  /** Notes that the files of {@link #loadBegins} are visible. */
  public synchronized void loadEnds() {
    isLoading = false;
    hasLoaded = true;
  }

  private void removeFirst() {
    FeedItem item = queue.removeFirst().item();
    count(-item.heapBytes());
    base = item.sequence();
  }

  private void count(long bytes) {
    queuedBytes += bytes;
    memory.add(bytes);
  }

  /** Removes all changes, because the region closes. */
  public void close() {
    trim(Long.MAX_VALUE);
    memory.closed(this);
  }

  /**
   * Tells whether the feed has every logged change after the number {@code after}. If not, a
   * replica gets the missing changes with a flush.
   */
  public synchronized boolean continuesAfter(long after) {
    return after >= base;
  }

  /** Tells whether {@link #take} returns changes. */
  public synchronized boolean isReadyAfter(long after) {
    if (newest <= after || after < base) {
      return false;
    }
    for (Queued queued : queue) {
      if (queued.item().sequence() > after) {
        return isReady(queued, mvcc.readPoint(), wal.durableTxid());
      }
    }
    return false;
  }

  private static boolean isReady(Queued queued, long readPoint, long durableTxid) {
    return queued.item().sequence() <= readPoint && queued.txid() <= durableTxid;
  }

  /**
   * Returns the changes after a number that may be sent, at least one if there is one.
   *
   * @param bytesMax limits the bytes of the changes after the first
   * @return empty if there are none, or if changes in between were dropped
   */
  public synchronized Optional<FeedBatch> take(long after, long bytesMax) {
    if (after < base) {
      return Optional.empty();
    }
    long readPoint = mvcc.readPoint();
    long durable = wal.durableTxid();
    long previous = base;
    long bytes = 0;
    List<FeedItem> taken = new ArrayList<>();
    for (Queued queued : queue) {
      FeedItem item = queued.item();
      if (item.sequence() <= after) {
        previous = item.sequence();
        continue;
      }
      bytes += item.cells().byteSize();
      if (!isReady(queued, readPoint, durable)) {
        assert Marks.hit(FollowMark.BATCH_BEFORE_UNREADY);
        break;
      }
      if (!taken.isEmpty() && bytes > bytesMax) {
        assert Marks.hit(FollowMark.BATCH_FULL);
        break;
      }
      taken.add(item);
    }
    return taken.isEmpty() ? Optional.empty() : Optional.of(new FeedBatch(owner, previous, taken));
  }

  /**
   * Returns the number of the newest change that may be sent, or of the last one that was removed:
   * a replica that has everything up to it is current.
   */
  public synchronized long readySequence() {
    long readPoint = mvcc.readPoint();
    long durable = wal.durableTxid();
    long ready = base;
    for (Queued queued : queue) {
      if (!isReady(queued, readPoint, durable)) {
        break;
      }
      ready = queued.item().sequence();
    }
    return ready;
  }

  /** Removes the changes up to a number, because all replicas have them. */
  public synchronized void trim(long upTo) {
    while (!queue.isEmpty() && queue.peekFirst().item().sequence() <= upTo) {
      removeFirst();
    }
  }

  /**
   * The state of a feed.
   *
   * @param queuedItems the number of changes in the queue
   * @param queuedBytes their memory, bytes
   * @param droppedItems the number of changes that were dropped for lack of room
   * @param oldestMillis when the oldest change in the queue was written, milliseconds since 1970;
   *     {@link Long#MAX_VALUE} without one
   */
  public record Figures(long queuedItems, long queuedBytes, long droppedItems, long oldestMillis) {}

  /** Returns the present state. */
  public synchronized Figures figures() {
    return new Figures(
        queue.size(),
        queuedBytes,
        droppedItems,
        queue.isEmpty() ? Long.MAX_VALUE : queue.peekFirst().item().writeMillis());
  }
}
