package dev.cairn.engine.region.write;

import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.schema.TableName;

/**
 * The memory that all memstores of a server share. A write reserves its part before it takes its
 * place in the log. Thread-safe.
 */
public interface MemStoreRoom {
  /** Has room for every write. */
  MemStoreRoom UNLIMITED =
      new MemStoreRoom() {
        @Override
        public void reserve(long bytes) {}

        @Override
        public void release(long bytes) {}
      };

  /**
   * Reserves memory. Does not block.
   *
   * @param bytes the approximate bytes that a write adds to the memstores
   * @throws RegionBusyException if there is no room; nothing is reserved then
   */
  void reserve(long bytes) throws RegionBusyException;

  /**
   * Reserves memory for changes that a replica received from its region. Refuses earlier than for
   * writes, because a replica can get the changes from files. Does not block.
   *
   * @param bytes the approximate bytes that the changes add to the memstores
   * @throws RegionBusyException if there is no room; nothing is reserved then
   */
  default void reserveForReplica(long bytes) throws RegionBusyException {
    reserve(bytes);
  }

  /**
   * Reserves memory for a region's recovered edits, unless other memstores would soon have to be
   * flushed to make room. Does not block.
   *
   * @param bytes the approximate bytes that the edits add to the memstores
   * @return false if nothing was reserved, and the edits must be flushed at once
   */
  default boolean tryReserve(long bytes) {
    return true;
  }

  /** Returns the same memory for a table with hooks, which may hold up its flushes. */
  default MemStoreRoom ofHooked(TableName table) {
    return this;
  }

  /** Gives back memory of a write that was not done. */
  void release(long bytes);

  /**
   * Reserves memory as {@link #reserve} does, for a write that is staged much later: {@link
   * #reserve} counts on it within milliseconds. Does not block.
   *
   * @param bytes the approximate bytes that the write will add to the memstores
   * @throws RegionBusyException if there is no room; nothing is reserved then
   */
  default void keep(long bytes) throws RegionBusyException {
    reserve(bytes);
  }

  /** Takes note that memstores hold bytes that were {@linkplain #keep kept} for them. */
  default void usedKept(long bytes) {}

  /** Gives back bytes that were {@linkplain #keep kept} for a write. */
  default void releaseKept(long bytes) {
    release(bytes);
  }
}
