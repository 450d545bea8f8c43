package dev.cairn.shell.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The option {@code CONSTRAINTS} of tables, a hash of columns and their rules. Descriptors have an
 * attribute for each column, which the server checks.
 */
final class Constraints {
  /** The name of the option. */
  static final String OPTION = "CONSTRAINTS";

  private static final String PREFIX = "cairn.constraint.";

  private Constraints() {}

  /** Sets the rules of a column; removes them if there is none. */
  static void set(TableDescriptorBuilder table, String column, String rules) {
    String name = PREFIX + escaped(column.getBytes(StandardCharsets.UTF_8));
    if (rules.isBlank()) {
      table.removeValue(name);
    } else {
      table.setValue(name, rules.trim());
    }
  }

  /** Writes what is not printable as {@code \xHH}; a backslash of the user begins such a byte. */
  static String escaped(byte[] column) {
    StringBuilder text = new StringBuilder();
    for (byte b : column) {
      text.append(b == '\\' ? "\\" : Bytes.toStringBinary(new byte[] {b}));
    }
    return text.toString();
  }

  /** Tells whether an attribute of a table has the rules of a column. */
  static boolean isAttribute(String name) {
    return name.startsWith(PREFIX) && name.indexOf(':') >= 0;
  }

  /** Returns the column of an attribute. */
  static String column(String name) {
    return name.substring(PREFIX.length());
  }

  /** Returns the option as {@code describe} prints it, and {@code create} reads it. */
  static String text(Map<String, String> rules) {
    List<String> entries = new ArrayList<>();
    rules.forEach((column, text) -> entries.add(quoted(column) + " => " + quoted(text)));
    return OPTION + " => {" + String.join(", ", entries) + "}";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "\\'") + "'";
  }
}
