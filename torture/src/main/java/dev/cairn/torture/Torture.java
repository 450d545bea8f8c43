package dev.cairn.torture;

import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Runs worlds, one after another in each of some threads, until time is over or too much has
 * failed. One run; its methods may be called by any thread.
 */
public final class Torture {
  /** The number of failures that end the run: one cause often makes many. */
  private static final int FAILURES_MAX = 20;

  /** One world in this many is driven by many threads. */
  private static final int WORLDS_PER_CONCURRENT_ONE = 8;

  private final Plan plan;
  private final Clock clock;
  private final Consumer<WorldFailure> onFailure;
  private final AtomicLong nextSeed;
  private final long begunNanos;
  private final TortureReport report = new TortureReport(); // guarded by itself
  private final AtomicLong failures = new AtomicLong();

  /**
   * The plan of a run.
   *
   * @param seed seed of the first world; each next world has the next number
   * @param nanos time for which new worlds begin
   * @param worlds maximum number of worlds
   * @param steps number of steps in each
   * @param threads number of concurrent worlds, at least 1
   */
  public record Plan(long seed, long nanos, long worlds, int steps, int threads) {
    /** Checks the ranges. */
    public Plan {
      if (worlds < 1 || steps < 1 || threads < 1) {
        throw new IllegalArgumentException("Worlds, steps and threads must be at least 1");
      }
    }
  }

  /**
   * Prepares a run, which begins now.
   *
   * @param onFailure receives each failure when it happens, by one thread at a time
   */
  public Torture(Plan plan, Clock clock, Consumer<WorldFailure> onFailure) {
    this.plan = plan;
    this.clock = clock;
    this.onFailure = onFailure;
    this.nextSeed = new AtomicLong(plan.seed());
    this.begunNanos = clock.nanoTime();
  }

  /**
   * Starts the threads, which end by themselves.
   *
   * @return the threads, for the caller to wait for
   */
  public List<Thread> start(ThreadFactory threads) {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < plan.threads(); i++) {
      all.add(threads.newThread(() -> runWorlds(threads)));
    }
    all.forEach(Thread::start);
    return all;
  }

  /** Returns the report on the worlds that have ended. */
  public TortureReport report() {
    synchronized (report) {
      return report.copy(clock.nanoTime() - begunNanos);
    }
  }

  private static Optional<WorldFailure> failureOf(Runnable world) {
    try {
      world.run();
      return Optional.empty();
    } catch (WorldFailure e) {
      return Optional.of(e);
    }
  }

  private void runWorlds(ThreadFactory threads) {
    while (clock.nanoTime() - begunNanos < plan.nanos() && failures.get() < FAILURES_MAX) {
      long seed = nextSeed.getAndIncrement();
      if (seed - plan.seed() >= plan.worlds()) {
        return;
      }
      Optional<WorldFailure> failure;
      TortureReport ofWorld;
      if (seed % WORLDS_PER_CONCURRENT_ONE == 0) {
        ConcurrentWorld world = new ConcurrentWorld(seed, threads);
        failure = failureOf(() -> world.run(plan.steps() * 4));
        ofWorld = world.report();
      } else {
        Simulation world = new Simulation(seed);
        failure = failureOf(() -> world.run(plan.steps()));
        ofWorld = world.report();
      }
      synchronized (report) {
        report.add(ofWorld);
        if (failure.isPresent()) {
          failures.incrementAndGet();
          report.failed(seed);
          onFailure.accept(failure.get());
        }
      }
    }
  }
}
