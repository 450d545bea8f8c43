package dev.cairn.server.process;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ThreadKeys;
import dev.cairn.server.regionserver.RegionServerExecutors;
import dev.cairn.server.regionserver.assignment.Openings;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hooked.HookedThreads;
import dev.cairn.server.regionserver.hooked.HookedWork.Kind;
import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.walsplit.WalSplitSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one process, all named and all daemons. Pools let their threads go when they are
 * idle, so that a server without work has few.
 */
public final class ServerThreads implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;
  private static final int EVENT_LOOPS = 2;
  private static final int WEB_REQUESTS_MAX = 100;

  /** Reports wait for the master. */
  private static final int REPORTS_MAX = 4;

  private final List<ThreadPoolExecutor> pools = new ArrayList<>();
  private final ThreadPoolExecutor smallCompactions;
  private final ThreadPoolExecutor largeCompactions;
  private final ThreadPoolExecutor packing;
  private final ThreadPoolExecutor background;
  private final ThreadPoolExecutor cleaning;
  private final ThreadPoolExecutor web;
  private final ScheduledThreadPoolExecutor timer;
  private final RpcEventLoops loops;
  private final RegionServerExecutors regionServer;

  /** Creates the thread pools. Threads start on demand. */
  ServerThreads(SiteConfig config, Clock clock, HookTimes times) {
    this.smallCompactions = pool("cairn-small-compaction", config, ThreadKeys.SMALL_COMPACTIONS);
    this.largeCompactions = pool("cairn-large-compaction", config, ThreadKeys.LARGE_COMPACTIONS);
    this.packing = pool("cairn-packing", packingThreads());
    this.background = pool("cairn-background", 4);
    this.cleaning = pool("cairn-cleaning", 2);
    this.web = pool("cairn-web", 2, new ArrayBlockingQueue<>(WEB_REQUESTS_MAX));
    this.timer = new ScheduledThreadPoolExecutor(1, named("cairn-timer"));
    timer.setRemoveOnCancelPolicy(true);
    this.loops = new RpcEventLoops(EVENT_LOOPS, named("cairn-network"));
    this.regionServer =
        new RegionServerExecutors(
            new Openings(
                pool("cairn-open-meta", config, ThreadKeys.META_OPENINGS),
                pool("cairn-open-system", config, ThreadKeys.SYSTEM_OPENINGS),
                pool("cairn-open", config, ThreadKeys.OPENINGS)),
            pool("cairn-close", config, ThreadKeys.CLOSINGS),
            pool("cairn-reports", REPORTS_MAX),
            unlimited("cairn-chores"),
            pool("cairn-splits", 1),
            pool("cairn-flush", config, ThreadKeys.FLUSHES),
            smallCompactions,
            largeCompactions,
            pool("cairn-wal-splits", config.get(WalSplitSettings.SPLITTERS_MAX).intValue() + 1),
            hooked(config, clock, times),
            detached("cairn-ending"),
            timer);
  }

  private HookedThreads hooked(SiteConfig config, Clock clock, HookTimes times) {
    return new HookedThreads(
        unlimited("cairn-hooked"),
        timer,
        clock,
        times,
        Map.of(
            Kind.OPENING, () -> config.get(ThreadKeys.OPENINGS).intValue(),
            Kind.CLOSING, () -> config.get(ThreadKeys.CLOSINGS).intValue(),
            Kind.FLUSH, () -> config.get(ThreadKeys.FLUSHES).intValue(),
            Kind.SMALL_COMPACTION, smallCompactions::getMaximumPoolSize,
            Kind.LARGE_COMPACTION, largeCompactions::getMaximumPoolSize));
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

  /** Returns the threads of the region server. */
  RegionServerExecutors regionServer() {
    return regionServer;
  }

  /**
   * Changes how many compactions run at the same time. Waiting compactions begin at once if there
   * is a thread for them now; running ones go on, even if there are too many.
   */
  void resize(SiteConfig config) {
    resize(smallCompactions, config.get(ThreadKeys.SMALL_COMPACTIONS).intValue());
    resize(largeCompactions, config.get(ThreadKeys.LARGE_COMPACTIONS).intValue());
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

  /** Compresses blocks of files that flushes and compactions write; they do it themselves, too. */
  Executor packing() {
    return packing;
  }

  /** Deletes files that are no longer needed. */
  Executor cleaning() {
    return cleaning;
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
    pools.forEach(ThreadPoolExecutor::shutdownNow);
    loops.close();
  }

  /** Requests come first: a quarter of the processors, and four at most. */
  private static int packingThreads() {
    return Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 4));
  }

  private ThreadPoolExecutor pool(String name, SiteConfig config, ConfigKey<Long> threads) {
    return pool(name, config.get(threads).intValue());
  }

  /** Returns a pool that runs each task at once; the caller limits the number of tasks. */
  private ThreadPoolExecutor unlimited(String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            named(name));
    pools.add(pool);
    return pool;
  }

  private ThreadPoolExecutor pool(String name, int threads) {
    return pool(name, threads, new LinkedBlockingQueue<>());
  }

  private ThreadPoolExecutor pool(String name, int threads, BlockingQueue<Runnable> waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, waiting, named(name));
    pool.allowCoreThreadTimeOut(true);
    pools.add(pool);
    return pool;
  }
}
