package dev.cairn.coprocessor.environment;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks by which coprocessors end, each on a thread of its own for which the region's
 * close waits a limited time: a coprocessor that does not end keeps neither its region nor the
 * server. Thread-safe.
 */
public final class Endings {
  private static final Logger LOG = LoggerFactory.getLogger(Endings.class);

  private static final long ORDERLY_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long ABORT_MILLIS = TimeUnit.SECONDS.toMillis(5);

  private final long orderlyMillis;
  private final long abortMillis;

  /** So that the aborts of many regions together wait twice the first one's time. */
  private final AtomicInteger overdueAborts = new AtomicInteger();

  Endings() {
    this(ORDERLY_MILLIS, ABORT_MILLIS);
  }

  Endings(long orderlyMillis, long abortMillis) {
    this.orderlyMillis = orderlyMillis;
    this.abortMillis = abortMillis;
  }

  /** Returns how long a close waits for one step of its coprocessors, at least 1. */
  public long limitMillis(boolean abort) {
    return abort
        ? Math.max(1, abortMillis >> Math.min(overdueAborts.get(), Integer.SIZE))
        : orderlyMillis;
  }

  /**
   * Runs a task, and waits for its end for a limited time, which is shorter for an abort.
   *
   * @param name the task, as its thread's name
   * @return false if it has not ended; then its thread is interrupted
   */
  public boolean run(String name, boolean abort, Runnable task) {
    try {
      OwnThread.call(name, limitMillis(abort), Executors.callable(task));
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OutOfMemoryError error) {
        throw error;
      }
      LOG.error("The {} failed", name, e.getCause());
      return true;
    } catch (TimeoutException e) {
      if (abort) {
        overdueAborts.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /**
   * Stops a coprocessor that is removed while its host goes on, and waits as for an abort.
   *
   * @param stop stops it, without an exception
   */
  public void remove(Class<?> coprocessor, Runnable stop) {
    if (!run("stop of " + coprocessor.getName(), true, stop)) {
      LOG.error("The coprocessor {} is removed, and does not stop", coprocessor.getName());
    }
  }
}
