package dev.cairn.bench.compare;

import dev.cairn.bench.folder.Folders;
import dev.cairn.bench.load.LoadClient;
import dev.cairn.bench.load.LoadResult;
import dev.cairn.bench.load.Pace;
import dev.cairn.bench.load.Workload;
import dev.cairn.bench.report.Mark;
import dev.cairn.bench.report.Measurement;
import dev.cairn.bench.report.Metric;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One side in one round: its server, the process that drives it, and what both cost. One thread.
 */
final class Contestant implements Closeable {
  /** Server time with the flush and the compactions that followed, by operation. */
  static final Metric SETTLED_CPU =
      new Metric("server CPU, until settled", "µs/op", Metric.Better.LESS);

  /** Processors that the other servers kept busy meanwhile. */
  static final Metric OTHERS_CPU = new Metric("other servers", "cores", Metric.Better.NEITHER);

  /** The share of a fixed rate that was reached. */
  static final Metric RATE_HELD = new Metric("rate held", "%", Metric.Better.MORE);

  /** Reads that found nothing. */
  static final Metric NOT_FOUND = new Metric("not found", "op", Metric.Better.NEITHER);

  /** The time from the request to stop until the process has ended. */
  static final Metric STOP_TIME = new Metric("stop", "s", Metric.Better.LESS);

  private static final String START = "start";
  private static final double MICROS = 1e6;
  private static final double MEGA = 1e6;
  private static final double PERCENT = 100;

  private final Side side;
  private final int round;
  private final Path folder;
  private final LoadClient client;
  private final ServerProcess server;
  private final ServerJvm jvm;
  private final Map<String, Double> starting = new LinkedHashMap<>();

  private Contestant(
      Side side,
      int round,
      Path folder,
      LoadClient client,
      ServerProcess server,
      double startSeconds)
      throws IOException {
    this.side = side;
    this.round = round;
    this.folder = folder;
    this.client = client;
    this.server = server;
    if (side.keepsData()) { // else there was nothing to answer
      starting.put(Metric.START_TIME.name(), startSeconds);
    }
    starting.put(Metric.RESIDENT.name(), server.figures().residentBytes() / MEGA);
    this.jvm = ServerJvm.attach(server.pid()); // costs memory itself, so it comes last
  }

  /** Starts the client, then the server, and waits until that has answered. */
  static Contestant start(Side side, int round, Plan plan) throws IOException {
    Path folder =
        Files.createDirectories(plan.folder().resolve("round-" + round).resolve(side.name()));
    LoadClient client =
        LoadClient.start(plan.load(), plan.clientHeap(), folder.resolve("client-output"));
    ServerProcess server = null;
    try {
      long start = System.nanoTime();
      server = side.start(folder, plan.server());
      Thread killer = new Thread(server::close); // if this process is ended before
      Runtime.getRuntime().addShutdownHook(killer);
      client.connect(server.site(), side.keepsData());
      return new Contestant(side, round, folder, client, server, secondsSince(start));
    } catch (IOException | RuntimeException e) {
      if (server != null) {
        server.close();
      }
      client.close();
      throw e;
    }
  }

  Side side() {
    return side;
  }

  /** Returns the options of the server's JVM. */
  String jvm() {
    return jvm.description();
  }

  /** Looks at what the server has cost so far. */
  ProcessFigures figures() throws IOException {
    return server.figures();
  }

  /** Prepares and warms up. */
  void warmUp(Workload workload, double seconds) throws IOException {
    client.prepare(workload);
    if (seconds > 0) {
      client.warmUp(workload, seconds);
    }
  }

  /** Warms up at a pace, with the flush and the compaction that belong to it. */
  void warmUp(Workload workload, Pace pace) throws IOException {
    client.run(workload, pace);
  }

