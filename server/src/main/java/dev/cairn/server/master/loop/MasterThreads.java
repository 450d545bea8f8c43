package dev.cairn.server.master.loop;

import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of one master's lanes. They end when they have nothing to do for a while. */
public final class MasterThreads implements MasterLoop.Lanes, Closeable {
  private static final int WORKERS = 8;
  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor work;
  private final ThreadPoolExecutor catalog;
  private final ThreadPoolExecutor store;
  private final ScheduledThreadPoolExecutor timer;

  /** Creates lanes whose threads {@code threads} makes when they are needed. */
  public MasterThreads(ThreadFactory threads) {
    this.work = pool(WORKERS, threads);
    this.catalog = pool(1, threads);
    this.store = pool(1, threads);
    this.timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ThreadPoolExecutor pool(int size, ThreadFactory threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public void execute(MasterLoop.Lane lane, Runnable action) {
    try {
      switch (lane) {
        case WORK -> work.execute(action);
        case CATALOG -> catalog.execute(action);
        case STORE -> store.execute(action);
      }
    } catch (RejectedExecutionException e) {
      // The master is closed; nobody waits for this action any more.
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

  /** Lets nothing new begin, interrupts what runs, and waits for writes of the store to end. */
  @Override
  public void close() {
    timer.shutdownNow();
    work.shutdownNow();
    catalog.shutdownNow();
    store.shutdown();
    try {
      store.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
