package dev.cairn.torture.scheduler;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A machine's timer. Its tasks only start other tasks, so they run in alarms, outside all machines.
 * Tasks that are due while the machine is frozen run in order when it thaws. The time for which the
 * machine is suspended does not count.
 */
final class SimulatedTimer extends AbstractExecutorService implements ScheduledExecutorService {
  private final Machine machine;
  private final Queue<Runnable> due = new ArrayDeque<>();
  private final Set<Scheduled<?>> scheduled = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean shut;

  SimulatedTimer(Machine machine) {
    this.machine = machine;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return begin(new Scheduled<>(java.util.concurrent.Executors.callable(task), 0), delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    return begin(new Scheduled<>(task, 0), delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    return scheduleWithFixedDelay(task, initialDelay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    return begin(
        new Scheduled<>(
            java.util.concurrent.Executors.callable(task), Math.max(1, unit.toNanos(delay))),
        initialDelay,
        unit);
  }

  @Override
  public void execute(Runnable task) {
    schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public void shutdown() {
    shutdownNow();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shut = true;
    List.copyOf(scheduled).forEach(task -> task.cancel(false));
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shut;
  }

  @Override
  public boolean isTerminated() {
    return shut;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isTerminated();
  }

  private <V> Scheduled<V> begin(Scheduled<V> task, long delay, TimeUnit unit) {
    if (shut) {
      throw new RejectedExecutionException("The timer of " + machine.name() + " has ended");
    }
    task.begin(unit.toNanos(delay));
    return task;
  }

  private void due(Runnable task) {
    if (due.isEmpty() && machine.mayBegin()) {
      task.run();
      return;
    }
    due.add(task);
    if (due.size() == 1) {
      machine.spawn("timer", this::runDue);
    }
  }

  private void runDue() {
    for (Runnable next = due.peek(); next != null; next = due.peek()) {
      due.remove();
      next.run();
    }
  }

  private final class Scheduled<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long periodNanos;
    private final Scheduler.Alarm alarm = machine.scheduler().alarm(() -> due(this));
    private long atNanos;

    private Scheduled(Callable<V> task, long periodNanos) {
      super(task);
      this.periodNanos = periodNanos;
    }

    private void begin(long delayNanos) {
      scheduled.add(this);
      next(delayNanos);
    }

    private void next(long delayNanos) {
      atNanos = machine.awakeNanos() + delayNanos;
      alarm.restart(delayNanos);
    }

    @Override
    public void run() {
      long left = atNanos - machine.awakeNanos();
      if (left > 0 && !isDone()) { // The machine was suspended meanwhile.
        alarm.restart(left);
      } else if (periodNanos == 0) {
        super.run();
      } else if (!isCancelled() && runAndReset() && !shut) {
        next(periodNanos);
      }
    }

    @Override
    protected void done() {
      scheduled.remove(this);
      alarm.cancel();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(atNanos - machine.awakeNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
