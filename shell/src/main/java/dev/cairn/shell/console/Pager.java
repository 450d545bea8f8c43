package dev.cairn.shell.console;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.util.function.LongSupplier;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;

/** Stops long output after each screen until a key is pressed. */
final class Pager extends Writer {
  private static final String QUESTION = "-- more: space, Enter for a line, a for all, q to end --";

  /** The key Ctrl-C. */
  private static final int CANCELS = 3;

  private final Terminal terminal;
  private final Runnable quit;
  private final LongSupplier nanos;
  private long waited;
  private int left;
  private boolean ended;

  /**
   * Creates a pager.
   *
   * @param quit cancels the command when the user skips the rest of its output
   * @param nanos a clock of nanoseconds
   */
  Pager(Terminal terminal, Runnable quit, LongSupplier nanos) {
    this.terminal = terminal;
    this.quit = quit;
    this.nanos = nanos;
    reset();
  }

  /** Begins a new screen. */
  void reset() {
    left = screen();
    ended = false;
  }

  /** Returns the time of a clock that stops while a question waits for a key. */
  long runningNanos() {
    return nanos.getAsLong() - waited;
  }

  private int screen() {
    return Math.max(1, terminal.getHeight() - 1);
  }

  @Override
  public void write(char[] characters, int offset, int length) throws IOException {
    int begin = offset;
    for (int i = offset; i < offset + length && !ended; i++) {
      if (characters[i] == '\n') {
        terminal.writer().write(characters, begin, i + 1 - begin);
        begin = i + 1;
        if (--left == 0) {
          ask();
        }
      }
    }
    if (!ended) {
      terminal.writer().write(characters, begin, offset + length - begin);
    }
  }

  private void ask() throws IOException {
    if (terminal.getHeight() <= 0) {
      left = Integer.MAX_VALUE; // no screen to fill
      return;
    }
    terminal.writer().write(QUESTION);
    terminal.flush();
    long asked = nanos.getAsLong();
    Attributes before = terminal.enterRawMode();
    try {
      int key = key();
      waited += nanos.getAsLong() - asked;
      switch (key) {
        case 'q', CANCELS -> {
          ended = true;
          quit.run();
        }
        case 'a' -> left = Integer.MAX_VALUE;
        case '\r', '\n', 'j' -> left = 1;
        default -> left = screen();
      }
    } finally {
      terminal.setAttributes(before);
    }
    terminal.writer().write("\r" + " ".repeat(QUESTION.length()) + "\r");
  }

  /** Returns the pressed key; {@link #CANCELS} for Ctrl-C, which arrives as a key or a signal. */
  private int key() throws IOException {
    try {
      return terminal.reader().read();
    } catch (InterruptedIOException e) {
      return CANCELS;
    }
  }

  @Override
  public void flush() {
    terminal.flush();
  }

  @Override
  public void close() {
    terminal.flush();
  }
}
