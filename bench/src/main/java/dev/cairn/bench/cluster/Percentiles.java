package dev.cairn.bench.cluster;

import java.util.ArrayList;
import java.util.List;

/** Durations in milliseconds. Not thread-safe. */
public final class Percentiles {
  private final List<Double> millis = new ArrayList<>();

  /** Adds a duration. */
  public void add(double duration) {
    millis.add(duration);
  }

  /** Adds all durations of another object. */
  public void addAll(Percentiles other) {
    millis.addAll(other.millis);
  }

  /** Returns the duration that this part of all does not exceed; 0 if there are none. */
  public double at(double part) {
    if (millis.isEmpty()) {
      return 0;
    }
    List<Double> sorted = millis.stream().sorted().toList();
    return sorted.get((int) Math.max(0, Math.ceil(part * sorted.size()) - 1));
  }
}
