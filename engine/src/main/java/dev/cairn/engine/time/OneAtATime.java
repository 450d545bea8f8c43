package dev.cairn.engine.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Lets one run of a task begin when the one before has ended. Thread-safe. */
public final class OneAtATime {
  private final Clock clock;
  private final AtomicReference<CompletableFuture<Void>> newest =
      new AtomicReference<>(CompletableFuture.completedFuture(null));

  /**
   * Creates it without a run.
   *
   * @param clock waits for runs to end
   */
  public OneAtATime(Clock clock) {
    this.clock = clock;
  }

  /** Begins a run, unless one runs: then returns false. Whoever has begun calls {@link #end}. */
  public boolean tryBegin() {
    CompletableFuture<Void> before = newest.get();
    return before.isDone() && newest.compareAndSet(before, new CompletableFuture<>());
  }

  /** Ends the run. */
  public void end() {
    newest.get().complete(null);
  }

  /** Tells whether one runs. */
  public boolean isRunning() {
    return !newest.get().isDone();
  }

  /** Returns once the run has ended that is the newest now. */
  public void awaitEnd() {
    clock.join(newest.get());
  }
}
