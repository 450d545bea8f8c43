package dev.cairn.bench.balance;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Summarizes the windows of a load.
 *
 * @param evenAfterSeconds the end of the first window in which all servers were within {@link
 *     #EVEN} of their mean; empty if there is none
 * @param deviationAfter the largest distance of a server from the mean, as a part of the mean, by
 *     the sum of the processor time of the windows after the first minute
 * @param windowsEven the part of the windows after the first minute in which all servers were
 *     within {@link #EVEN}
 * @param movesFirst the moves in the first minute
 * @param movesPerMinuteAfter the moves per minute after that
 * @param p99Quiet the median of the 99th percentiles of windows without a move, milliseconds
 * @param p99Moving the same of windows with moves; empty if there are none
 */
record BalanceSummary(
    LoadPattern load,
    OptionalDouble evenAfterSeconds,
    double deviationAfter,
    double windowsEven,
    int movesFirst,
    double movesPerMinuteAfter,
    OptionalDouble p99Quiet,
    OptionalDouble p99Moving) {
  /** The part of the mean by which a server may differ from the mean. */
  static final double EVEN = 0.1;

  /** The head of a table of rows. */
  static final String HEADER =
      "| load | all within 10 % after, s | largest distance from the mean after 60 s, %"
          + " | windows within 10 % after 60 s, % | moves in 60 s | moves a minute after that"
          + " | p99 without moves, ms | p99 with moves, ms |\n"
          + "| --- | --- | --- | --- | --- | --- | --- | --- |";

  private static final double FIRST_SECONDS = 60.5; // windows end some milliseconds late

  static BalanceSummary of(LoadPattern load, List<BalanceWindow> windows) {
    List<BalanceWindow> after =
        windows.stream().filter(window -> window.endSeconds() > FIRST_SECONDS).toList();
    List<BalanceWindow> counted = after.isEmpty() ? windows : after;
    double minutes = after.isEmpty() ? 1 : (windows.get(windows.size() - 1).endSeconds() - 60) / 60;
    return new BalanceSummary(
        load,
        windows.stream()
            .filter(window -> window.deviation() <= EVEN)
            .mapToDouble(BalanceWindow::endSeconds)
            .findFirst(),
        BalanceWindow.deviation(counted),
        counted.stream().filter(window -> window.deviation() <= EVEN).count()
            / (double) counted.size(),
        windows.stream().mapToInt(BalanceWindow::moves).sum()
            - after.stream().mapToInt(BalanceWindow::moves).sum(),
        after.stream().mapToInt(BalanceWindow::moves).sum() / minutes,
        p99(windows, false),
        p99(windows, true));
  }

  private static OptionalDouble p99(List<BalanceWindow> windows, boolean isMoving) {
    double[] sorted =
        windows.stream()
            .filter(window -> window.moves() > 0 == isMoving)
            .mapToDouble(window -> window.millis().at(0.99))
            .sorted()
            .toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sorted[sorted.length / 2]);
  }

  /** Returns a row of the table. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.0f | %.0f | %d | %.1f | %s | %s |",
        load.name().toLowerCase(Locale.ROOT),
        text("%.0f", evenAfterSeconds),
        100 * deviationAfter,
        100 * windowsEven,
        movesFirst,
        movesPerMinuteAfter,
        text("%.1f", p99Quiet),
        text("%.1f", p99Moving));
  }

  private static String text(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "";
  }
}
