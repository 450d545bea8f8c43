package dev.cairn.bench.versions;

import dev.cairn.bench.hfile.CpuTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link VersionReads} in rounds, in each of them without and with order of writing in turns,
 * each in a JVM of its own, and prints a table of ratios of processor time, which hardly depend on
 * what else the machine does.
 *
 * <p>Arguments: the number of rounds, then options of JMH, which win over those set here.
 */
public final class VersionComparison {
  /** Without, with: processor time per operation in microseconds, one a round. */
  private record Pair(List<Double> classic, List<Double> ordered) {}

  private final Map<String, Pair> pairs = new TreeMap<>();

  private VersionComparison() {}

  /** Measures. */
  public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
    int rounds = Integer.parseInt(arguments[0]);
    String[] rest = List.of(arguments).subList(1, arguments.length).toArray(String[]::new);
    CommandLineOptions given = new CommandLineOptions(rest);
    VersionComparison comparison = new VersionComparison();
    for (int round = 1; round <= rounds; round++) {
      comparison.run(given, round % 2 == 0);
      System.out.printf("%nafter round %d of %d:%n%s", round, rounds, comparison.table());
    }
  }

  private void run(CommandLineOptions given, boolean orderedFirst) throws RunnerException {
    String[] turns = {Boolean.toString(orderedFirst), Boolean.toString(!orderedFirst)};
    for (String shape :
        given.getParameter("shape").orElse(List.of("once", "versions", "kept", "deleted"))) {
      for (String place : given.getParameter("place").orElse(List.of("memory", "file", "files"))) {
        for (String turn : turns) {
          measure(given, shape, place, turn);
        }
      }
    }
  }

  private void measure(CommandLineOptions given, String shape, String place, String ordered)
      throws RunnerException {
    var options =
        new OptionsBuilder()
            .parent(given)
            .include("^" + VersionReads.class.getName() + "\\.")
            .param("shape", shape)
            .param("place", place)
            .param("ordered", ordered)
            .forks(given.getForkCount().orElse(1))
            .warmupIterations(given.getWarmupIterations().orElse(3))
            .warmupTime(given.getWarmupTime().orElse(TimeValue.seconds(1)))
            .measurementIterations(given.getMeasurementIterations().orElse(3))
            .measurementTime(given.getMeasurementTime().orElse(TimeValue.seconds(1)))
            .timeUnit(TimeUnit.MICROSECONDS)
            .verbosity(given.verbosity().orElse(VerboseMode.SILENT))
            .shouldFailOnError(true)
            .addProfiler(CpuTime.class)
            .jvmArgs(
                "-Xms1g",
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile="
                    + System.getProperty("logback.configurationFile", ""))
            .build();
    for (RunResult result : new Runner(options).run()) {
      String benchmark = result.getParams().getBenchmark();
      String name =
          benchmark.substring(benchmark.lastIndexOf('.') + 1) + " | " + shape + " | " + place;
      Pair pair =
          pairs.computeIfAbsent(name, key -> new Pair(new ArrayList<>(), new ArrayList<>()));
      (ordered.equals("true") ? pair.ordered() : pair.classic())
          .add(CpuTime.perOperation(result) / 1000);
    }
  }

  private String table() {
    StringBuilder table = new StringBuilder();
    table.append("| read | cells | in | by timestamp | by write | ratio |\n");
    table.append("| --- | --- | --- | --- | --- | --- |\n");
    pairs.forEach(
        (name, pair) -> {
          double[] ratios =
              IntStream.range(0, pair.classic().size())
                  .mapToDouble(i -> pair.ordered().get(i) / pair.classic().get(i))
                  .sorted()
                  .toArray();
          table.append(
              "| %s | %.1f | %.1f | %.2f (%.2f to %.2f) |%n"
                  .formatted(
                      name,
                      median(pair.classic()),
                      median(pair.ordered()),
                      ratios[ratios.length / 2],
                      ratios[0],
                      ratios[ratios.length - 1]));
        });
    return table.append("Microseconds of processor time; ratios: median (from, to).\n").toString();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
