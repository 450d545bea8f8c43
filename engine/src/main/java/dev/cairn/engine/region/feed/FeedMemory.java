package dev.cairn.engine.region.feed;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of the feeds of a server's regions. A feed that exceeds the limit of a region
 * drops its oldest changes. If all feeds together exceed the total limit, the largest feeds drop
 * changes. A region whose replicas are current therefore keeps its changes, even if the replicas of
 * other regions cannot be reached.
 *
 * <p>Thread-safe.
 */
public final class FeedMemory {
  /** For regions whose replicas do not follow the log. */
  public static final FeedMemory NONE = new FeedMemory(0, 0);

  /** When the memory is full, one part in this many is freed at once. */
  private static final int FREED_PART = 16;

  private final long regionBytesMax;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong droppedItems = new AtomicLong();

  /** The feeds that had changes and are not closed. */
  private final Set<RegionFeed> feeds = ConcurrentHashMap.newKeySet();

  /**
   * Creates an empty memory.
   *
   * @param regionBytesMax the maximum memory of one feed, bytes; 0 if there are no feeds
   * @param bytesMax the maximum memory of all feeds, bytes
   */
  public FeedMemory(long regionBytesMax, long bytesMax) {
    this.regionBytesMax = regionBytesMax;
    this.bytesMax = bytesMax;
  }

  /** Tells whether regions with replicas have feeds. */
  public boolean hasFeeds() {
    return regionBytesMax > 0;
  }

  /** Returns the memory that all feeds take, bytes. */
  public long bytes() {
    return bytes.get();
  }

  /** Returns the number of changes that all feeds have dropped for lack of room. */
  public long droppedItems() {
    return droppedItems.get();
  }

  void dropped() {
    droppedItems.incrementAndGet();
  }

  void add(long more) {
    bytes.addAndGet(more);
  }

  void opened(RegionFeed feed) {
    feeds.add(feed);
  }

  void closed(RegionFeed feed) {
    feeds.remove(feed);
  }

  boolean isTooMuchForARegion(long ofRegion) {
    return ofRegion > regionBytesMax;
  }

  /**
   * Drops changes of the largest feeds if all feeds together exceed the limit. The caller must not
   * hold the lock of any feed.
   */
  void makeRoom() {
    if (bytes.get() <= bytesMax) {
      return;
    }
    long goal = bytesMax - bytesMax / FREED_PART;
    RegionFeed largest = largest();
    while (largest != null && bytes.get() > goal) {
      largest.dropOlderHalf();
      largest = largest();
    }
  }

  /** Returns the largest feed; null if none has changes. */
  private RegionFeed largest() {
    RegionFeed largest = null;
    long most = 0;
    for (RegionFeed feed : feeds) {
      long size = feed.queuedBytes();
      if (size > most) {
        most = size;
        largest = feed;
      }
    }
    return largest;
  }
}
