package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs simulated clusters, each for a day from a seed. The clusters share nothing, so several can
 * run at the same time. Thread-safe.
 */
public final class ClusterTorture {
  /** The number of failures after which a run ends, because one cause often leads to many. */
  private static final int FAILURES_MAX = 20;

  private static final Duration DAY = Duration.ofDays(1);
  private static final int FAULTS_PER_DAY = 280;

  private final Set<Guard> without;
  private final LongSupplier processorNanos;
  private final Map<String, Long> counts = new TreeMap<>();
  private final List<Long> failedSeeds = new ArrayList<>();
  private long days;
  private long operations;
  private long faults;
  private long steps;
  private long leastOperations = Long.MAX_VALUE;
  private long leastFaults = Long.MAX_VALUE;

  /**
   * A failed day.
   *
   * @param time the time of the detection, since the start of the day
   * @param errors the violations, one sentence each
   * @param events the events before them, one line each
   */
  public record Failure(long seed, Duration time, List<String> errors, List<String> events) {}

  /**
   * A day without a failure.
   *
   * @param processorNanos the processor time of the whole process during the day
   */
  public record CleanDay(long seed, long operations, long faults, long processorNanos) {}

  /** Learns of days as they end; called by one thread at a time. */
  public interface Listener {
    /** A day ended without a failure. */
    void clean(CleanDay day);

    /** A day failed. */
    void failed(Failure failure);
  }

  /**
   * Prepares runs.
   *
   * @param without the guards to disable
   * @param processorNanos returns the processor time that this process has used
   */
  public ClusterTorture(Set<Guard> without, LongSupplier processorNanos) {
    this.without = Set.copyOf(without);
    this.processorNanos = processorNanos;
  }

  /**
   * Starts threads that run days until there is no seed left or enough days have failed.
   *
   * @param count the number of days at the same time
   * @param seeds returns the seed of the next day, or empty if there is none; thread-safe
   */
  public List<Thread> start(
      int count, ThreadFactory threads, Supplier<OptionalLong> seeds, Listener listener) {
    // The first digest loads its provider under a lock, where simulated threads must not wait.
    Bytes.md5(Bytes.EMPTY);
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      started.add(threads.newThread(() -> runAll(seeds, listener)));
    }
    started.forEach(Thread::start);
    return started;
  }

  private void runAll(Supplier<OptionalLong> seeds, Listener listener) {
    while (!hasFailedEnough()) {
      OptionalLong seed = seeds.get();
      if (seed.isEmpty()) {
        return;
      }
      run(seed.getAsLong(), listener);
    }
  }

  private void run(long seed, Listener listener) {
    long begunNanos = processorNanos.getAsLong();
    try (ClusterRun run = new ClusterRun(seed, without, EnumSet.allOf(FaultKind.class))) {
      List<String> errors;
      try {
        ClusterRun.Outcome outcome = run.run(DAY, FAULTS_PER_DAY);
        long faultsOfDay = add(outcome);
        errors = outcome.errors();
        if (errors.isEmpty()) {
          clean(
              new CleanDay(
                  seed, outcome.operations(), faultsOfDay, processorNanos.getAsLong() - begunNanos),
              listener);
        }
      } catch (RuntimeException e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        errors = List.of("The day broke off: " + trace);
      }
      if (!errors.isEmpty()) {
        failed(
            new Failure(seed, run.world().now(), errors, run.world().parts().events()), listener);
      }
    }
  }

  /** Returns the number of faults of the day. */
  private synchronized long add(ClusterRun.Outcome outcome) {
    days++;
    operations += outcome.operations();
    steps += outcome.steps();
    outcome.faults().forEach(this::count);
    outcome.actions().forEach(this::count);
    counts.merge("snapshot", outcome.snapshots(), Long::sum);
    counts.merge("restore", outcome.restores(), Long::sum);
    counts.merge("bulk load", outcome.bulkLoads(), Long::sum);
    counts.merge("scan with a filter", outcome.filteredScans(), Long::sum);
    counts.merge("change of groups", outcome.groups(), Long::sum);
    counts.merge("warm-up", outcome.warmUps(), Long::sum);
    long faultsOfDay = outcome.faults().values().stream().mapToLong(Long::longValue).sum();
    faults += faultsOfDay;
    if (outcome.errors().isEmpty()) {
      leastOperations = Math.min(leastOperations, outcome.operations());
      leastFaults = Math.min(leastFaults, faultsOfDay);
    }
    return faultsOfDay;
  }

  private synchronized void clean(CleanDay day, Listener listener) {
    listener.clean(day);
  }

  private synchronized void failed(Failure failure, Listener listener) {
    failedSeeds.add(failure.seed());
    listener.failed(failure);
  }

  private void count(Enum<?> kind, long number) {
    counts.merge(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), number, Long::sum);
  }

  /** Tells whether enough days have failed to end the run. */
  public synchronized boolean hasFailedEnough() {
    return failedSeeds.size() >= FAILURES_MAX;
  }

  /** Returns the seeds of the failed days, in order. */
  public synchronized List<Long> failedSeeds() {
    return failedSeeds.stream().sorted().toList();
  }

  /** Returns the totals so far, as one line. */
  public synchronized String line() {
    return String.format(
        Locale.ROOT,
        "%,d days: %,d operations, %,d faults, %,d steps, %d failures",
        days,
        operations,
        faults,
        steps,
        failedSeeds.size());
  }

  /**
   * Returns in lines: the totals, the least operations and faults of a day without failure, and the
   * number of faults and actions by kind.
   */
  public synchronized String text() {
    StringBuilder text = new StringBuilder(line()).append(System.lineSeparator());
    if (leastFaults < Long.MAX_VALUE) {
      text.append(
          String.format(
              Locale.ROOT,
              "at least %,d operations and %,d faults in each clean day%n",
              leastOperations,
              leastFaults));
    }
    counts.forEach(
        (what, number) -> text.append(String.format(Locale.ROOT, "%-24s %,d%n", what, number)));
    return text.toString();
  }
}
