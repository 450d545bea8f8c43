package dev.cairn.engine.changes;

import dev.cairn.engine.changes.HeldChanges.Held;
import dev.cairn.engine.schema.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The changes of one region that are read and not returned yet. One thread. */
final class RegionStream {
  private final String region;
  private final List<Held> held = new ArrayList<>();
  private long highest = Long.MIN_VALUE;

  RegionStream(String region) {
    this.region = region;
  }

  String region() {
    return region;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  TableName table() {
    return held.get(0).entry().table();
  }

  /** Returns the highest number. */
  long highest() {
    return highest;
  }

  void add(Held change) {
    held.add(change);
    highest = Math.max(highest, change.sequence());
  }

  /**
   * Removes the changes up to a number, and returns them in order. A number that is in several log
   * files occurs several times.
   */
  List<Held> takeUpTo(long sequence) {
    held.sort(Comparator.comparingLong(Held::sequence)); // stable
    int end = 0;
    while (end < held.size() && held.get(end).sequence() <= sequence) {
      end++;
    }
    List<Held> taken = new ArrayList<>(held.subList(0, end));
    held.subList(0, end).clear();
    return taken;
  }
}
