package dev.cairn.engine.region;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.wal.Wal;

/**
 * The context that a server passes to each of its regions.
 *
 * @param dataDirectory directory of tables below the storage's root: {@code data}
 * @param wal the server's log
 * @param stores context of the stores, with storage, clock and listener
 * @param settings the numbers
 * @param memory lends writes the memory for cells that they read
 * @param room the memory for cells of increments and appends that exceed those of their requests;
 *     the caller of the region reserves the memory of the requests
 * @param inSteps whether the regions offer their writes in steps, too ({@link Region#steps})
 * @param replayHook sees recovered edits
 * @param feeds the memory of the changes that regions keep for their replicas; with {@link
 *     FeedMemory#NONE}, replicas do not follow the log
 */
public record RegionContext(
    String dataDirectory,
    Wal wal,
    StoreContext stores,
    RegionSettings settings,
    MemoryAccount memory,
    MemStoreRoom room,
    boolean inSteps,
    ReplayHook replayHook,
    FeedMemory feeds) {
  /** Creates a context in which replicas do not follow the log, and writes have no steps. */
  public RegionContext(
      String dataDirectory,
      Wal wal,
      StoreContext stores,
      RegionSettings settings,
      MemoryAccount memory,
      MemStoreRoom room) {
    this(
        dataDirectory,
        wal,
        stores,
        settings,
        memory,
        room,
        false,
        ReplayHook.NONE,
        FeedMemory.NONE);
  }

  /** Creates a context without limits for the memory of writes. */
  public RegionContext(
      String dataDirectory, Wal wal, StoreContext stores, RegionSettings settings) {
    this(dataDirectory, wal, stores, settings, MemoryAccount.unlimited(), MemStoreRoom.UNLIMITED);
  }

  /** Returns the same context for regions that share the memstores' memory with others. */
  public RegionContext within(MemStoreRoom shared) {
    return with(wal, stores, shared, inSteps, replayHook, feeds);
  }

  /** Returns the same context for regions that write another log. */
  public RegionContext writing(Wal log) {
    return with(log, stores, room, inSteps, replayHook, feeds);
  }

  /** Returns the same context for regions whose stores have a context of their own. */
  public RegionContext storing(StoreContext others) {
    return with(wal, others, room, inSteps, replayHook, feeds);
  }

  /**
   * Returns the same context for regions that offer their writes in steps ({@link WriteSteps}).
   * Each write of such a region looks at the locks of its rows.
   */
  public RegionContext offeringSteps() {
    return with(wal, stores, room, true, replayHook, feeds);
  }

  /** Returns the same context for regions whose recovered edits {@code hook} sees. */
  public RegionContext replaying(ReplayHook hook) {
    return with(wal, stores, room, inSteps, hook, feeds);
  }

  /**
   * Returns the same context for regions whose replicas follow the log.
   *
   * @param feeds the memory of the changes that regions keep for their replicas
   */
  public RegionContext feeding(FeedMemory feeds) {
    return with(wal, stores, room, inSteps, replayHook, feeds);
  }

  private RegionContext with(
      Wal otherWal,
      StoreContext otherStores,
      MemStoreRoom otherRoom,
      boolean steps,
      ReplayHook hook,
      FeedMemory otherFeeds) {
    return new RegionContext(
        dataDirectory, otherWal, otherStores, settings, memory, otherRoom, steps, hook, otherFeeds);
  }
}
