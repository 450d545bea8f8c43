package dev.cairn.torture.scheduler;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that runs only while it has the scheduler's baton. It runs tasks one after the other,
 * each for a machine.
 */
final class SimulatedThread implements Scheduler.Ready, Runnable {
  private final Scheduler scheduler;
  private final ThreadHandle handle;
  private Scheduler.Task task;
  private boolean parked;
  private boolean permit;
  private Optional<Scheduler.Alarm> alarm = Optional.empty();
  private volatile boolean ended;

  SimulatedThread(Scheduler scheduler, ThreadSwitch threads) {
    this.scheduler = scheduler;
    this.handle = threads.create(this);
  }

  ThreadHandle handle() {
    return handle;
  }

  /** Returns the thread, as the code that runs on it sees it. */
  Thread thread() {
    return handle.thread();
  }

  /** Returns the number of choices of the scheduler so far; for any thread. */
  long steps() {
    return scheduler.steps();
  }

  @Override
  public Machine machine() {
    return task.machine();
  }

  @Override
  public boolean mayRun() {
    return task.machine().mayRun(this);
  }

  /** Tells whether it has the baton; for any thread. */
  boolean hasBaton() {
    return scheduler.isHolder(this);
  }

  /** Gives it its next task, which it runs as soon as it has the baton. */
  void take(Scheduler.Task next) {
    task = next;
    permit = false;
    next.machine().entered(this);
  }

  /** Returns its machine and task, for messages. */
  String taskName() {
    return task.machine().name() + ":" + task.name();
  }

  /** Wakes this thread, which has received the baton. */
  void receive() {
    handle.proceed();
  }

  /** Ends this thread, which has no task. */
  void end() {
    ended = true;
    handle.end();
  }

  @Override
  public void run() {
    while (awaitBaton()) {
      runTask();
      for (Optional<Scheduler.Task> next = scheduler.finished(this);
          next.isPresent();
          next = scheduler.finished(this)) {
        take(next.get());
        runTask();
      }
    }
  }

  private void runTask() {
    Machine host = task.machine();
    try {
      if (!host.isStopped()) {
        task.work().run();
      }
    } catch (MachineStoppedError e) {
      // The machine has stopped, and its threads end.
    } catch (Throwable e) {
      if (!host.isStopped()) {
        scheduler.failed(e);
      }
    }
    Thread.interrupted(); // An interrupt is for one task.
    host.left(this);
  }

  /** Parks this running thread, as {@link dev.cairn.engine.time.Clock#park} specifies. */
  void park(long nanos) {
    long wait = permit || thread().isInterrupted() ? 0 : nanos;
    permit = false;
    if (wait > 0) {
      parked = true;
      if (wait < Long.MAX_VALUE) {
        alarm = Optional.of(scheduler.after(wait, this::wake));
      }
    } else {
      scheduler.ready(this);
    }
    scheduler.giveUp(this);
    if (task.machine().isStopped()) {
      throw new MachineStoppedError();
    }
  }

  /** Unparks this thread, as {@link dev.cairn.engine.time.Clock#unpark} specifies. */
  void unpark() {
    if (parked) {
      wake();
    } else {
      permit = true;
    }
  }

  /** Ends its park, if it is parked. */
  void wake() {
    if (parked) {
      parked = false;
      alarm.ifPresent(Scheduler.Alarm::cancel);
      alarm = Optional.empty();
      scheduler.ready(this);
    }
  }

  /** Waits until it has the baton. Returns false if it has been ended instead. */
  boolean awaitBaton() {
    boolean interrupted = false;
    while (!scheduler.isHolder(this) && !ended) {
      interrupted |= Thread.interrupted();
      LockSupport.park(scheduler);
    }
    if (interrupted) {
      thread().interrupt();
    }
    return !ended;
  }
}
