package dev.cairn.engine.region;

import dev.cairn.engine.scan.retention.BigRow;
import dev.cairn.engine.store.CompactionNeed;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.engine.store.StoreStatistics;
import java.util.List;
import java.util.Optional;

/**
 * Sizes and counts of one region. Reads nothing from storage, except {@link #indexUsage}.
 * Thread-safe.
 */
public interface RegionFigures {
  /** Returns sizes and counts. */
  RegionStatistics statistics();

  /** Returns the bytes of all store files; much cheaper than all statistics. */
  long storeFileBytes();

  /**
   * Returns figures from the metadata of each family's store files.
   *
   * @param nowMillis the time at which cells expire or not
   */
  List<StoreFigures> storeFigures(long nowMillis);

  /** Returns sizes and counts of a family's store; empty if the region does not have the family. */
  Optional<StoreStatistics> storeStatistics(byte[] family);

  /** Returns how much a family's store needs a compaction; empty as {@link #storeStatistics}. */
  Optional<CompactionNeed> compactionNeed(byte[] family);

  /** Returns the state of the table's indexes in the region; nothing if the table has none. */
  List<IndexBuild> indexBuilds();

  /**
   * Returns the uses and the sizes of the table's indexes in the region; nothing if the table has
   * none. Reads a small block for each index of a store file, once for each file.
   */
  List<IndexUsage> indexUsage();

  /** Returns the largest rows of each family that flushes and compactions have seen. */
  List<LargestRow> largestRows();

  /**
   * A big row of one family.
   *
   * @param family its name
   * @param row the row as the last flush or compaction wrote it
   */
  record LargestRow(String family, BigRow row) {}
}
