package dev.cairn.server.regionserver.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;

/** Runs the chores of a server until it goes down. Thread-safe. */
public final class ChoreService {
  private final ServerState state;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final List<ScheduledFuture<?>> scheduled = new ArrayList<>();

  /**
   * Creates a service without chores.
   *
   * @param executor runs the chores that have no executor of their own
   * @param timer starts the chores
   */
  public ChoreService(ServerState state, Executor executor, ScheduledExecutorService timer) {
    this.state = state;
    this.executor = executor;
    this.timer = timer;
  }

  /** Runs a chore now and then every {@code millis}; see {@link #every(long, Chore)}. */
  public Optional<ScheduledFuture<?>> every(long millis, String name, Chore.Work work) {
    return every(millis, new Chore(name, executor, work));
  }

  /**
   * Runs a chore now and then every {@code millis}, except while it has nothing to do; see {@link
   * #every(long, Chore)}.
   *
   * @param isDue tells whether there is something to do; must not block
   */
  public Optional<ScheduledFuture<?>> every(
      long millis, String name, BooleanSupplier isDue, Chore.Work work) {
    return every(millis, new Chore(name, executor, isDue, work));
  }

  /**
   * Runs a chore now and then every {@code millis}.
   *
   * @return the handle that ends it; empty if the server is going down, so that nothing was started
   */
  public synchronized Optional<ScheduledFuture<?>> every(long millis, Chore chore) {
    if (state.isGoingDown()) {
      return Optional.empty();
    }
    ScheduledFuture<?> started = chore.every(millis, timer);
    scheduled.add(started);
    return Optional.of(started);
  }

  /** Starts no more runs of any chore. Does not wait for running ones. */
  public synchronized void endAll() {
    scheduled.forEach(chore -> chore.cancel(false));
    scheduled.clear();
  }
}
