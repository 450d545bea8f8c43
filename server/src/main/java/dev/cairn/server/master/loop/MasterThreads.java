package dev.cairn.server.master.loop;

import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of one master's lanes. They end when they have nothing to do for a while. */
public final class MasterThreads implements MasterLoop.Lanes, Closeable {
  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor work;
  private final LaneQueues lanes;
  private final ThreadPoolExecutor store;
  private final ScheduledThreadPoolExecutor timer;

  /** Creates lanes whose threads {@code threads} makes when they are needed. */
  public MasterThreads(ThreadFactory threads) {
    this.work =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads);
    this.lanes = new LaneQueues(work);
    this.store =
        new ThreadPoolExecutor(
            Lane.STORE.threads(),
            Lane.STORE.threads(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            threads);
    store.allowCoreThreadTimeOut(true);
    this.timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Lane lane, Runnable action) {
    try {
      if (lane.equals(Lane.STORE)) {
        store.execute(action);
      } else {
        lanes.execute(lane, action);
      }
    } catch (RejectedExecutionException e) {
      // The master is closed; nothing waits for this action any more.
    }
  }

  @Override
  public void after(Duration delay, Runnable event) {
    try {
      timer.schedule(event, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // As above.
    }
  }

  /** Refuses new tasks, interrupts running ones, and waits for writes of the store to end. */
  @Override
  public void close() {
    timer.shutdownNow();
    lanes.close();
    work.shutdownNow();
    store.shutdown();
    try {
      store.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
