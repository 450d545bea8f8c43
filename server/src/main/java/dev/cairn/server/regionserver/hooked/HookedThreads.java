package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Runs the work on regions with hooks. Other regions have other threads, so hooks that do not
 * return do not hold them up. The limit of running tasks of a kind is the same as for other
 * regions. If a hook takes longer than {@link #OVERDUE_NANOS}, its task is overdue and no longer
 * counts, and another one begins. A table begins no task while its overdue tasks reach the limit.
 * So a table holds at most twice as many threads as the limit. Thread-safe.
 */
public final class HookedThreads implements HookedWork {
  /** The time from which a hook makes its task overdue. */
  static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long CHECK_MILLIS = 1_000;

  private final Map<Kind, HookedTasks> kinds = new EnumMap<>(Kind.class);
  private final ScheduledExecutorService timer;
  private boolean checks; // guarded by this: whether the timer has a check

  /**
   * Creates it. Nothing runs yet.
   *
   * @param threads runs each task at once
   * @param times knows the hooks that run
   * @param limits returns how many tasks of each kind run at the same time
   */
  public HookedThreads(
      Executor threads,
      ScheduledExecutorService timer,
      Clock clock,
      HookTimes times,
      Map<Kind, IntSupplier> limits) {
    this.timer = timer;
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new HookedTasks(kind, threads, clock, times, limits.get(kind)));
    }
  }

  @Override
  public Executor threads(Kind kind, TableName table) {
    return task -> {
      kinds.get(kind).add(table, task);
      check();
    };
  }

  @Override
  public boolean isHeld(Kind kind, TableName table) {
    return kinds.get(kind).isHeld(table);
  }

  /** Schedules checks for overdue tasks while any task runs. */
  private synchronized void check() {
    if (checks) {
      return;
    }
    try {
      timer.schedule(this::checkNow, CHECK_MILLIS, TimeUnit.MILLISECONDS);
      checks = true;
    } catch (RejectedExecutionException e) {
      checks = false; // the process ends
    }
  }

  private void checkNow() {
    synchronized (this) {
      checks = false;
    }
    boolean any = false;
    for (HookedTasks tasks : kinds.values()) {
      any |= tasks.check();
    }
    if (any) {
      check();
    }
  }
}
