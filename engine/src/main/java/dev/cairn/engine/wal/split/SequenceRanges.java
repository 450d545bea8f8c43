package dev.cairn.engine.wal.split;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of sequence numbers. Takes memory per range of consecutive numbers, which are few: a region
 * gives its numbers in order. One thread.
 */
final class SequenceRanges {
  /** The last number of each range, by its first. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  boolean contains(long sequence) {
    Map.Entry<Long, Long> range = ranges.floorEntry(sequence);
    return range != null && range.getValue() >= sequence;
  }

  void add(long sequence) {
    add(sequence, sequence);
  }

  void addAll(SequenceRanges other) {
    other.ranges.forEach(this::add);
  }

  /** Adds all numbers of a range, both ends included. */
  void add(long from, long to) {
    long first = from;
    long last = to;
    Map.Entry<Long, Long> range = ranges.floorEntry(to + 1);
    while (range != null && range.getValue() >= first - 1) {
      first = Math.min(first, range.getKey());
      last = Math.max(last, range.getValue());
      ranges.remove(range.getKey());
      range = ranges.floorEntry(to + 1);
    }
    ranges.put(first, last);
  }
}
