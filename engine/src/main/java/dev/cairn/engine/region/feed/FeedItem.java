package dev.cairn.engine.region.feed;

import dev.cairn.engine.cell.CellBuffer;
import java.util.List;

/**
 * One logged change of a region.
 *
 * @param sequence the number of the change
 * @param writeMillis when it was written, milliseconds since 1970
 * @param cells the cells of its log entry; immutable. Replicas ignore cells of families that the
 *     region does not have
 * @param isAfterLoad whether bulk-loaded files became visible between the previous change and this
 *     one
 * @param frozen the families whose flush began between the previous change and this one
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
