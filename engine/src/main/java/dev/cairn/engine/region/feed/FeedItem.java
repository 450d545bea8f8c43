package dev.cairn.engine.region.feed;

import dev.cairn.engine.cell.CellBuffer;
import java.util.List;

/**
 * One logged change of a region.
 *
 * @param sequence the number of the change
 * @param writeMillis when it was written, milliseconds since 1970
 * @param cells the cells of its log entry; nobody changes them. Those of families that the region
 *     does not have are of no concern to replicas
 * @param isAfterLoad whether files that were loaded in bulk became visible after the change before
 *     and before this one
 * @param frozen the families of which a flush began after the change before and before this one
 */
public record FeedItem(
    long sequence, long writeMillis, CellBuffer cells, boolean isAfterLoad, List<byte[]> frozen) {
  /** The approximate memory of an item without its cells, bytes. */
  private static final int OVERHEAD = 128;

  /** Returns the approximate memory of the item, bytes. */
  public long heapBytes() {
    return cells.capacity() + OVERHEAD;
  }
}
