package dev.cairn.shell.output;

import dev.cairn.shell.value.Value;
import java.time.Duration;
import java.util.List;

/** Receives the output of a session. Used by one thread at a time. */
public interface Output {
  /** Prints a line. */
  void line(String text);

  /** Prints text without a line end, as {@code print} does. */
  void letters(String text);

  /**
   * Prints the header of a table and returns the printer of its rows. Prints rows at once, so a
   * table may have any number of them.
   */
  Rows table(List<String> head);

  /** Prints the number of rows of a table. */
  void footer(long rows);

  /** Prints a result that is one value. */
  void answer(Value value);

  /** Prints how long a command took. */
  void took(Duration time);

  /** Prints the value of a statement; {@code nil} prints nothing. */
  void result(Value value);

  /**
   * Prints an error.
   *
   * @param message one line
   * @param usage another line, for example where to find help; empty for none
   */
  void error(String message, String usage);

  /** Flushes all output to the operating system. */
  void flush();
}
