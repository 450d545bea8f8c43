package dev.cairn.bench.failover;

import java.util.ArrayList;
import java.util.List;

/** Durations in milliseconds. Not thread-safe. */
final class Percentiles {
  private final List<Double> millis = new ArrayList<>();

  void add(double duration) {
    millis.add(duration);
  }

  /** Returns the duration that this part of all does not exceed; 0 if there are none. */
  double at(double part) {
    if (millis.isEmpty()) {
      return 0;
    }
    List<Double> sorted = millis.stream().sorted().toList();
    return sorted.get((int) Math.max(0, Math.ceil(part * sorted.size()) - 1));
  }
}
