package dev.cairn.server.traffic.sample;

import dev.cairn.server.loadsplit.LoadSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * The sampled calls of each table on one server, in steps of time. At first a step has a second.
 * When a table has {@value #STEPS} steps, neighbours are joined, and steps become twice as long; up
 * to {@value #STEP_MAX_MILLIS} milliseconds, from where on the oldest step is dropped.
 *
 * <p>Memory: at most {@value #SAMPLES} samples of each step, so about 400 KB for each table if rows
 * have 50 bytes; at most {@value #TABLES_MAX} tables; a new one replaces the table that was silent
 * longest. Thread-safe.
 */
public final class CallHistory {
  static final int STEPS = 32;
  static final int SAMPLES = 48;
  static final int TABLES_MAX = 24;
  static final long STEP_MIN_MILLIS = 1_000;
  static final long STEP_MAX_MILLIS = 15 * 60_000;

  /** Keys of one server need no secrecy, and a fixed seed makes a run repeatable. */
  private static final long SEED = 1;

  private final SplittableRandom random = new SplittableRandom(SEED);

  /** The tables, the one that was silent longest first. */
  private final Map<String, Steps> tables = new LinkedHashMap<>(16, 0.75f, true);

  /** The steps of one table. */
  private static final class Steps {
    private List<Reservoir> list = new ArrayList<>();
    private long stepMillis = STEP_MIN_MILLIS;
  }

  /** Adds samples of calls that ended before {@code nowMillis}. */
  public synchronized void add(String table, List<LoadSample> samples, long nowMillis) {
    if (samples.isEmpty()) {
      return;
    }
    Steps steps = tables.computeIfAbsent(table, any -> new Steps());
    if (tables.size() > TABLES_MAX) {
      tables.remove(tables.keySet().iterator().next());
    }
    Reservoir now = current(steps, nowMillis);
    for (LoadSample sample : samples) {
      // A timed part of a scan, and a failure, count no request: neither tells of keys.
      if (sample.requests() > 0) {
        now.offer(sample, random);
      }
    }
  }

  private Reservoir current(Steps steps, long nowMillis) {
    if (!steps.list.isEmpty()) {
      Reservoir last = steps.list.get(steps.list.size() - 1);
      if (nowMillis < last.startMillis() + steps.stepMillis) {
        return last;
      }
    }
    if (steps.list.size() == STEPS) {
      makeRoom(steps);
    }
    Reservoir next = new Reservoir(nowMillis, SAMPLES);
    steps.list.add(next);
    return next;
  }

  private void makeRoom(Steps steps) {
    if (steps.stepMillis >= STEP_MAX_MILLIS) {
      steps.list.remove(0);
      return;
    }
    List<Reservoir> joined = new ArrayList<>();
    for (int i = 0; i + 1 < STEPS; i += 2) {
      joined.add(steps.list.get(i).and(steps.list.get(i + 1), random));
    }
    steps.list = joined;
    steps.stepMillis *= 2;
  }

  /** Returns the tables with samples. */
  public synchronized List<String> tables() {
    return List.copyOf(new TreeSet<>(tables.keySet()));
  }

  /** Returns the steps of a table, oldest first; empty if it has none. */
  public synchronized List<CallStep> steps(String table) {
    // Not get(), which would be a use.
    return tables.entrySet().stream()
        .filter(entry -> entry.getKey().equals(table))
        .flatMap(entry -> entry.getValue().list.stream())
        .map(Reservoir::step)
        .toList();
  }
}
