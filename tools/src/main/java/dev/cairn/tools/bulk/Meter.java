package dev.cairn.tools.bulk;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Counts a job's work, and shows it on a terminal as a bar with the rate and the remaining time.
 * Thread-safe.
 */
public final class Meter implements AutoCloseable {
  private final LongAdder rows = new LongAdder();
  private final long startNanos = System.nanoTime();
  private final Optional<PrintStream> terminal;
  private Optional<ProgressBar> bar = Optional.empty();

  /** Creates a meter that shows a bar on {@code terminal}, if there is one. */
  public Meter(Optional<PrintStream> terminal) {
    this.terminal = terminal;
  }

  /** Shows the bar. */
  synchronized void begin(String task, long units, long unitsDone) {
    bar =
        terminal.map(
            stream ->
                new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(units)
                    .startsFrom(unitsDone, Duration.ZERO)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUnit(" %", Math.max(1, units / 100))
                    .setConsumer(new ConsoleProgressBarConsumer(stream))
                    .build());
  }

  /** Adds rows that are done. */
  void add(long more) {
    rows.add(more);
  }

  /** Moves the bar on. */
  synchronized void advance(long units) {
    bar.ifPresent(
        shown -> {
          shown.stepBy(units);
          shown.setExtraMessage(
              String.format(
                  Locale.ROOT, " %,d rows, %,.0f rows/s", rows.sum(), rows.sum() / seconds()));
        });
  }

  long rows() {
    return rows.sum();
  }

  double seconds() {
    return Math.max(1, System.nanoTime() - startNanos) / 1e9;
  }

  /** Returns the rows, the time and the rate, for a last line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%,d %s in %.1f s (%,.0f rows/s)",
        rows(),
        rows() == 1 ? "row" : "rows",
        seconds(),
        rows() / seconds());
  }

  /** Ends the bar. */
  @Override
  public synchronized void close() {
    bar.ifPresent(ProgressBar::close);
    bar = Optional.empty();
  }
}
