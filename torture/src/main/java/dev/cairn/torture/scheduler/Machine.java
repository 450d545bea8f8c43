package dev.cairn.torture.scheduler;

import dev.cairn.engine.time.Clock;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/**
 * A simulated machine, or one process on it: a clock, threads and a timer. While it is frozen, none
 * of its threads runs, but its clock advances. While it is suspended, its clock stands still, too.
 * When it stops, its threads end where they are.
 */
public final class Machine {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long BEGIN_NANOS = 1_700_000_000_000L * NANOS_PER_MILLI;

  private final Scheduler scheduler;
  private final String name;
  private final Set<SimulatedThread> threads = new LinkedHashSet<>();
  private final SimulatedTimer timer;
  private final MachineClock clock = new MachineClock();
  private final Set<Runnable> whenStopped = new LinkedHashSet<>();

  /** The thread in {@link #pause}; no other thread of the machine runs meanwhile. */
  private Optional<SimulatedThread> exclusive = Optional.empty();

  private boolean frozen;

  /** The time at which it was suspended; negative if it is not. */
  private long suspendedSince = -1;

  /** The time for which it was suspended, without the present suspension. */
  private long suspendedNanos;

  private volatile boolean stopped;
  private long wallNanos = BEGIN_NANOS;
  private double rate = 1;

  Machine(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
    this.timer = new SimulatedTimer(this);
  }

  /** Returns its name, for messages. */
  public String name() {
    return name;
  }

  /** Returns its clock, through which its threads wait. */
  public Clock clock() {
    return clock;
  }

  /** Sets its wall clock to {@code millis} after the right time; before it, if negative. */
  public void jump(long millis) {
    wallNanos = BEGIN_NANOS + millis * NANOS_PER_MILLI;
  }

  /**
   * Makes its monotonic clock run faster or slower than the scheduler's time, from time 0 on. Its
   * wall clock stays exact, like one that NTP corrects.
   *
   * @param rate 1 for an exact clock
   */
  public void drift(double rate) {
    this.rate = rate;
  }

  /** Suspends all its threads until {@link #thaw}. */
  public void freeze() {
    frozen = true;
  }

  /**
   * Suspends the whole machine until {@link #thaw}, as a hypervisor does: its threads, timer and
   * monotonic clock. Its wall clock is right again at once afterwards, so it jumps.
   */
  public void suspend() {
    frozen = true;
    if (suspendedSince < 0) {
      suspendedSince = scheduler.nanos();
    }
  }

  /** Ends {@link #freeze} and {@link #suspend}. */
  public void thaw() {
    frozen = false;
    if (suspendedSince >= 0) {
      suspendedNanos += scheduler.nanos() - suspendedSince;
      suspendedSince = -1;
    }
  }

  /** Tells whether it is suspended. */
  public boolean isSuspended() {
    return suspendedSince >= 0;
  }

  /** Returns the time for which the machine was not suspended, nanoseconds. */
  long awakeNanos() {
    long now = suspendedSince < 0 ? scheduler.nanos() : suspendedSince;
    return now - suspendedNanos;
  }

  /** Stops the machine: ends all its threads where they are, and starts no more. */
  public void stop() {
    stopped = true;
    frozen = false;
    exclusive = Optional.empty();
    timer.shutdownNow();
    List.copyOf(threads).forEach(SimulatedThread::wake);
    List.copyOf(whenStopped).forEach(Runnable::run);
    whenStopped.clear();
  }

  /** Registers an event that runs outside all machines when this one stops; returns its removal. */
  public Runnable whenStopped(Runnable event) {
    whenStopped.add(event);
    return () -> whenStopped.remove(event);
  }

  /** Tells whether it is frozen. */
  public boolean isFrozen() {
    return frozen;
  }

  /** Tells whether it has stopped. */
  public boolean isStopped() {
    return stopped;
  }

  /** Throws {@link MachineStoppedError} if it has stopped; for calls that leave the machine. */
  public void checkRunning() {
    if (stopped) {
      throw new MachineStoppedError();
    }
  }

  /**
   * Pauses the calling thread of this machine. No other thread of the machine runs meanwhile, so
   * the caller may hold locks. Other machines run, and this one may be frozen or stopped. Does
   * nothing if the caller is no thread of this machine.
   */
  public void pause(long nanos) {
    Optional<SimulatedThread> thread = scheduler.running().filter(one -> one.machine() == this);
    if (thread.isPresent() && exclusive.isEmpty()) {
      exclusive = thread;
      try {
        thread.get().park(nanos);
      } finally {
        exclusive = Optional.empty();
      }
    }
  }

  /** Runs {@code work} on a thread of its own. Does nothing if the machine has stopped. */
  public void spawn(String task, Runnable work) {
    if (!stopped) {
      scheduler.ready(new Scheduler.Task(this, task, work));
    }
  }

  /** Returns an executor with at most {@code threadsMax} threads, which begins tasks in order. */
  public Executor executor(String task, int threadsMax) {
    return new Pool(task, threadsMax);
  }

  /** Returns a timer whose tasks run one at a time. */
  public ScheduledExecutorService timer() {
    return timer;
  }

  /** Returns a factory of threads for tasks that run until the machine stops. */
  public ThreadFactory threads(String task) {
    return work ->
        new Thread(work, task) {
          @Override
          public void start() {
            spawn(task, work);
          }
        };
  }

  /** Tells whether a task may begin now. On a stopped machine, the task ends at once. */
  boolean mayBegin() {
    return !frozen && exclusive.isEmpty();
  }

  /** Tells whether {@code thread} may run now. */
  boolean mayRun(SimulatedThread thread) {
    return !frozen && (exclusive.isEmpty() || exclusive.get() == thread);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  void entered(SimulatedThread thread) {
    threads.add(thread);
  }

  void left(SimulatedThread thread) {
    threads.remove(thread);
  }

  private final class Pool implements Executor {
    private final String task;
    private final int threadsMax;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    private Pool(String task, int threadsMax) {
      this.task = task;
      this.threadsMax = threadsMax;
    }

    @Override
    public void execute(Runnable work) {
      waiting.add(work);
      if (running < threadsMax) {
        running++;
        spawn(task, this::drain);
      }
    }

    private void drain() {
      try {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
          next.run();
        }
      } finally {
        running--;
      }
    }
  }

  private final class MachineClock implements Clock {
    @Override
    public long currentTimeMillis() {
      return (wallNanos + scheduler.nanos()) / NANOS_PER_MILLI;
    }

    @Override
    public long nanoTime() {
      return (long) (awakeNanos() * rate);
    }

    @Override
    public void park(long nanos) {
      SimulatedThread thread =
          scheduler
              .running()
              .orElseThrow(() -> new IllegalStateException("The driver cannot wait"));
      thread.park(nanos == Long.MAX_VALUE ? nanos : (long) Math.ceil(nanos / rate));
    }

    @Override
    public void unpark(Thread thread) {
      scheduler.simulated(thread).ifPresent(SimulatedThread::unpark);
    }
  }
}
