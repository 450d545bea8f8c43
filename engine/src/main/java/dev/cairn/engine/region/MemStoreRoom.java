package dev.cairn.engine.region;

/**
 * The memory that all memstores of a server share. A write reserves its part before it takes its
 * place in the log. Thread-safe.
 */
@FunctionalInterface
public interface MemStoreRoom {
  /** Has room for every write. */
  MemStoreRoom UNLIMITED = bytes -> {};

  /**
   * Reserves memory. Does not block.
   *
   * @param bytes the approximate bytes that a write adds to the memstores
   * @throws RegionBusyException if there is no room; nothing is reserved then
   */
  void reserve(long bytes) throws RegionBusyException;
}
