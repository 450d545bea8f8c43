package dev.cairn.keys.client;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;

/** Takes rows in the order of their keys without salts; equal ones in the order of the buckets. */
final class MergedRows implements RowOrder {
  private final List<BucketSource> sources;
  private final Comparator<BucketSource> order;
  private PriorityQueue<BucketSource> waiting;
  private BucketSource last;

  MergedRows(List<BucketSource> sources) {
    this.sources = sources;
    boolean reversed = !sources.isEmpty() && sources.get(0).bucket().reversed();
    Comparator<BucketSource> keys = MergedRows::compareKeys;
    order =
        (reversed ? keys.reversed() : keys).thenComparingInt(source -> source.bucket().bucket());
  }

  @Override
  public BucketSource next() throws IOException {
    if (waiting == null) {
      waiting = new PriorityQueue<>(Math.max(1, sources.size()), order);
      waiting.addAll(BucketSource.advanced(sources));
    } else if (last != null && last.advance()) {
      // Often the next row is of the same bucket: then the queue need not be changed.
      BucketSource other = waiting.peek();
      if (other == null || order.compare(last, other) < 0) {
        return last;
      }
      waiting.add(last);
    }
    last = waiting.poll();
    return last;
  }

  private static int compareKeys(BucketSource left, BucketSource right) {
    Cell first = left.current().rawCells()[0];
    Cell second = right.current().rawCells()[0];
    int salt = left.bucket().saltWidth();
    return Bytes.compareTo(
        first.getRowArray(),
        first.getRowOffset() + salt,
        first.getRowLength() - salt,
        second.getRowArray(),
        second.getRowOffset() + salt,
        second.getRowLength() - salt);
  }
}
