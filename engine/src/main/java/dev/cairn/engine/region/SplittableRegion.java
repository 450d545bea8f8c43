package dev.cairn.engine.region;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Tells whether and where one region could be split. Thread-safe. */
public interface SplittableRegion {
  /**
   * Returns a row that divides the region about in half: the one in the middle of the largest file
   * of its largest store that has such a row. Empty if the region still has references, or if no
   * store has such a row strictly within the file: the files are too small, or one row is most of
   * them.
   */
  Optional<byte[]> splitPoint() throws IOException;

  /** Tells whether some of the region's cells lie in files of regions that it was made of. */
  boolean hasReferences();

  /** Tells whether a store has so many files that a flush should wait for a compaction. */
  boolean hasTooManyFiles();

  /** Returns the length of the store files of each family, bytes. */
  List<Long> storeBytes();

  /** Returns how many requests to write the region has refused because its memstores were full. */
  long blockedWrites();
}
