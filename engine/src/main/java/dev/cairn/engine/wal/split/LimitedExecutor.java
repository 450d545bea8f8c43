package dev.cairn.engine.wal.split;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs tasks on another executor, a limited number at a time, in the order in which they came. A
 * task must not throw. Thread-safe.
 */
final class LimitedExecutor implements Executor {
  private final Executor threads;
  private final int max;
  private final Queue<Runnable> waiting = new ArrayDeque<>(); // guarded by this
  private int running; // guarded by this

  /**
   * Creates it.
   *
   * @param threads runs each task at once, on another thread or on the caller's
   * @param max how many tasks run at a time
   */
  LimitedExecutor(Executor threads, int max) {
    this.threads = threads;
    this.max = max;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (running == max) {
        waiting.add(task);
        return;
      }
      running++;
    }
    threads.execute(() -> runAll(task));
  }

  private void runAll(Runnable first) {
    for (Runnable task = first; task != null; task = next()) {
      task.run();
    }
  }

  /** Returns the task that the calling thread runs next; null if there is none. */
  private synchronized Runnable next() {
    Runnable task = waiting.poll();
    if (task == null) {
      running--;
    }
    return task;
  }
}
