package dev.cairn.engine.region;

import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.store.CompactionProgress;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The compactions of one region. Thread-safe. */
public interface CompactableRegion {
  /**
   * Returns the names of the families with files that the policy would merge, or that can be
   * dropped or removed. Returns one family if there is only a bulk load to finish, because a
   * compaction of any family finishes it.
   */
  List<byte[]> familiesToCompact();

  /**
   * Tells whether a compaction of a family would be large, by the bytes that it merges, if it began
   * now; false if the region does not have the family.
   */
  boolean isLargeCompaction(byte[] family, boolean major);

  /**
   * Merges store files of a family; all of them, if {@code major}. Returns once done. A closing
   * that begins meanwhile stops it; if the closing is cancelled, it begins again. Before that,
   * finishes earlier bulk loads.
   *
   * @param requester the user who asked for it; empty if the server began it
   * @throws RegionClosedException also if the region has been closed meanwhile
   */
  void compact(byte[] family, boolean major, Optional<String> requester) throws IOException;

  /** Returns the progress of the running compactions. */
  List<CompactionProgress> compactionProgress();

  /** Tells whether some of the region's cells lie in files of regions that it was made of. */
  boolean hasReferences();

  /** Tells whether a store has so many files that a flush should wait for a compaction. */
  boolean hasTooManyFiles();
}
