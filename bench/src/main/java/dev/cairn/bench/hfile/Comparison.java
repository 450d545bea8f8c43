package dev.cairn.bench.hfile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the measurements of this package in rounds, in each of them Cairn and Apache in turns, each
 * in a JVM of its own, so that other load of the machine affects both; prints a table of ratios
 * when all rounds are over, and the results so far after each of them.
 *
 * <p>Arguments: the number of rounds, then options of JMH, which win over those set here. Only
 * pairs whose parameters are equal are compared.
 */
public final class Comparison {
  private static final String[] OPENINGS = {
    "java.base/java.nio",
    "java.base/sun.nio.ch",
    "java.base/java.lang",
    "java.base/java.lang.reflect",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/jdk.internal.ref",
    "java.base/jdk.internal.misc"
  };

  private static final List<String> MEASUREMENTS = List.of("Write", "Scan", "Seek");

  private final Map<String, Pair> pairs = new TreeMap<>();

  private Comparison() {}

  /** Measures. */
  public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
    int rounds = Integer.parseInt(arguments[0]);
    List<String> rest = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
    List<String> wanted = new ArrayList<>();
    while (!rest.isEmpty() && MEASUREMENTS.contains(rest.get(0))) {
      wanted.add(rest.remove(0));
    }
    CommandLineOptions given = new CommandLineOptions(rest.toArray(String[]::new));
    Comparison comparison = new Comparison();
    for (int round = 1; round <= rounds; round++) {
      comparison.run(given, wanted.isEmpty() ? MEASUREMENTS : wanted);
      System.out.printf("%nafter round %d of %d:%n%s", round, rounds, comparison.table());
    }
  }

  private void run(CommandLineOptions given, List<String> wanted) throws RunnerException {
    for (String measurement : wanted) {
      for (String encoding : values(given, "encoding", "NONE", "FAST_DIFF")) {
        for (String compression : values(given, "compression", "NONE", "SNAPPY")) {
          measure(given, measurement, encoding, compression);
        }
      }
    }
  }

  private void measure(
      CommandLineOptions given, String measurement, String encoding, String compression)
      throws RunnerException {
    Options options =
        new OptionsBuilder()
            .parent(given)
            .include("^" + Comparison.class.getPackageName() + "." + measurement + "\\.")
            .param("encoding", encoding)
            .param("compression", compression)
            .forks(given.getForkCount().orElse(1))
            .warmupIterations(given.getWarmupIterations().orElse(3))
            .warmupTime(given.getWarmupTime().orElse(TimeValue.milliseconds(1500)))
            .measurementIterations(given.getMeasurementIterations().orElse(3))
            .measurementTime(given.getMeasurementTime().orElse(TimeValue.seconds(1)))
            .timeUnit(TimeUnit.MICROSECONDS)
            .verbosity(given.verbosity().orElse(VerboseMode.SILENT))
            .shouldFailOnError(true)
            .addProfiler(CpuTime.class)
            .jvmArgs(jvmArguments())
            .build();
    Collection<RunResult> results = new Runner(options).run();
    for (RunResult result : results) {
      String benchmark = result.getParams().getBenchmark();
      String side = benchmark.substring(benchmark.lastIndexOf('.') + 1);
      String cached = result.getParams().getParam("cached");
      String name =
          measurement
              + (cached == null ? "" : Boolean.parseBoolean(cached) ? ", cached" : ", not cached")
              + "|"
              + encoding
              + "|"
              + compression;
      double micros = result.getPrimaryResult().getScore();
      int cells =
          measurement.equals("Seek") ? 1 : Integer.parseInt(result.getParams().getParam("cells"));
      Pair pair = pairs.computeIfAbsent(name, key -> new Pair());
      pair.add(side, new Cost(micros * 1000 / cells, CpuTime.perOperation(result) / cells));
    }
  }

  private String table() {
    StringBuilder table = new StringBuilder();
    table.append("| measured | encoding | compression | Cairn | Apache | times as fast |");
    table.append(" Cairn, CPU | Apache, CPU | CPU ratio |\n");
    table.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    pairs.forEach(
        (name, pair) ->
            table.append(
                "| %s | %s | %s |%n"
                    .formatted(
                        name.replace("|", " | "),
                        pair.describe(Cost::nanos),
                        pair.describe(Cost::cpuNanos))));
    return table.append("Nanoseconds per cell, medians; ratios: median (from, to).\n").toString();
  }

  private static String[] jvmArguments() {
    List<String> all = new ArrayList<>(List.of("-Xms2g", "-Xmx2g", "-XX:+UseG1GC"));
    for (String opening : OPENINGS) {
      all.add("--add-opens=" + opening + "=ALL-UNNAMED");
    }
    all.add("-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile", ""));
    return all.toArray(String[]::new);
  }

  private static Collection<String> values(
      CommandLineOptions given, String name, String... otherwise) {
    return given.getParameter(name).orElse(List.of(otherwise));
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The cost of one cell in one round: elapsed time, and processor time. */
  private record Cost(double nanos, double cpuNanos) {}

  /** The costs of both sides, one per round. */
  private static final class Pair {
    private final List<Cost> cairn = new ArrayList<>();
    private final List<Cost> apache = new ArrayList<>();

    void add(String side, Cost cost) {
      (side.equals("cairn") ? cairn : apache).add(cost);
    }

    /** Returns both medians, and Apache's cost by Cairn's, round by round. */
    String describe(ToDoubleFunction<Cost> part) {
      double[] ratios =
          IntStream.range(0, Math.min(cairn.size(), apache.size()))
              .mapToDouble(
                  i -> part.applyAsDouble(apache.get(i)) / part.applyAsDouble(cairn.get(i)))
              .sorted()
              .toArray();
      return "%.0f | %.0f | %.2f (%.2f to %.2f)"
          .formatted(
              median(cairn.stream().mapToDouble(part).sorted().toArray()),
              median(apache.stream().mapToDouble(part).sorted().toArray()),
              median(ratios),
              ratios[0],
              ratios[ratios.length - 1]);
    }
  }
}
