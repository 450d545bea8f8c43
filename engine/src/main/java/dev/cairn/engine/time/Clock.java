package dev.cairn.engine.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Tells the time and parks threads. Tests and simulations replace both. Thread-safe. */
public interface Clock {
  /** The machine's clocks. */
  Clock SYSTEM =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return System.currentTimeMillis();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Returns milliseconds since 1970; may jump. */
  long currentTimeMillis();

  /** Returns nanoseconds since some moment; never goes back. */
  long nanoTime();

  /**
   * Parks the calling thread until another thread unparks it or the time has passed. May return
   * spuriously. A simulation overrides it to do the work of other threads instead.
   *
   * @param nanos the most nanoseconds to park; {@link Long#MAX_VALUE} for no limit
   */
  default void park(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /**
   * Wakes a thread that {@link #park} has parked. If the thread is not parked, its next park
   * returns at once.
   *
   * @param thread the thread; if null, nothing happens
   */
  default void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  /**
   * Parks until {@code future} completes, normally or exceptionally, or until the time is over.
   *
   * @param nanos the most nanoseconds to wait
   * @return whether the future is complete
   * @throws InterruptedException if the thread is interrupted before or during the wait
   */
  default boolean await(CompletableFuture<?> future, long nanos) throws InterruptedException {
    if (future.isDone()) {
      return true;
    }
    Thread waiting = Thread.currentThread();
    CompletableFuture<?> waker = future.whenComplete((value, thrown) -> unpark(waiting));
    try {
      long now = nanoTime();
      long end = nanos > Long.MAX_VALUE - Math.max(0, now) ? Long.MAX_VALUE : now + nanos;
      for (long left = nanos; !future.isDone(); left = end - nanoTime()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (left <= 0) {
          return false;
        }
        park(left);
      }
      return true;
    } finally {
      waker.cancel(false); // so that a later completion does not unpark the thread
    }
  }

  /**
   * Parks until {@code future} completes, even if the thread is interrupted. Returns its value, or
   * throws as {@link CompletableFuture#join} does.
   */
  default <T> T join(CompletableFuture<T> future) {
    if (!future.isDone()) {
      Thread waiting = Thread.currentThread();
      future.whenComplete((value, thrown) -> unpark(waiting));
      boolean interrupted = false;
      while (!future.isDone()) {
        park(Long.MAX_VALUE);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        waiting.interrupt();
      }
    }
    return future.join();
  }
}
