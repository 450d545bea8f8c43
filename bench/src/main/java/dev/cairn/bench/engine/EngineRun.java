package dev.cairn.bench.engine;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Takes the measurements of one side, one after the other. */
final class EngineRun {
  /** The number of rows in one batch. */
  static final int BATCH = 100;

  /** The number of rows that a short scan reads. */
  static final int SCAN_ROWS = 50;

  /** The number of gets that compare the reads of the sides. */
  private static final int COMPARED_GETS = 1000;

  /** A thread that others keep from working gets this multiple of the requested time. */
  private static final int PATIENCE = 4;

  /** This part of the rows is loaded before the time of loading is taken. */
  private static final int LOAD_WARM_UP_SHARE = 4;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threadBean = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final RowStore store;
  private final int rows;
  private final long warmUpNanos;
  private final long measuredNanos;

  /**
   * Creates a run.
   *
   * @param rows how many rows the store is to have
   * @param warmUpNanos so long each phase runs before it is measured
   * @param measuredNanos so long it is measured
   */
  EngineRun(RowStore store, int rows, long warmUpNanos, long measuredNanos) {
    this.store = store;
    this.rows = rows;
    this.warmUpNanos = warmUpNanos;
    this.measuredNanos = measuredNanos;
  }

  /** Measures one phase. */
  PhaseCost measure(Phase phase, int threads) throws IOException {
    if (phase == Phase.LOAD) {
      load(0, rows / LOAD_WARM_UP_SHARE, threads);
      store.settle();
      return timed(phase, threads, () -> load(rows / LOAD_WARM_UP_SHARE, rows, threads));
    }
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(new Worker(phase, store.session(), i));
    }
    try {
      inParallel(workers, worker -> worker.run(warmUpNanos));
      if (phase.writes()) {
        store.settle();
      }
      return timed(phase, threads, () -> inParallel(workers, worker -> worker.run(measuredNanos)));
    } finally {
      workers.forEach(worker -> worker.session.close());
    }
  }

  /**
   * Reads all rows, some rows one by one, and some ranges; returns a checksum of every byte, which
   * is the same for all stores with these rows.
   */
  long checksum() throws IOException {
    Taker taker = new Taker();
    RowStore.Session session = store.session();
    try {
      session.scanAll(taker);
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < COMPARED_GETS; i++) {
        session.get(random.nextInt(rows), taker);
        session.get(rows + random.nextInt(rows), taker);
        if (i % SCAN_ROWS == 0) {
          session.scan(random.nextInt(rows), SCAN_ROWS, taker);
        }
      }
    } finally {
      session.close();
    }
    return taker.checksum() ^ taker.cells() << 32;
  }

  /** The work of threads: their operations, and their own cost. */
  private record Done(long operations, long cpuNanos, long allocatedBytes) {}

  private interface Work {
    Done run() throws IOException;
  }

  private interface Task<T> {
    Done run(T part) throws IOException;
  }

  private PhaseCost timed(Phase phase, int threads, Work work) throws IOException {
    long cpu = system.getProcessCpuTime();
    long begin = System.nanoTime();
    Done done = work.run();
    long wall = System.nanoTime() - begin;
    if (phase.writes()) {
      store.settle();
    }
    return new PhaseCost(
        phase,
        threads,
        done.operations(),
        wall,
        system.getProcessCpuTime() - cpu,
        done.cpuNanos(),
        done.allocatedBytes());
  }

  private Done load(int from, int to, int threads) throws IOException {
    List<int[]> parts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int width = to - from;
      parts.add(
          new int[] {
            from + (int) ((long) width * i / threads),
            from + (int) ((long) width * (i + 1) / threads)
          });
    }
    return inParallel(
        parts,
        part -> {
          RowStore.Session session = store.session();
          long cpu = threadBean.getCurrentThreadCpuTime();
          long allocated = threadBean.getCurrentThreadAllocatedBytes();
          int[] batch = new int[BATCH];
          try {
            for (int row = part[0]; row < part[1]; ) {
              int count = 0;
              while (count < BATCH && row < part[1]) {
                batch[count++] = row++;
              }
              session.putAll(batch, count);
            }
          } finally {
            session.close();
          }
          return new Done(
              part[1] - part[0],
              threadBean.getCurrentThreadCpuTime() - cpu,
              threadBean.getCurrentThreadAllocatedBytes() - allocated);
        });
  }

  private static <T> Done inParallel(List<T> parts, Task<T> task) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(parts.size());
    try {
      List<Callable<Done>> calls = new ArrayList<>();
      for (T part : parts) {
        calls.add(() -> task.run(part));
      }
      long operations = 0;
      long cpu = 0;
      long allocated = 0;
      for (Future<Done> future : threads.invokeAll(calls)) {
        operations += future.get().operations();
        cpu += future.get().cpuNanos();
        allocated += future.get().allocatedBytes();
      }
      return new Done(operations, cpu, allocated);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      threads.shutdown();
    }
  }

  /** One thread's share of a phase. */
  private final class Worker {
    private final Phase phase;
    private final RowStore.Session session;
    private final SplittableRandom random;
    private final Taker taker = new Taker();
    private final int[] batch = new int[BATCH];

    Worker(Phase phase, RowStore.Session session, int number) {
      this.phase = phase;
      this.session = session;
      this.random = new SplittableRandom(1000L * phase.ordinal() + number);
    }

    /** Works until so much time has gone by, and until it has worked half of that itself. */
    Done run(long nanos) throws IOException {
      long cpu = threadBean.getCurrentThreadCpuTime();
      long allocated = threadBean.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      long operations = 0;
      long passed = 0;
      while (passed < nanos
          || passed < nanos * PATIENCE && threadBean.getCurrentThreadCpuTime() - cpu < nanos / 2) {
        operations += some();
        passed = System.nanoTime() - begin;
      }
      return new Done(
          operations,
          threadBean.getCurrentThreadCpuTime() - cpu,
          threadBean.getCurrentThreadAllocatedBytes() - allocated);
    }

    /** Does a few operations; returns how many. */
    private long some() throws IOException {
      switch (phase) {
        case PUT -> session.put(anyRow());
        case BATCH -> {
          for (int i = 0; i < BATCH; i++) {
            batch[i] = anyRow();
          }
          session.putAll(batch, BATCH);
          return BATCH;
        }
        case MIXED -> {
          session.put(anyRow());
          session.get(anyRow(), taker);
          return 2;
        }
        case GET -> session.get(anyRow(), taker);
        case MISS -> session.get(rows + anyRow(), taker);
        case SCAN -> session.scan(anyRow(), SCAN_ROWS, taker);
        case SCAN_ALL -> {
          long before = taker.cells();
          session.scanAll(taker);
          return taker.cells() - before;
        }
        default -> throw new IllegalStateException(phase + " does not run by time");
      }
      return 1;
    }

    private int anyRow() {
      return random.nextInt(rows);
    }
  }
}
