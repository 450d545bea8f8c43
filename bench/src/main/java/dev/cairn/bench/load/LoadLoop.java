package dev.cairn.bench.load;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets tasks run, each in a thread of its own, and takes the time.
 *
 * <p>At a fixed rate the operations have times at which they are to begin, evenly spread over the
 * threads. A thread that is late begins at once; latencies count from the time that was meant. So
 * an operation that holds up others is booked with each of them, which a closed loop does not do:
 * there a slow server is asked less often while it is slow (coordinated omission). A server that
 * does not hold the rate gets half the time again to catch up.
 */
final class LoadLoop {
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double CATCH_UP = 1.5;
  private static final long CATCH_UP_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

  private final ThreadFactory threads;
  private final long intervalNanos;

  /**
   * Creates a loop.
   *
   * @param threads makes the threads
   * @param intervalNanos how fine timelines are
   */
  LoadLoop(ThreadFactory threads, long intervalNanos) {
    this.threads = threads;
    this.intervalNanos = intervalNanos;
  }

  /**
   * Runs the tasks until the time is over or there is nothing left to do; closes them.
   *
   * @param timed whether latencies are taken
   * @param seconds how long; {@link Double#POSITIVE_INFINITY} until nothing is left
   * @param rate operations to begin per second, in all; 0 for as fast as it goes
   * @throws IOException if an operation fails; the others are let finish first
   */
  LoadResult run(List<Task> tasks, boolean timed, double seconds, double rate)
      throws IOException, InterruptedException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    CountDownLatch go = new CountDownLatch(1);
    long[] start = new long[1];
    List<FutureTask<Tally>> running = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      int turn = i;
      FutureTask<Tally> future =
          new FutureTask<>(
              () -> {
                go.await();
                Tally tally = new Tally(start[0], intervalNanos);
                if (rate > 0) {
                  Schedule schedule =
                      new Schedule(start[0], SECOND_NANOS / rate, turn, tasks.size());
                  runAtRate(task, tally, schedule, start[0] + nanos(seconds), timed);
                } else {
                  runClosed(task, tally, start[0] + nanos(seconds), timed);
                }
                return tally;
              });
      running.add(future);
      threads.newThread(future).start();
    }
    long cpu = system.getProcessCpuTime();
    start[0] = System.nanoTime();
    go.countDown();
    Tally sum = new Tally(start[0], intervalNanos);
    IOException failure = null;
    for (FutureTask<Tally> one : running) {
      try {
        sum.add(one.get());
      } catch (ExecutionException e) {
        failure = asFailure(e.getCause());
      }
    }
    long end = System.nanoTime();
    double cpuSeconds = (system.getProcessCpuTime() - cpu) / SECOND_NANOS;
    for (Task task : tasks) {
      task.close();
    }
    if (failure != null) {
      throw failure;
    }
    return sum.result(end, cpuSeconds);
  }

  private static void runClosed(Task task, Tally tally, long end, boolean timed)
      throws IOException {
    Done done = new Done();
    long begun = System.nanoTime();
    while (begun < end && task.next(done)) {
      long now = System.nanoTime();
      tally.add(done, now);
      if (timed) {
        tally.addLatency(done.operation(), now - begun);
      }
      begun = now;
    }
  }

  private static void runAtRate(Task task, Tally tally, Schedule schedule, long end, boolean timed)
      throws IOException {
    Done done = new Done();
    long length = end - schedule.start();
    long lastEnd =
        schedule.start() + Math.max((long) (length * CATCH_UP), length + CATCH_UP_NANOS_MIN);
    for (long i = 0; ; i++) {
      long intended = schedule.time(i);
      if (intended >= end) {
        return;
      }
      long now = System.nanoTime();
      while (now < intended) {
        LockSupport.parkNanos(intended - now);
        now = System.nanoTime();
      }
      if (now >= lastEnd || !task.next(done)) {
        return;
      }
      now = System.nanoTime();
      tally.add(done, now);
      if (timed) {
        tally.addLatency(done.operation(), now - intended);
      }
    }
  }

  private static IOException asFailure(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException failure ? failure : new IOException(cause);
  }

  private static long nanos(double seconds) {
    // Half of the range, so that sums with the current time do not overflow.
    return (long) Math.min(Long.MAX_VALUE / 2.0, seconds * SECOND_NANOS);
  }

  /**
   * The start times of a thread's operations: every {@code threads}-th of all, from its turn on.
   */
  private record Schedule(long start, double gapNanos, int turn, int threads) {
    long time(long number) {
      return start + (long) ((number * threads + turn) * gapNanos);
    }
  }
}
