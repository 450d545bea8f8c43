package dev.cairn.server.master.chore;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.Histogram;
import java.util.function.Supplier;

/** Measures the runs of the balancer. Written by the loop's owner; thread-safe for readers. */
public final class BalancerRuns {
  private final Clock clock;
  private final Histogram times = new Histogram();

  /** Creates it without runs. */
  public BalancerRuns(Clock clock) {
    this.clock = clock;
  }

  /** Runs the balancer, and measures its planning time. */
  public <T> T run(Supplier<T> balancer) {
    long begun = clock.nanoTime();
    try {
      return balancer.get();
    } finally {
      times.record(clock.nanoTime() - begun);
    }
  }

  /** Returns how long the runs took. */
  public Histogram times() {
    return times;
  }
}
