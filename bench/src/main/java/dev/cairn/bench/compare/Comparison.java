package dev.cairn.bench.compare;

import dev.cairn.bench.load.Pace;
import dev.cairn.bench.load.Workload;
import dev.cairn.bench.report.Latencies;
import dev.cairn.bench.report.Measurement;
import dev.cairn.bench.report.Metric;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Does the same work on all sides, in rounds.
 *
 * <p>In each round all servers are started on empty folders. They take turns workload by workload,
 * so that a machine that gets slower hits all alike, in an order that changes from round to round
 * and from turn to turn; one is measured when the others have come to rest. One thread.
 */
final class Comparison {
  /** The meanings of the figures, in the order of the tables. */
  static final List<Metric> METRICS =
      List.of(
          Metric.THROUGHPUT,
          Metric.SERVER_CPU,
          Metric.CLIENT_CPU,
          Metric.ALLOCATED,
          Metric.RESIDENT,
          Metric.DATA_ON_DISK,
          Metric.ALL_ON_DISK,
          Metric.WRITE_AMPLIFICATION,
          Metric.START_TIME,
          Contestant.STOP_TIME,
          Contestant.SETTLED_CPU,
          Metric.TARGET_RATE,
          Contestant.RATE_HELD,
          Contestant.NOT_FOUND,
          Contestant.OTHERS_CPU);

  private static final Set<Metric> SHOWN_AT_ONCE =
      Set.of(
          Metric.THROUGHPUT,
          Metric.SERVER_CPU,
          Metric.ALLOCATED,
          Metric.START_TIME,
          Contestant.RATE_HELD);

  private static final double REST_CORES = 0.06; // what HBase takes when nobody asks it anything
  private static final long REST_LOOK_MILLIS = 500;
  private static final long REST_SECONDS_MAX = 60;

  private final Plan plan;
  private final List<Side> sides;
  private final PrintWriter progress;
  private final List<Measurement> measurements = new ArrayList<>();
  private final Map<Workload, Double> rates = new HashMap<>();
  private final Map<String, String> jvms = new LinkedHashMap<>();

  /**
   * Prepares a comparison.
   *
   * @param progress receives a line for each measurement
   */
  Comparison(Plan plan, List<Side> sides, PrintWriter progress) {
    this.plan = plan;
    this.sides = List.copyOf(sides);
    this.progress = progress;
  }

  /**
   * Does all rounds.
   *
   * @param afterRound is called after each, with all that was measured so far
   */
  void run(Consumer<List<Measurement>> afterRound) throws IOException, InterruptedException {
    rehearse();
    for (int round = 1; round <= plan.rounds(); round++) {
      round(round);
      afterRound.accept(List.copyOf(measurements));
    }
  }

  /**
   * Starts and stops each side once, so that one-time work, such as recording classes or reading
   * jars from the disk, is not measured.
   */
  private void rehearse() throws IOException {
    for (Side side : sides) {
      try (Contestant contestant = Contestant.start(side, 1, plan)) {
        jvms.put(side.name(), contestant.jvm());
        contestant.stop();
        contestant.deleteFolder();
      }
    }
  }

  /** Returns the options of each side's JVM, by its name. */
  Map<String, String> jvms() {
    return Collections.unmodifiableMap(jvms);
  }

  private void round(int round) throws IOException, InterruptedException {
    List<Side> order = new ArrayList<>(sides);
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    List<Contestant> contestants = new ArrayList<>();
    try {
      for (Side side : order) {
        contestants.add(Contestant.start(side, round, plan));
      }
      for (Workload workload : plan.workloads()) {
        work(workload, round, contestants.stream().filter(c -> c.side().does(workload)).toList());
      }
      for (Contestant contestant : contestants) {
        add(contestant.stop());
      }
    } finally {
      for (Contestant contestant : contestants) {
        contestant.close();
      }
    }
    if (!plan.keep()) {
      for (Contestant contestant : contestants) {
        contestant.deleteFolder();
      }
    }
  }

