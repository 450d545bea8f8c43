package dev.cairn.shell.output;

import java.util.List;
import java.util.Map;

/** Prints the rows of a table one by one. */
public interface Rows {
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
   * @param fields the fields for JSON output: strings, numbers, booleans, and maps of them, by name
   */
  void names(List<String> names, Map<String, Object> fields);
}
