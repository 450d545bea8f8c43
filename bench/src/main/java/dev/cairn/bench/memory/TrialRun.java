package dev.cairn.bench.memory;

import dev.cairn.bench.compare.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Runs trials against one server, with ordinary clients beside them. */
final class TrialRun {
  /** A generation's line in {@code GC.heap_info}, or the only line of G1. */
  private static final Pattern GENERATION =
      Pattern.compile("(?:heap|generation|PSYoungGen|ParOldGen)\\s+total \\d+K, used (\\d+)K");

  private static final int PROBES = 2;
  private static final long IDLE_SECONDS_MAX = 90;

  private final ServerProcess server;
  private final List<Trial> trials;
  private final PrintWriter out;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Histogram latencies = new ConcurrentHistogram(3);
  private final LongAdder probeErrors = new LongAdder();
  private final Map<Trial, Tally> tallies = new EnumMap<>(Trial.class);
  private long residentMax;

  TrialRun(ServerProcess server, List<Trial> trials, PrintWriter out) {
    this.server = server;
    this.trials = trials;
    this.out = out;
    trials.forEach(trial -> tallies.put(trial, new Tally()));
  }

  /**
   * Runs all trials at once.
   *
   * @param seconds the duration
   * @param wideCells the number of cells in the wide row
   * @return whether the server survived and released the memory
   */
  boolean run(long seconds, int wideCells) throws IOException, InterruptedException {
    try (Connection connection = server.connect()) {
      TrialTables tables = new TrialTables(connection);
      tables.make(wideCells);
      tables.flush();
      double before = idleMegabytes();
      List<Thread> threads = new ArrayList<>();
      for (Trial trial : trials) {
        TrialTables.Place place = tables.find(trial.table());
        for (int i = 0; i < trial.threads(); i++) {
          threads.add(start(() -> repeat(trial, place)));
        }
      }
      for (int i = 0; i < PROBES; i++) {
        threads.add(start(() -> probe(connection)));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      boolean alive = true;
      while (alive && System.nanoTime() < end) {
        TimeUnit.SECONDS.sleep(1);
        alive = server.process().isAlive();
        try {
          residentMax = Math.max(residentMax, server.figures().residentBytes());
        } catch (IOException e) {
          alive = false; // the server has just ended
        }
      }
      ended.set(true);
      threads.forEach(Thread::interrupt);
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(5));
      }
      alive &= server.process().isAlive();
      report(alive);
      return alive && isIdleAgain(tables, before);
    }
  }

  private Thread start(Runnable task) {
    Thread thread = new Thread(task, "trial");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void repeat(Trial trial, TrialTables.Place place) {
    Tally tally = tallies.get(trial);
    while (!ended.get()) {
      try (WireClient client = new WireClient(place.address())) {
        while (!ended.get()) {
          long failures = tally.failures();
          trial.step(client, place, tally);
          if (tally.failures() > failures) {
            pause(); // as clients do before a retry
          }
        }
      } catch (IOException e) {
        tally.failed(e.getClass().getSimpleName());
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The ordinary clients: gets and puts of small rows. */
  private void probe(Connection connection) {
    try (Table table = connection.getTable(TrialTables.SMALL)) {
      for (int i = 0; !ended.get(); i++) {
        byte[] row = TrialTables.smallRow(i % TrialTables.SMALL_ROWS);
        long begun = System.nanoTime();
        try {
          if (i % 2 == 0) {
            table.get(new Get(row));
          } else {
            table.put(
                new Put(row).addColumn(TrialTables.FAMILY, TrialTables.FAMILY, new byte[100]));
          }
          latencies.recordValue(System.nanoTime() - begun);
        } catch (IOException e) {
          if (!ended.get()) {
            probeErrors.increment();
          }
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (IOException e) {
      probeErrors.increment();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(boolean alive) {
    tallies.forEach((trial, tally) -> out.printf("  %-16s %s%n", trial, tally));
    out.printf(
        "  others: %d calls, %d failed; p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
        latencies.getTotalCount(),
        probeErrors.sum(),
        latencies.getValueAtPercentile(50) / 1e6,
        latencies.getValueAtPercentile(99) / 1e6,
        latencies.getMaxValue() / 1e6);
    out.printf(
        "  server: %s, at most %.0f MB resident%n",
        alive ? "alive" : "DEAD, see " + server.log(), residentMax / 1e6);
    out.flush();
  }

  private boolean isIdleAgain(TrialTables tables, double before)
      throws IOException, InterruptedException {
    tables.flush();
    double now = idleMegabytes();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(IDLE_SECONDS_MAX);
    // Only the block cache, which is full now, may still take memory.
    while (now > before * 1.5 + 10 && System.nanoTime() < end) {
      TimeUnit.SECONDS.sleep(5);
      now = idleMegabytes();
    }
    out.printf("  heap when idle: %.0f MB before, %.0f MB after%n", before, now);
    out.flush();
    return true;
  }

  /** Returns the live heap after a full collection, from jcmd: the sum over all generations. */
  private double idleMegabytes() throws IOException, InterruptedException {
    jcmd("GC.run");
    String info = jcmd("GC.heap_info");
    long kilobytes =
        GENERATION.matcher(info).results().mapToLong(m -> Long.parseLong(m.group(1))).sum();
    if (kilobytes == 0) {
      throw new IOException("Cannot read the heap's size in: " + info);
    }
    return kilobytes / 1e3;
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(tool.toString(), Long.toString(server.pid()), command)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
