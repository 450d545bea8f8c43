package dev.cairn.coprocessor.split;

import dev.cairn.coprocessor.environment.OwnThread;
import dev.cairn.server.hook.HookFailedException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls a user's class, one call at a time, each on a new thread. Callers wait for a limited time.
 * While a call is overdue, others fail at once, so the class holds at most one thread. Thread-safe.
 */
final class LimitedCalls {
  private final String subject;
  private final long limitMillis;
  private final Semaphore turn = new Semaphore(1);

  /** Whether the running call has exceeded its limit. */
  private volatile boolean overdue;

  /**
   * Creates it.
   *
   * @param subject what is called, for messages and the name of the thread
   */
  LimitedCalls(String subject, long limitMillis) {
    this.subject = subject;
    this.limitMillis = limitMillis;
  }

  /**
   * Makes a call and returns its result.
   *
   * @throws HookFailedException if it fails, or has no result in time. Then its thread is
   *     interrupted
   */
  <T> T call(Callable<T> work) throws HookFailedException {
    try {
      if (!turn.tryAcquire(overdue ? 0 : limitMillis, TimeUnit.MILLISECONDS)) {
        throw new HookFailedException(subject + " has not returned from an earlier call", null);
      }
      return OwnThread.call(subject, limitMillis, () -> inTurn(work));
    } catch (TimeoutException e) {
      overdue = true;
      throw new HookFailedException(
          subject + " has not returned within " + limitMillis + " ms", null);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OutOfMemoryError error) {
        throw error;
      }
      throw new HookFailedException(subject + " failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HookFailedException(subject + " was not awaited: the caller was interrupted", e);
    }
  }

  private <T> T inTurn(Callable<T> work) throws Exception {
    overdue = false;
    try {
      return work.call();
    } finally {
      turn.release();
    }
  }
}
