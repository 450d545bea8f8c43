package dev.cairn.torture.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The threads that the engine starts for its log. With {@link #settle} the driving thread lets them
 * do all that they have to do before it goes on; then never two threads run at once, and what they
 * do follows from what the driver did. Thread-safe.
 */
final class LogThread implements ThreadFactory {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final boolean concurrent;
  private final List<Thread> threads = new ArrayList<>(); // guarded by this

  /** Whether the newest log has nothing to do. */
  private volatile BooleanSupplier logRests = () -> true;

  /**
   * Creates the factory.
   *
   * @param concurrent whether the driver does not wait: then {@link #settle} does nothing
   */
  LogThread(boolean concurrent) {
    this.concurrent = concurrent;
  }

  @Override
  public synchronized Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "torture-log");
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  /**
   * Says which log the newest thread belongs to. A thread that was woken and has not run yet looks
   * as one that waits; the log knows.
   *
   * @param rests tells whether its thread has nothing to do
   */
  void follow(BooleanSupplier rests) {
    logRests = rests;
  }

  /** Returns once every other thread waits for something, or has ended. */
  void settle() {
    if (concurrent) {
      return;
    }
    List<Thread> all;
    synchronized (this) {
      threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
      all = List.copyOf(threads);
    }
    if (all.contains(Thread.currentThread())) {
      return;
    }
    for (int i = 0; i < all.size(); i++) {
      Thread thread = all.get(i);
      boolean newest = i == all.size() - 1;
      long begun = System.nanoTime();
      for (int looks = 0; !rests(thread, newest); looks++) {
        if (looks < 200) {
          Thread.onSpinWait();
        } else {
          Thread.yield(); // others may need the processor that the thread waits for
        }
        if (System.nanoTime() - begun > PATIENCE_NANOS) {
          throw new IllegalStateException("The log's thread hangs in state " + thread.getState());
        }
      }
    }
  }

  /**
   * Wakes all threads again and again until {@code condition} holds, and lets them come to rest.
   */
  void wakeUntil(BooleanSupplier condition) {
    List<Thread> all;
    synchronized (this) {
      all = List.copyOf(threads);
    }
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      all.forEach(LockSupport::unpark);
      Thread.yield();
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IllegalStateException("The log does not go on although there is room");
      }
    }
    settle();
  }

  private boolean rests(Thread thread, boolean newest) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING -> !newest || logRests.getAsBoolean();
      case TERMINATED -> true;
      default -> false;
    };
  }
}