  private void work(Workload workload, int round, List<Contestant> contestants)
      throws IOException, InterruptedException {
    if (contestants.isEmpty()) {
      return;
    }
    for (Contestant contestant : contestants) {
      contestant.warmUp(workload, plan.warmUpSeconds());
    }
    Map<Contestant, Double> reached =
        takeTurns(workload, Pace.closed(plan.seconds()), round, contestants);
    if (plan.fixedSeconds() > 0 && workload.kind().paced()) {
      double share = Collections.min(reached.values()) * plan.fixedShare();
      double rate = rates.computeIfAbsent(workload, first -> share);
      if (plan.warmUpSeconds() > 0) {
        // A flush and a compaction beside the load are compiled for anew, on both sides.
        Pace pace = new Pace(plan.warmUpSeconds(), rate, plan.disturbed());
        for (Contestant contestant : contestants) {
          contestant.warmUp(workload, pace);
        }
      }
      Pace pace = new Pace(plan.fixedSeconds(), rate, plan.disturbed());
      takeTurns(workload, pace, round, contestants);
    }
  }

  /** Measures all in turns, and returns how many operations a second each did on average. */
  private Map<Contestant, Double> takeTurns(
      Workload workload, Pace pace, int round, List<Contestant> contestants)
      throws IOException, InterruptedException {
    int turns = workload.kind().counted() ? 1 : plan.turns();
    Map<Contestant, Double> reached = new IdentityHashMap<>();
    List<Contestant> order = new ArrayList<>(contestants);
    for (int turn = 1; turn <= turns; turn++) {
      int repetition = (round - 1) * turns + turn;
      for (Contestant contestant : order) {
        List<Contestant> others = contestants.stream().filter(one -> one != contestant).toList();
        awaitRest(contestants); // also of what it began itself
        Contestant.Measured measured = contestant.measure(workload, pace, others, repetition);
        add(measured.measurement());
        reached.merge(contestant, measured.result().operationsPerSecond() / turns, Double::sum);
      }
      Collections.reverse(order);
    }
    return reached;
  }

  /** Waits until servers do next to nothing, but not forever: how much it was is a figure. */
  private static void awaitRest(List<Contestant> servers) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS_MAX);
    double cores = Double.POSITIVE_INFINITY;
    while (!servers.isEmpty() && cores > REST_CORES * servers.size() && System.nanoTime() < end) {
      double before = cpuSeconds(servers);
      TimeUnit.MILLISECONDS.sleep(REST_LOOK_MILLIS);
      cores = (cpuSeconds(servers) - before) * TimeUnit.SECONDS.toMillis(1) / REST_LOOK_MILLIS;
    }
  }

  private static double cpuSeconds(List<Contestant> servers) throws IOException {
    double sum = 0;
    for (Contestant server : servers) {
      sum += server.figures().cpuSeconds();
    }
    return sum;
  }

  private void add(Measurement measurement) {
    measurements.add(measurement);
    progress.println("round " + measurement.round() + ", " + line(measurement));
    progress.flush();
  }

  private static String line(Measurement measurement) {
    StringBuilder line = new StringBuilder(measurement.workload());
    line.append(", ").append(measurement.side()).append(":");
    for (Metric metric : METRICS) {
      Double value = measurement.figures().get(metric.name());
      if (value != null && SHOWN_AT_ONCE.contains(metric)) {
        line.append(" %s %.5g %s;".formatted(metric.name(), value, metric.unit()));
      }
    }
    measurement.latencies().stream()
        .findFirst()
        .ifPresent(
            all ->
                Latencies.SHOWN.stream()
                    .filter(p -> all.tells(p))
                    .forEach(p -> line.append(" p%s %.0f µs;".formatted(p, all.micros(p)))));
    return line.toString();
  }
}
