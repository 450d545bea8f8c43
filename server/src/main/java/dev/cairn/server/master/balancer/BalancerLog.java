package dev.cairn.server.master.balancer;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.Histogram;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Remembers the last runs of the balancer since the master leads, and counts moves. Written by the
 * loop's owner; the counters are thread-safe for readers.
 */
public final class BalancerLog {
  private static final int SHOWN = 100;
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Clock clock;
  private final int decisionMax;
  private final int rejectionMax;
  private final Deque<BalancerRun> decisions = new ArrayDeque<>();
  private final Deque<BalancerRun> rejections = new ArrayDeque<>();
  private final Histogram times = new Histogram();
  private final LongAdder moves = new LongAdder();
  private final Deque<Long> movedNanos = new ArrayDeque<>();

  BalancerLog(Clock clock, BalancerSettings settings) {
    this.clock = clock;
    this.decisionMax = settings.decisions();
    this.rejectionMax = settings.rejections();
  }

  void ran(BalancerRun run, long nanos) {
    times.record(nanos);
    Deque<BalancerRun> runs = run.moves().isEmpty() ? rejections : decisions;
    runs.addFirst(run);
    if (runs.size() > Math.max(SHOWN, run.moves().isEmpty() ? rejectionMax : decisionMax)) {
      runs.removeLast();
    }
  }

  /** The balancer began a move. */
  void moved() {
    moves.increment();
    movedNanos.addLast(clock.nanoTime());
    movesOfHour();
  }

  /** Returns how many moves the balancer began within the last hour. */
  public int movesOfHour() {
    long now = clock.nanoTime();
    while (!movedNanos.isEmpty() && now - movedNanos.getFirst() > HOUR_NANOS) {
      movedNanos.removeFirst();
    }
    return movedNanos.size();
  }

  /** Returns how many moves the balancer began. Thread-safe. */
  public long moves() {
    return moves.sum();
  }

  /** Returns how long plans took. Thread-safe. */
  public Histogram times() {
    return times;
  }

  /** Returns the last runs, latest first. */
  public List<BalancerRun> runs() {
    List<BalancerRun> all = new ArrayList<>(decisions);
    all.addAll(rejections);
    all.sort(Collections.reverseOrder((one, two) -> Long.compare(one.atMillis(), two.atMillis())));
    return all.subList(0, Math.min(SHOWN, all.size()));
  }

  /** Returns the runs with moves that clients may read, latest first. */
  public List<BalancerRun> decisions() {
    return decisions.stream().limit(decisionMax).toList();
  }

  /** Returns the runs without moves that clients may read, latest first. */
  public List<BalancerRun> rejections() {
    return rejections.stream().limit(rejectionMax).toList();
  }
}
