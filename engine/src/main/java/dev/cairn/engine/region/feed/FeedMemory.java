package dev.cairn.engine.region.feed;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of the feeds of a server's regions. A feed that exceeds a limit drops its
 * oldest changes. Thread-safe.
 */
public final class FeedMemory {
  /** For regions whose replicas do not follow the log. */
  public static final FeedMemory NONE = new FeedMemory(0, 0);

  private final long regionBytesMax;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong droppedItems = new AtomicLong();

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

  boolean isTooMuch(long ofRegion) {
    return ofRegion > regionBytesMax || bytes.get() > bytesMax;
  }
}
