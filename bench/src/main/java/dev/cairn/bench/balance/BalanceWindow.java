package dev.cairn.bench.balance;

import dev.cairn.bench.cluster.Percentiles;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The measurements of some seconds.
 *
 * @param endSeconds when it ended, counted from the start of the load
 * @param cores the processors that each server kept busy
 * @param moves the moves that the balancer planned in it
 * @param regions the regions of the table at its end
 * @param callsPerSecond the calls
 * @param millis how long calls took, a sample
 * @param load the load average of the machine at its end
 */
record BalanceWindow(
    double endSeconds,
    double[] cores,
    int moves,
    int regions,
    double callsPerSecond,
    Percentiles millis,
    double load) {

  /**
   * Returns the largest distance of a server's processor time from the mean, as a part of the mean.
   */
  double deviation() {
    return deviation(List.of(this));
  }

  /** Returns the same for the sum of several windows. */
  static double deviation(List<BalanceWindow> windows) {
    double[] sum = new double[windows.get(0).cores().length];
    for (BalanceWindow window : windows) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += window.cores()[i];
      }
    }
    double mean = Arrays.stream(sum).average().orElseThrow();
    return Arrays.stream(sum).map(one -> Math.abs(one - mean)).max().orElseThrow() / mean;
  }

  /** Returns a line for the output. */
  String line(LoadPattern pattern) {
    double mean = Arrays.stream(cores).average().orElseThrow();
    return String.format(
        Locale.ROOT,
        "%-10s %4.0f s  servers in %% of their mean: %s (%.2f cores)  moves %2d  regions %2d"
            + "  %6.0f/s  p50 %5.1f ms  p99 %6.1f ms  load %.0f",
        pattern,
        endSeconds,
        Arrays.stream(cores)
            .mapToObj(one -> "%3.0f".formatted(100 * one / mean))
            .collect(Collectors.joining(" ")),
        mean * cores.length,
        moves,
        regions,
        callsPerSecond,
        millis.at(0.5),
        millis.at(0.99),
        load);
  }
}
