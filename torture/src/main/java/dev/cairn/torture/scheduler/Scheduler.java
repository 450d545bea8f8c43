package dev.cairn.torture.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Runs simulated threads one at a time, and keeps their common time. A thread runs until it parks
 * or ends. Then the scheduler chooses a random runnable thread. If there is none, time advances to
 * the next alarm. So a run depends only on the seed.
 *
 * <p>Exactly one thread has the baton: the driver, which is the thread that calls {@link #run}, or
 * a simulated thread. The holder chooses the next holder itself, so most short tasks need no
 * context switch. Only the holder may call methods, except {@link #steps}.
 */
public final class Scheduler implements AutoCloseable {
  private final RandomGenerator random;
  private final List<Ready> ready = new ArrayList<>();
  private final ThreadSwitch threads;
  private final Map<Thread, SimulatedThread> simulated = new IdentityHashMap<>();
  private final Deque<SimulatedThread> idle = new ArrayDeque<>();
  private final List<Machine> machines = new ArrayList<>();
  private final AlarmQueue alarms = new AlarmQueue();
  private long nanos;
  private long numbers;
  private Optional<Throwable> failure = Optional.empty();

  // The arguments of run().
  private BooleanSupplier condition = () -> true;
  private long endNanos;

  /** The simulated thread that runs code of its machine; empty during the next choice. */
  private Optional<SimulatedThread> running = Optional.empty();

  /** The holder of the baton; null for the driver. Its writes publish all other fields. */
  private volatile SimulatedThread holder;

  private volatile long steps;

  /** A runnable thread or task. */
  sealed interface Ready permits SimulatedThread, Task {
    Machine machine();

    /** Tells whether its machine lets it run now. */
    boolean mayRun();
  }

  /** A task that has not begun. */
  record Task(Machine machine, String name, Runnable work) implements Ready {
    @Override
    public boolean mayRun() {
      return machine.mayBegin();
    }
  }

  /** An event at a point in time; it can be cancelled before. */
  public final class Alarm {
    private final Runnable event;
    private long atNanos;
    private long number;

    /** The place in the queue; negative if it is not there. */
    int place = -1;

    private Alarm(Runnable event) {
      this.event = event;
    }

    /** Tells whether it comes before {@code other}. */
    boolean isBefore(Alarm other) {
      return atNanos < other.atNanos || atNanos == other.atNanos && number < other.number;
    }

    /** Lets the event happen after {@code delayNanos}; it has happened or was cancelled before. */
    void restart(long delayNanos) {
      atNanos =
          delayNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + Math.max(0, delayNanos);
      number = numbers++;
      alarms.add(this);
    }

    /** Cancels the event. Returns false if it has already happened. */
    public boolean cancel() {
      return alarms.remove(this);
    }
  }

  /** Creates a scheduler that chooses by {@code random}. */
  public Scheduler(RandomGenerator random) {
    this(random, ThreadSwitch.fastest());
  }

  /** Creates a scheduler with a kind of threads, which has no influence on the choices. */
  Scheduler(RandomGenerator random, ThreadSwitch threads) {
    this.random = random;
    this.threads = threads;
  }

  /** Returns the simulated time, in nanoseconds. */
  public long nanos() {
    return nanos;
  }

  /** Returns the number of choices so far. */
  public long steps() {
    return steps;
  }

  /** Adds a running machine. */
  public Machine machine(String name) {
    Machine machine = new Machine(this, name);
    machines.add(machine);
    return machine;
  }

  /** Returns an alarm that has not been started. Its event runs as in {@link #after}. */
  Alarm alarm(Runnable event) {
    return new Alarm(event);
  }

  /** Runs {@code event} after {@code delayNanos}, outside all machines. It must not park. */
  public Alarm after(long delayNanos, Runnable event) {
    Alarm alarm = new Alarm(event);
    alarm.restart(delayNanos);
    return alarm;
  }

  /**
   * Runs threads and alarms until {@code condition} holds or {@code mostNanos} have passed. For the
   * driver.
   *
   * @param condition evaluated between two steps, by any thread
   * @return whether the condition holds
   * @throws IllegalStateException if a thread does not park, or ends with an uncaught error
   */
  public boolean run(BooleanSupplier condition, long mostNanos) {
    this.condition = condition;
    endNanos = mostNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + mostNanos;
    drive();
    if (failure.isPresent()) {
      throw new IllegalStateException("A simulated thread failed", failure.get());
    }
    if (condition.getAsBoolean()) {
      return true;
    }
    nanos = endNanos == Long.MAX_VALUE ? nanos : Math.max(nanos, endNanos);
    return false;
  }

  /** Ends all machines, and their threads. */
  @Override
  public void close() {
    machines.forEach(Machine::stop);
    alarms.clear();
    failure = Optional.empty();
    condition = () -> false;
    endNanos = nanos;
    drive();
    idle.forEach(SimulatedThread::end);
    idle.clear();
  }

  /** Passes the baton on, and waits until it comes back to the driver. */
  private void drive() {
    Optional<Ready> next = choose();
    if (next.isEmpty()) {
      return;
    }
    pass(next.get());
    threads.awaitDriver(() -> holder);
  }

  /**
   * Runs alarms until a thread or task can run, and returns it. Empty if the driver must continue:
   * its condition holds, its time is over, or an error occurred.
   */
  private Optional<Ready> choose() {
    running = Optional.empty();
    try {
      while (failure.isEmpty() && !condition.getAsBoolean()) {
        Optional<Ready> next = chooseReady();
        if (next.isPresent()) {
          steps++; // only the holder of the baton writes it
          return next;
        }
        Alarm alarm = alarms.peek();
        if (alarm == null || alarm.atNanos > endNanos) {
          return Optional.empty();
        }
        alarms.remove(alarm);
        nanos = Math.max(nanos, alarm.atNanos);
        alarm.event.run();
        wakeIfInterrupted();
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
    return Optional.empty();
  }

  /** Wakes the thread on which the last event ran, if the event has interrupted it. */
  private void wakeIfInterrupted() {
    Thread self = Thread.currentThread();
    if (self.isInterrupted()) {
      simulated(self).ifPresent(SimulatedThread::wake);
    }
  }

  private Optional<Ready> chooseReady() {
    int count = ready.size();
    int start = count == 0 ? 0 : random.nextInt(count);
    for (int i = 0; i < count; i++) {
      int index = (start + i) % count;
      Ready candidate = ready.get(index);
      if (candidate.mayRun()) {
        ready.set(index, ready.get(count - 1));
        ready.remove(count - 1);
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /** Passes the baton to the thread of {@code next}. */
  private void pass(Ready next) {
    SimulatedThread to;
    if (next instanceof Task task) {
      to = idle.isEmpty() ? create() : idle.pop();
      to.take(task);
    } else {
      to = (SimulatedThread) next;
    }
    running = Optional.of(to);
    holder = to;
    to.receive();
  }

  private SimulatedThread create() {
    SimulatedThread created = new SimulatedThread(this, threads);
    simulated.put(created.thread(), created);
    return created;
  }

  /** Returns the simulated thread that runs on {@code thread}; empty if there is none. */
  Optional<SimulatedThread> simulated(Thread thread) {
    return Optional.ofNullable(simulated.get(thread));
  }

  private void passToDriver() {
    holder = null;
    threads.resumeDriver();
  }

  /** Gives up the baton until {@code self}, which is parked or ready, is chosen. */
  void giveUp(SimulatedThread self) {
    Optional<Ready> next = choose();
    if (next.isPresent() && next.get() == self) {
      running = Optional.of(self);
      return;
    }
    next.ifPresentOrElse(this::pass, this::passToDriver);
    self.awaitBaton();
  }

  /**
   * Takes back a thread whose task has ended.
   *
   * @return its next task; empty if it must wait for one
   */
  Optional<Task> finished(SimulatedThread self) {
    Optional<Ready> next = choose();
    if (next.isPresent() && next.get() instanceof Task task) {
      running = Optional.of(self);
      return Optional.of(task);
    }
    idle.push(self);
    next.ifPresentOrElse(this::pass, this::passToDriver);
    return Optional.empty();
  }

  /** Tells whether {@code thread} has the baton. */
  boolean isHolder(SimulatedThread thread) {
    return holder == thread;
  }

  /** Returns the running simulated thread; empty for the driver and in alarms. */
  Optional<SimulatedThread> running() {
    return running;
  }

  /** Makes a thread or a task available for choice. */
  void ready(Ready one) {
    ready.add(one);
  }

  /** Records an uncaught error of a thread, other than that of its machine's stop. */
  void failed(Throwable error) {
    failure = failure.or(() -> Optional.of(error));
  }
}
