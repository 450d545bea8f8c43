package dev.cairn.engine.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * The time, and how a thread lets it pass, so that tests and simulations can set both. Thread-safe.
 */
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
   * Parks the calling thread until another one unparks it or the time has passed. May return
   * before. A simulation overrides it, and does meanwhile what other threads would do.
   *
   * @param nanos how long at most, nanoseconds; {@link Long#MAX_VALUE} for no limit
   */
  default void park(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /**
   * Parks until {@code future} completes, also if the thread is interrupted. Returns its value, or
   * throws as {@link CompletableFuture#join} does.
   */
  default <T> T join(CompletableFuture<T> future) {
    if (!future.isDone()) {
      Thread waiting = Thread.currentThread();
      future.whenComplete((value, thrown) -> LockSupport.unpark(waiting));
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
