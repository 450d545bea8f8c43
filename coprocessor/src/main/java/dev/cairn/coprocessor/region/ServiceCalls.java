package dev.cairn.coprocessor.region;

import java.util.concurrent.TimeUnit;

/** Counts the calls of a region's services that run. Thread-safe. */
final class ServiceCalls {
  private int running;
  private boolean closed;

  /** Begins a call, which must end; returns false if none may begin any more. */
  synchronized boolean begin() {
    if (closed) {
      return false;
    }
    running++;
    return true;
  }

  /** Ends a call. */
  synchronized void end() {
    running--;
    notifyAll();
  }

  /**
   * Lets no call begin any more, and waits for those that run.
   *
   * @return false if one still runs after this time
   */
  synchronized boolean close(long millis) {
    closed = true;
    long begin = System.nanoTime();
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (running > 0 && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = TimeUnit.MILLISECONDS.toNanos(millis) - (System.nanoTime() - begin);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return running == 0;
  }
}