  /**
   * Measures a workload.
   *
   * @param others the servers that are to do nothing meanwhile
   * @param repetition how often this was measured with it, of all rounds
   */
  Measured measure(Workload workload, Pace pace, List<Contestant> others, int repetition)
      throws IOException {
    double othersCpu = cpuSeconds(others);
    long allocatedByLooking = -jvm.allocatedBytes() + jvm.allocatedBytes();
    long allocated = jvm.allocatedBytes();
    ProcessFigures before = server.figures();
    LoadResult result;
    List<Mark> marks;
    ProcessFigures after;
    if (server.dataFolder().isPresent()) {
      try (StoreFileWatch watch = new StoreFileWatch(new StoreFolder(server.dataFolder().get()))) {
        result = client.run(workload, pace);
        after = server.figures();
        marks = watch.stop();
      }
    } else {
      result = client.run(workload, pace);
      after = server.figures();
      marks = List.of();
    }
    double units = Math.max(1, result.units());
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Metric.THROUGHPUT.name(), result.throughput());
    figures.put(
        Metric.SERVER_CPU.name(), (after.cpuSeconds() - before.cpuSeconds()) * MICROS / units);
    figures.put(Metric.CLIENT_CPU.name(), result.cpuSeconds() * MICROS / units);
    figures.put(
        Metric.ALLOCATED.name(),
        Math.max(0, jvm.allocatedBytes() - allocated - allocatedByLooking) / units);
    figures.put(Metric.RESIDENT.name(), after.residentBytes() / MEGA);
    figures.put(
        OTHERS_CPU.name(), (cpuSeconds(others) - othersCpu) / Math.max(1e-3, result.seconds()));
    figures.put(NOT_FOUND.name(), (double) result.missing());
    if (pace.fixed()) {
      figures.put(Metric.TARGET_RATE.name(), pace.rate());
      figures.put(RATE_HELD.name(), PERCENT * result.operationsPerSecond() / pace.rate());
    }
    if (workload.kind().counted() && server.dataFolder().isPresent()) {
      settle(workload, before, result, figures);
    }
    String name = workload.label() + (pace.fixed() ? " at a fixed rate" : "");
    return new Measured(
        new Measurement(
            name, side.name(), repetition, figures, result.latencies(), result.timeline(), marks),
        result);
  }

  /**
   * The results of a measurement.
   *
   * @param measurement for the report
   * @param result of the load
   */
  record Measured(Measurement measurement, LoadResult result) {}

  /** Makes a side finish its pending work now, as a part of the measurement. */
  private void settle(
      Workload workload, ProcessFigures before, LoadResult result, Map<String, Double> figures)
      throws IOException {
    client.settle(workload);
    ProcessFigures after = server.figures();
    Path data = server.dataFolder().orElseThrow();
    figures.put(
        SETTLED_CPU.name(),
        (after.cpuSeconds() - before.cpuSeconds()) * MICROS / Math.max(1, result.units()));
    figures.put(
        Metric.WRITE_AMPLIFICATION.name(),
        (after.writtenBytes() - before.writtenBytes()) / (double) Math.max(1, result.putBytes()));
    figures.put(Metric.DATA_ON_DISK.name(), new StoreFolder(data).liveBytes() / MEGA);
    figures.put(Metric.ALL_ON_DISK.name(), DataFolder.bytes(data) / MEGA);
  }

  private static double cpuSeconds(List<Contestant> contestants) throws IOException {
    double sum = 0;
    for (Contestant one : contestants) {
      sum += one.server.figures().cpuSeconds();
    }
    return sum;
  }

  /** Stops the server, and returns how its start and its end went. */
  Measurement stop() throws IOException {
    jvm.close();
    client.close();
    starting.put(STOP_TIME.name(), server.stop());
    return new Measurement(START, side.name(), round, starting);
  }

  /** Removes what the server kept. */
  void deleteFolder() throws IOException {
    Folders.delete(folder);
  }

  @Override
  public void close() throws IOException {
    jvm.close();
    server.close();
    client.close();
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
