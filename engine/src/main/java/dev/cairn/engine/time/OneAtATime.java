package dev.cairn.engine.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Allows one run of a task at a time. Thread-safe. */
public final class OneAtATime {
  private final Clock clock;
  private final AtomicReference<CompletableFuture<Void>> newest =
      new AtomicReference<>(CompletableFuture.completedFuture(null));

  /**
   * Creates an instance without a run.
   *
   * @param clock waits for runs to end
   */
  public OneAtATime(Clock clock) {
    this.clock = clock;
  }

  /** Begins a run, which the caller must {@link #end}. Returns false if a run is in progress. */
  public boolean tryBegin() {
    CompletableFuture<Void> before = newest.get();
    return before.isDone() && newest.compareAndSet(before, new CompletableFuture<>());
  }

  /** Ends the run. */
  public void end() {
    newest.get().complete(null);
  }

  /** Tells whether a run is in progress. */
  public boolean isRunning() {
    return !newest.get().isDone();
  }

  /** Blocks until the run in progress at the call, if any, has ended. */
  public void awaitEnd() {
    clock.join(newest.get());
  }
}
