package dev.cairn.shell.output;

import dev.cairn.shell.value.Value;
import java.time.Duration;
import java.util.List;

/** Takes what a session prints. Used by one thread at a time. */
public interface Output {
  /** Prints a line. */
  void line(String text);

  /** Prints letters without a line's end, as {@code print} does. */
  void letters(String text);

  /**
   * Prints the head of a table and returns what prints its rows. Rows appear at once, so a table
   * may have any number of them.
   */
  Rows table(List<String> head);

  /** Prints how many rows a table had. */
  void footer(long rows);

  /** Prints an answer that is one value. */
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

  /** Hands everything to the operating system. */
  void flush();
}
