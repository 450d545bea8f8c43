package dev.cairn.shell.output;

import java.util.List;
import java.util.Map;

/** Prints the rows of a table one by one. */
public interface Rows {
  /** Prints a row whose columns are texts. */
  void add(List<String> columns);

  /**
   * Prints a row.
   *
   * @param columns what text has
   * @param fields what JSON has: texts, numbers and truth values, by name
   */
  void add(List<String> columns, Map<String, Object> fields);

  /** Prints a row of names: without the blank before it, where text has one. */
  void name(String name);
}
