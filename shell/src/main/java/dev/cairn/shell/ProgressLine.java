package dev.cairn.shell;

import dev.cairn.shell.run.Progress;
import java.io.PrintStream;
import java.util.Locale;

/** Shows the row count and rate of a long command, in one line that it overwrites. */
final class ProgressLine implements Progress {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long NEXT_NANOS = 200_000_000L;

  /** Rows between two readings of the clock. */
  private static final int STRIDE = 256;

  private final PrintStream terminal;
  private long begin;
  private long last;
  private boolean shown;

  ProgressLine(PrintStream terminal) {
    this.terminal = terminal;
  }

  @Override
  public void rows(long count) {
    if (count == 1) {
      begin = System.nanoTime();
      last = begin + FIRST_NANOS - NEXT_NANOS;
    } else if (count % STRIDE == 0) {
      long now = System.nanoTime();
      if (now - last >= NEXT_NANOS) {
        last = now;
        shown = true;
        double rate = count * 1e9 / (now - begin);
        terminal.print(String.format(Locale.ROOT, "\r%,d rows, %,.0f rows/s\033[K", count, rate));
        terminal.flush();
      }
    }
  }

  @Override
  public void end() {
    if (shown) {
      terminal.print("\r\033[K");
      terminal.flush();
      shown = false;
    }
  }
}
