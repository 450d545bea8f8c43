package dev.cairn.shell;

import dev.cairn.shell.run.Session.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows the row count and rate of a long command, in one line that it overwrites. The command's
 * output may go to the same terminal: {@link #output} clears the line before it prints, and the
 * line appears only after a line end of the output.
 */
final class ProgressLine implements Progress {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long NEXT_NANOS = 200_000_000L;

  /** Rows between two readings of the clock. */
  private static final int STRIDE = 256;

  private final PrintWriter terminal;
  private final LongSupplier nanos;
  private final PrintWriter output;
  private long begin;
  private long last;
  private boolean shown;

  /** True if the last character of the output ended a line. */
  private boolean lineEnded = true;

  /**
   * Creates a progress line.
   *
   * @param output prints the output of commands
   * @param nanos a clock that stops while the command must not print
   */
  ProgressLine(PrintWriter terminal, Writer output, LongSupplier nanos) {
    this.terminal = terminal;
    this.nanos = nanos;
    this.output = new PrintWriter(new Above(output));
  }

  /** Returns the output of commands. */
  PrintWriter output() {
    return output;
  }

  @Override
  public void rows(long count) {
    if (count == 1) {
      begin = nanos.getAsLong();
      last = begin + FIRST_NANOS - NEXT_NANOS;
    } else if (count % STRIDE == 0) {
      long now = nanos.getAsLong();
      if (now - last >= NEXT_NANOS && lineEnded) {
        last = now;
        output.flush();
        double rate = count * 1e9 / (now - begin);
        terminal.print(String.format(Locale.ROOT, "\r%,d rows, %,.0f rows/s\033[K", count, rate));
        terminal.flush();
        shown = true;
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

  /** The output above the line. */
  private final class Above extends Writer {
    private final Writer output;

    Above(Writer output) {
      this.output = output;
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
      if (length > 0) {
        end();
        output.write(characters, offset, length);
        lineEnded = characters[offset + length - 1] == '\n';
      }
    }

    @Override
    public void flush() throws IOException {
      output.flush();
    }

    @Override
    public void close() throws IOException {
      output.close();
    }
  }
}
