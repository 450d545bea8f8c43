package dev.cairn.bench.engine;

import dev.cairn.bench.folder.Folders;
import dev.cairn.bench.report.Machine;
import dev.cairn.bench.report.Measurement;
import dev.cairn.bench.report.Metric;
import dev.cairn.bench.report.Run;
import dev.cairn.bench.report.RunFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code cairn bench engine}: the engine without a network beside RocksDB and a skip list. Each
 * side runs in a process of its own, in turn and repeated, each round in another order; all must
 * have read the same bytes.
 */
@Command(
    name = "engine",
    description =
        "Measures the engine, without a network, beside RocksDB and a skip list in memory.")
public final class EngineCommand implements Callable<Integer> {
  private static final Metric WALL = new Metric("time", "ns/op", Metric.Better.LESS);
  private static final Metric CPU = new Metric("CPU", "ns/op", Metric.Better.LESS);

  private static final Metric THREAD = new Metric("caller's CPU", "ns/op", Metric.Better.LESS);

  @Mixin private EngineOptions options;

  @Option(names = "--out", description = "A file for the results, as JSON.")
  private Optional<Path> out;

  private final List<Measurement> measurements = new ArrayList<>();
  private final Map<String, String> checksums = new HashMap<>();

  @Override
  public Integer call() throws IOException {
    Instant started = Instant.now();
    List<Side> sides = new ArrayList<>();
    for (String name : options.sides) {
      sides.add(Side.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    for (int round = 1; round <= options.rounds; round++) {
      for (int data : options.dataMegabytes) {
        measureAll(sides, round, data);
      }
      Collections.reverse(sides);
    }
    Run run =
        new Run(
            "The engine without a network",
            started,
            Machine.local(),
            "",
            described(),
            List.of(Metric.THROUGHPUT, WALL, CPU, THREAD, Metric.ALLOCATED, Metric.DATA_ON_DISK),
            measurements);
    if (out.isPresent()) {
      RunFile.write(run, out.get());
    }
    return 0;
  }

  private void measureAll(List<Side> sides, int round, int data) throws IOException {
    for (String shape : options.shapes) {
      for (String compression : options.compressions) {
        for (String log : options.logs) {
          for (int threads : options.threads) {
            for (Side side : sides) {
              measure(side, round, data, shape, compression, log, threads);
            }
          }
        }
      }
    }
  }

  private Map<String, String> described() {
    Map<String, String> described = new LinkedHashMap<>();
    described.put("cache", options.cacheMegabytes + " MB");
    described.put("memory for writes", options.memTableMegabytes + " MB");
    described.put("blocks", options.blockKilobytes + " KB");
    described.put("seconds", Double.toString(options.seconds));
    described.put("heap", options.heap);
    return described;
  }

  private void measure(
      Side side, int round, int data, String shape, String compression, String log, int threads)
      throws IOException {
    Path folder = Files.createTempDirectory(Path.of(options.directory), "cairn-bench");
    try {
      String name =
          data + " MB, " + shape + ", " + compression + ", " + log + ", " + threads + " thr.";
      Process process = start(side, data, shape, compression, log, threads, folder);
      // Or the side would go on alone when this process is ended.
      Thread end = new Thread(process::destroyForcibly);
      Runtime.getRuntime().addShutdownHook(end);
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          take(line, side, round, name, data + "x" + shape);
        }
        if (process.waitFor() != 0) {
          throw new IOException(side.title() + " failed: " + name);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } finally {
        process.destroy();
        Runtime.getRuntime().removeShutdownHook(end);
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private Process start(
      Side side, int data, String shape, String compression, String log, int threads, Path folder)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xms" + options.heap,
            "-Xmx" + options.heap,
            "-XX:+UseG1GC",
            // Or the first use of every page of the heap would be measured.
            "-XX:+AlwaysPreTouch",
            "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile", ""),
            "-cp",
            System.getProperty("java.class.path"),
            SideProcess.class.getName()));
    command.addAll(
        List.of(
            "--side=" + side,
            "--folder=" + folder,
            "--shapes=" + shape,
            "--compression=" + compression,
            "--log=" + log,
            "--threads=" + threads,
            "--phases=" + String.join(",", options.phases),
            "--data=" + data,
            "--cache=" + options.cacheMegabytes,
            "--mem-table=" + options.memTableMegabytes,
            "--block=" + options.blockKilobytes,
            "--seconds=" + options.seconds,
            "--warm-up=" + options.warmUpSeconds));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void take(String line, Side side, int round, String name, String rows)
      throws IOException {
    if (line.startsWith(SideProcess.COST)) {
      PhaseCost cost = PhaseCost.ofLine(line.substring(SideProcess.COST.length()));
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put(Metric.THROUGHPUT.name(), cost.throughput());
      figures.put(WALL.name(), cost.wallPerOperation());
      figures.put(CPU.name(), cost.cpuPerOperation());
      figures.put(THREAD.name(), cost.threadPerOperation());
      figures.put(Metric.ALLOCATED.name(), cost.allocatedPerOperation());
      String workload = name + ": " + cost.phase().title();
      measurements.add(new Measurement(workload, side.title(), round, figures));
      System.out.printf(
          "%d %-10s %-60s %12.0f /s %10.0f ns %8.0f ns CPU %8.0f ns own %8.1f B by %s%n",
          round,
          side.title(),
          workload,
          cost.throughput(),
          cost.wallPerOperation(),
          cost.cpuPerOperation(),
          cost.threadPerOperation(),
          cost.allocatedPerOperation(),
          cost.phase().unit());
    } else if (line.startsWith(SideProcess.FILE_BYTES)) {
      double megabytes = Long.parseLong(line.substring(SideProcess.FILE_BYTES.length())) / 1e6;
      measurements.add(
          new Measurement(
              name + ": files",
              side.title(),
              round,
              Map.of(Metric.DATA_ON_DISK.name(), megabytes)));
      System.out.printf("%d %-10s %-60s %12.1f MB%n", round, side.title(), name, megabytes);
    } else if (line.startsWith(SideProcess.CHECKSUM)) {
      String sum = line.substring(SideProcess.CHECKSUM.length());
      String before = checksums.putIfAbsent(rows, sum);
      if (before != null && !before.equals(sum)) {
        throw new IOException(side.title() + " read other rows than the sides before: " + name);
      }
    } else {
      System.out.println(line);
    }
  }
}
