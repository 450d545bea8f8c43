package dev.cairn.shell.output;

import dev.cairn.shell.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Receives the output of a session. Used by one thread at a time. */
public interface Output {
  /** Prints a line. */
  void line(String text);

  /** Prints a line above a table whose rows repeat it as a field: JSON output omits it. */
  void heading(String text);

  /** Prints text without a line end, as {@code print} does. */
  void letters(String text);

  /**
   * Prints the header of a table and returns the printer of its rows. Prints rows at once, so a
   * table may have any number of them.
   */
  Rows table(List<String> head);

  /**
   * Prints a whole table of right-aligned columns, each as wide as its widest cell, and the number
   * of its rows.
   *
   * @param head the titles
   * @param spares the minimum padding of each title
   * @param rows each has as many cells as {@code head}: strings and numbers, null for unknown ones
   */
  void aligned(List<String> head, List<Integer> spares, List<List<Object>> rows);

  /**
   * Prints a result that text output shows as lines and JSON output as one object.
   *
   * @param fields strings, numbers, booleans, nulls, and lists and maps of them, by name
   */
  void report(List<String> lines, Map<String, Object> fields);

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

  /** Prints the rows of a table one by one. */
  interface Rows {
    /** Prints a row of strings. */
    void add(List<String> columns);

    /**
     * Prints a row.
     *
     * @param columns the columns for text output
     * @param fields the fields for JSON output: strings, numbers and booleans, by name
     */
    void add(List<String> columns, Map<String, Object> fields);

    /** Prints a row of names; text output omits the leading blank. */
    void name(String name);

    /**
     * Prints rows of names, which are one object in JSON output.
     *
     * @param fields the fields for JSON output: strings, numbers, booleans, and maps of them, by
     *     name
     */
    void names(List<String> names, Map<String, Object> fields);
  }
}
