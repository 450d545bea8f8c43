package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.cache.CacheContents;
import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.scan.retention.BigRow;
import dev.cairn.engine.storage.BlockLocation;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.StoreFigures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The server's work on a region, apart from calls. Thread-safe. */
public interface RegionMaintenance {
  /**
   * Writes memstores to store files, of all families or of some; false if there was nothing to
   * write.
   */
  boolean flush(FlushScope scope) throws IOException;

  /**
   * Tells whether a write has waited so long that {@link FlushScope#DUE} should be flushed, by the
   * clock or by the number of writes after it.
   */
  default boolean isFlushOverdue() {
    return false;
  }

  /** Tells whether a store has so many files that a flush should wait for a compaction. */
  default boolean hasTooManyFiles() {
    return false;
  }

  /** Returns the names of the families with files that should be merged or dropped. */
  default List<byte[]> familiesToCompact() {
    return List.of();
  }

  /**
   * Tells whether a compaction of a family would be large, by the bytes that it merges, if it began
   * now.
   */
  default boolean isLargeCompaction(byte[] family, boolean major) {
    return false;
  }

  /**
   * A big row of one family.
   *
   * @param family its name
   * @param row the row as the last flush or compaction wrote it
   */
  record LargestRow(String family, BigRow row) {}

  /** Returns the largest rows of each family that flushes and compactions have seen. */
  default List<LargestRow> largestRows() {
    return List.of();
  }

  /** Returns how far the running compactions of the region's families have come. */
  default List<CompactionProgress> compactions() {
    return List.of();
  }

  /** Merges store files of a family, all of them if {@code major}; returns once done. */
  void compact(byte[] family, boolean major) throws IOException;

  /**
   * Moves store files from elsewhere in the root directory into the region: all of them or none.
   */
  default BulkLoadOutcome bulkLoad(BulkLoadRequest request) throws IOException {
    throw new UnsupportedOperationException("This region has no store files");
  }

  /** Returns the region's store files at one moment. */
  default RegionSnapshot snapshot(RegionSnapshot.Memory memory) throws IOException {
    throw new UnsupportedOperationException("This region has no store files");
  }

  /** Closes the region, flushing it first unless {@code abort}. */
  void close(boolean abort) throws IOException;

  /** Returns why every call of the region is refused; empty if it can be used. */
  default Optional<String> refusal() {
    return Optional.empty();
  }

  /** Tells whether some of the region's cells lie in files of regions that it was made of. */
  default boolean hasReferences() {
    return false;
  }

  /** Returns a row that divides the region's files about in half; empty if there is none. */
  default Optional<byte[]> splitPoint() throws IOException {
    return Optional.empty();
  }

  /**
   * Tells whether the region has recovered edits in memory, which need a flush of all its families.
   */
  default boolean hasRecoveredEdits() {
    return false;
  }

  /** Returns the length of the store files of each family, bytes. */
  default List<Long> storeBytes() {
    return List.of();
  }

  /** Returns how many requests to write were refused because the memstores were full. */
  default long blockedWrites() {
    return 0;
  }

  /**
   * Returns the paths of the store files of some families, as users of the file system write them.
   */
  default List<String> storeFiles(List<byte[]> families) throws IOException {
    return List.of();
  }

  /** Returns the paths of the HFiles of all families, each once. */
  default List<String> filePaths() {
    return List.of();
  }

  /**
   * Returns where the blocks of one of the {@link #filePaths} lie; empty if the storage is not
   * distributed. May wait for another machine.
   */
  default List<BlockLocation> blockLocations(String path) throws IOException {
    return List.of();
  }

  /** Returns the names of the store files whose data blocks are all in the block cache. */
  default List<String> cachedFiles() throws IOException {
    return List.of();
  }

  /**
   * A store file and what the block cache holds of it.
   *
   * @param family its family
   * @param name its name
   * @param bytes its length
   * @param blocks its cached blocks
   */
  record CachedFile(String family, String name, long bytes, CacheContents.Blocks blocks) {}

  /** Returns all store files, with what {@code contents} has of them. */
  default List<CachedFile> cached(CacheContents contents) {
    return List.of();
  }

  /** Removes the blocks of all store files from the block cache. */
  default BlockCache.Eviction clearCache() {
    return BlockCache.Eviction.NONE;
  }

  /**
   * Returns figures from the metadata of each family's store files. Reads nothing from storage.
   *
   * @param nowMillis the time at which cells expire or not
   */
  default List<StoreFigures> storeFigures(long nowMillis) {
    return List.of();
  }

  /** Returns sizes and counts, cheaply. */
  RegionStatistics statistics();

  /**
   * Returns the heap that the memstores take, bytes, as {@link #statistics} does. Allocates
   * nothing.
   */
  default long memStoreBytes() {
    return statistics().memStoreBytes();
  }

  /** Returns the bytes of the region's store files; much cheaper than all statistics. */
  default long storeFileBytes() {
    return statistics().storeFileBytes();
  }

  /** Returns the bytes of flushed memstores that reads still use. Allocates nothing. */
  default long flushedBytesInUse() {
    return statistics().flushedBytesInUse();
  }
}
