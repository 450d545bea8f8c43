package dev.cairn.engine.region.bulkload;

import java.util.List;

/** The result of a bulk load. */
public sealed interface BulkLoadOutcome {
  /**
   * All files belong to the region, and reads see their cells.
   *
   * @param paths the files in their stores, in the order of the request; empty if an earlier
   *     attempt had loaded them
   */
  record Loaded(List<String> paths) implements BulkLoadOutcome {}

  /**
   * Nothing was loaded, because a file has rows of other regions. The client must divide the file.
   *
   * @param reason names the file, its rows and the region
   */
  record OutsideRegion(String reason) implements BulkLoadOutcome {}
}
