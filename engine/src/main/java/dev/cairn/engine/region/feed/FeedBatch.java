package dev.cairn.engine.region.feed;

import dev.cairn.engine.probe.FollowMark;
import dev.cairn.engine.probe.Marks;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive logged changes of a region.
 *
 * @param owner the owner that made the changes
 * @param previous the number of the logged change before the first one; the number at the opening
 *     if there is none
 * @param items the changes, by ascending number; at least one
 */
public record FeedBatch(RegionOwner owner, long previous, List<FeedItem> items) {
  /** Checks the order of the numbers. */
  public FeedBatch {
    items = List.copyOf(items);
    if (items.isEmpty()) {
      throw new IllegalArgumentException("A batch without changes");
    }
    long last = previous;
    for (FeedItem item : items) {
      if (item.sequence() <= last) {
        throw new IllegalArgumentException(
            "Change %d follows change %d, but numbers must ascend"
                .formatted(item.sequence(), last));
      }
      last = item.sequence();
    }
  }

  /** Splits the batch before each change that follows a bulk load. */
  public List<FeedBatch> splitAtLoads() {
    if (items.stream().skip(1).noneMatch(FeedItem::isAfterLoad)) {
      return List.of(this);
    }
    assert Marks.hit(FollowMark.BATCH_SPLIT_AT_LOAD);
    List<FeedBatch> parts = new ArrayList<>();
    long before = previous;
    int from = 0;
    for (int to = 1; to <= items.size(); to++) {
      if (to == items.size() || items.get(to).isAfterLoad()) {
        parts.add(new FeedBatch(owner, before, items.subList(from, to)));
        before = items.get(to - 1).sequence();
        from = to;
      }
    }
    return parts;
  }

  /** Returns the number of the last change. */
  public long lastSequence() {
    return items.get(items.size() - 1).sequence();
  }
}
