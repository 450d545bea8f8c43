package dev.cairn.server.advise;

import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A table and some of its calls. Immutable.
 *
 * @param facts the table
 * @param steps the calls, oldest first
 */
public record Observation(TableFacts facts, List<CallStep> steps) {
  /** With fewer samples, shares are too uncertain: more than 10 % off in one of 20 cases. */
  static final int SAMPLES_MIN = 100;

  /** Copies the list. */
  public Observation {
    steps = List.copyOf(steps);
  }

  Stream<LoadSample> calls() {
    return steps.stream().flatMap(step -> step.calls().stream());
  }

  int samples(Predicate<LoadSample> which) {
    return (int) calls().filter(which).count();
  }

  double requests(Predicate<LoadSample> which) {
    return calls().filter(which).mapToDouble(LoadSample::requests).sum();
  }

  /** Returns the requests of a kind. */
  double requests(Kind kind) {
    return requests(call -> call.kind() == kind);
  }

  double reads() {
    return requests(call -> call.kind() != Kind.WRITE);
  }

  /** Returns a part of the reads, 0 if there are none. */
  double shareOfReads(Kind kind) {
    double reads = reads();
    return reads == 0 ? 0 : requests(kind) / reads;
  }

  /** Returns the same steps with some of the calls. */
  List<CallStep> steps(Predicate<LoadSample> which) {
    return steps.stream()
        .map(step -> new CallStep(step.startMillis(), step.calls().stream().filter(which).toList()))
        .toList();
  }

  /**
   * Returns the number of regions over which the load of the table should be spread: two for each
   * server, so that a busy one can be moved, and not fewer than there are.
   */
  int regionsGoal() {
    int wanted = Math.max(8, Math.max(2 * facts.servers().orElse(1), facts.regions()));
    // A salt of more buckets costs a scan more than it gains.
    return Math.min(32, Integer.highestOneBit(wanted - 1) * 2);
  }
}
