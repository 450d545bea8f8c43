package dev.cairn.server.traffic.sample;

import dev.cairn.server.loadsplit.LoadSample;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Some of the samples that were offered in a step of time, each as likely as the others. Not
 * thread-safe.
 */
final class Reservoir {
  private final long startMillis;
  private final int max;
  private final List<LoadSample> kept = new ArrayList<>();
  private long offered;

  Reservoir(long startMillis, int max) {
    this.startMillis = startMillis;
    this.max = max;
  }

  long startMillis() {
    return startMillis;
  }

  void offer(LoadSample sample, SplittableRandom random) {
    offered++;
    if (kept.size() < max) {
      kept.add(sample);
      return;
    }
    long place = random.nextLong(offered);
    if (place < max) {
      kept.set((int) place, sample);
    }
  }

  /** Returns a reservoir of this step and the next one together. */
  Reservoir and(Reservoir next, SplittableRandom random) {
    Reservoir both = new Reservoir(startMillis, max);
    both.offered = offered + next.offered;
    List<LoadSample> first = new ArrayList<>(kept);
    List<LoadSample> second = new ArrayList<>(next.kept);
    double share = both.offered == 0 ? 0 : (double) offered / both.offered;
    while (both.kept.size() < max && !(first.isEmpty() && second.isEmpty())) {
      boolean ofFirst = second.isEmpty() || !first.isEmpty() && random.nextDouble() < share;
      List<LoadSample> from = ofFirst ? first : second;
      both.kept.add(from.remove(random.nextInt(from.size())));
    }
    return both;
  }

  /** Returns the samples, with amounts scaled to all that were offered. */
  CallStep step() {
    double factor = kept.isEmpty() ? 1 : (double) offered / kept.size();
    return new CallStep(startMillis, kept.stream().map(one -> one.times(factor)).toList());
  }
}
