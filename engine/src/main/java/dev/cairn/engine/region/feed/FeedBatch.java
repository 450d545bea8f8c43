package dev.cairn.engine.region.feed;

import java.util.ArrayList;
import java.util.List;

/**
 * Logged changes of a region without a gap between them.
 *
 * @param owner the owner that made them
 * @param previous the number of the logged change before the first one; the number at the opening
 *     if there is none
 * @param items the changes, by ascending number; at least one
 */
public record FeedBatch(RegionOwner owner, long previous, List<FeedItem> items) {
  /** Checks the order of the numbers. */
  public FeedBatch {
    items = List.copyOf(items);
    if (items.isEmpty()) {
      throw new IllegalArgumentException("A batch of changes has none");
    }
    long last = previous;
    for (FeedItem item : items) {
      if (item.sequence() <= last) {
        throw new IllegalArgumentException(
            "The change %d comes after the change %d".formatted(item.sequence(), last));
      }
      last = item.sequence();
    }
  }

  /** Returns the same changes in parts: each change after a bulk load begins one. */
  public List<FeedBatch> splitAtLoads() {
    if (items.stream().skip(1).noneMatch(FeedItem::isAfterLoad)) {
      return List.of(this);
    }
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
