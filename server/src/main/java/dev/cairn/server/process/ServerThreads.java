package dev.cairn.server.process;

import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.RpcEventLoops;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one process, all named and all daemons. Pools let their threads go when they are
 * idle, so that a server without work has few.
 */
final class ServerThreads implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;
  private static final int EVENT_LOOPS = 2;
  private static final int WEB_REQUESTS_MAX = 100;

  /** Openings and closings mostly wait: for files, and for the master. */
  private static final int REGIONS_MAX = 16;

  /**
   * The maximum numbers of concurrent compactions.
   *
   * @param small maximum small compactions
   * @param large maximum large compactions
   */
  record CompactionThreads(int small, int large) {
    /** Reads the numbers. */
    static CompactionThreads of(SiteConfig config) {
      return new CompactionThreads(
          config.get(EngineKeys.SMALL_COMPACTION_THREADS).intValue(),
          config.get(EngineKeys.LARGE_COMPACTION_THREADS).intValue());
    }
  }

  private final ThreadPoolExecutor regions;
  private final ThreadPoolExecutor splits;
  private final ThreadPoolExecutor flushes;
  private final ThreadPoolExecutor smallCompactions;
  private final ThreadPoolExecutor largeCompactions;
  private final ThreadPoolExecutor walSplits;
  private final ThreadPoolExecutor packing;
  private final ThreadPoolExecutor background;
  private final ThreadPoolExecutor chores;
  private final ThreadPoolExecutor web;
  private final ScheduledThreadPoolExecutor timer;
  private final RpcEventLoops loops;

  /**
   * Creates the thread pools. Threads start on demand.
   *
   * @param flushThreads the most regions that are flushed at the same time
   * @param compactionThreads how many compactions run at the same time
   * @param walSplitThreads the most logs of dead servers that are split at the same time, besides
   *     that of {@code hbase:meta}
   */
  ServerThreads(int flushThreads, CompactionThreads compactionThreads, int walSplitThreads) {
    this.regions = pool("cairn-regions", REGIONS_MAX);
    this.splits = pool("cairn-splits", 1);
    this.flushes = pool("cairn-flush", flushThreads);
    this.smallCompactions = pool("cairn-small-compaction", compactionThreads.small());
    this.largeCompactions = pool("cairn-large-compaction", compactionThreads.large());
    this.walSplits = pool("cairn-wal-splits", walSplitThreads + 1);
    this.packing = pool("cairn-packing", packingThreads());
    this.background = pool("cairn-background", 4);
    this.chores = pool("cairn-chores", 2);
    this.web = pool("cairn-web", 2, new ArrayBlockingQueue<>(WEB_REQUESTS_MAX));
    this.timer = new ScheduledThreadPoolExecutor(1, named("cairn-timer"));
    timer.setRemoveOnCancelPolicy(true);
    this.loops = new RpcEventLoops(EVENT_LOOPS, named("cairn-network"));
  }

  /** Returns a factory of daemon threads whose names begin with {@code name}. */
  static ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return runnable -> {
      Thread thread = new Thread(runnable, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Returns an executor that runs each task in a thread of its own: for ending what may hold all
   * others.
   */
  static Executor detached(String name) {
    return task -> named(name).newThread(task).start();
  }

  ExecutorService regions() {
    return regions;
  }

  /**
   * Decides on splits and asks the master for them, which may block for long: openings and closings
   * do not wait for that.
   */
  Executor splits() {
    return splits;
  }

  ExecutorService flushes() {
    return flushes;
  }

  Executor smallCompactions() {
    return smallCompactions;
  }

  Executor largeCompactions() {
    return largeCompactions;
  }

  /**
   * Changes how many compactions run at the same time. Waiting compactions begin at once if there
   * is a thread for them now; running ones go on, even if there are too many.
   */
  void resize(CompactionThreads threads) {
    resize(smallCompactions, threads.small());
    resize(largeCompactions, threads.large());
  }

  private static void resize(ThreadPoolExecutor pool, int threads) {
    if (threads > pool.getMaximumPoolSize()) {
      pool.setMaximumPoolSize(threads);
      pool.setCorePoolSize(threads);
    } else {
      pool.setCorePoolSize(threads);
      pool.setMaximumPoolSize(threads);
    }
  }

  /** Splits logs of dead servers for the master. */
  Executor walSplits() {
    return walSplits;
  }

  /** Compresses blocks of files that flushes and compactions write; they do it themselves, too. */
  Executor packing() {
    return packing;
  }

  /** Runs periodic tasks such as cleaning. */
  Executor chores() {
    return chores;
  }

  /** Renders pages for the web server; rejects tasks above its limit. */
  Executor web() {
    return web;
  }

  /** Runs small tasks that may wait: name look-ups and cache maintenance. */
  ExecutorService background() {
    return background;
  }

  ScheduledThreadPoolExecutor timer() {
    return timer;
  }

  RpcEventLoops loops() {
    return loops;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    regions.shutdownNow();
    splits.shutdownNow();
    flushes.shutdownNow();
    smallCompactions.shutdownNow();
    largeCompactions.shutdownNow();
    walSplits.shutdownNow();
    packing.shutdownNow();
    background.shutdownNow();
    chores.shutdownNow();
    web.shutdownNow();
    loops.close();
  }

  /** Requests come first: a quarter of the processors, and four at most. */
  private static int packingThreads() {
    return Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 4));
  }

  private static ThreadPoolExecutor pool(String name, int threads) {
    return pool(name, threads, new LinkedBlockingQueue<>());
  }

  private static ThreadPoolExecutor pool(
      String name, int threads, BlockingQueue<Runnable> waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, waiting, named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
