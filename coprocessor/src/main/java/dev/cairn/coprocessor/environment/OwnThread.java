package dev.cairn.coprocessor.environment;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls code of users on a new thread, and waits for it for a limited time. A thread of a pool
 * would be lost to others if the code did not return.
 */
public final class OwnThread {
  private OwnThread() {}

  /**
   * Makes a call and returns its result.
   *
   * @param name the thread's name
   * @throws ExecutionException if the call throws
   * @throws TimeoutException if it has not returned in time. Then its thread is interrupted
   * @throws InterruptedException if this thread is interrupted. Then the other one is, too
   */
  public static <T> T call(String name, long limitMillis, Callable<T> work)
      throws ExecutionException, TimeoutException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(limitMillis, TimeUnit.MILLISECONDS);
    } finally {
      if (!task.isDone()) {
        thread.interrupt();
      }
    }
  }
}
