package dev.cairn.server.advise;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes commands that can be pasted into the shell. Stateless. */
final class ShellText {
  private ShellText() {}

  /** Returns a string of the shell for any bytes. */
  static String quoted(byte[] bytes) {
    StringBuilder text = new StringBuilder("\"");
    for (byte one : bytes) {
      boolean isPlain = one >= ' ' && one < 127 && one != '"' && one != '\\' && one != '#';
      text.append(isPlain ? String.valueOf((char) one) : String.format("\\x%02X", one & 0xff));
    }
    return text.append('"').toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** Returns the command that changes attributes of a family. */
  static String alter(TableSchema table, String family, Map<String, String> attributes) {
    return "alter "
        + quoted(table.name().toString())
        + ", {NAME => "
        + quoted(family)
        + pairs(attributes)
        + "}";
  }

  /** Returns the command that changes an attribute of the table. */
  static String alter(TableSchema table, String attribute, String value) {
    return String.format(
        Locale.ROOT, "alter %s, %s => %s", quoted(table.name().toString()), attribute, value);
  }

  /** Returns the command that creates a table like this one, for other keys. */
  static String create(TableSchema table, String suffix, List<byte[]> borders) {
    String families =
        table.families().stream()
            .map(
                family ->
                    "{NAME => " + quoted(family.nameAsString()) + pairs(attributes(family)) + "}")
            .collect(Collectors.joining(", "));
    String splits = borders.stream().map(ShellText::quoted).collect(Collectors.joining(", "));
    return "create "
        + quoted(table.name() + suffix)
        + ", "
        + families
        + (splits.isEmpty() ? "" : ", SPLITS => [" + splits + "]");
  }

  private static Map<String, String> attributes(FamilySchema family) {
    return family.attributes();
  }

  private static String pairs(Map<String, String> attributes) {
    return attributes.entrySet().stream()
        .map(one -> ", " + one.getKey() + " => " + quoted(one.getValue()))
        .collect(Collectors.joining());
  }

  /** Returns the command that splits a table. */
  static String split(TableSchema table, byte[] row) {
    return "split " + quoted(table.name().toString()) + ", " + quoted(row);
  }

  /**
   * Returns the command that creates an index.
   *
   * @param columns each {@code FAMILY:QUALIFIER}
   */
  static String createIndex(TableSchema table, String index, List<byte[]> columns) {
    List<String> texts = columns.stream().map(ShellText::text).toList();
    return "create_index "
        + quoted(table.name().toString())
        + ", "
        + quoted(index)
        + ", COLUMNS => "
        + (texts.size() == 1 ? texts.get(0) : "[" + String.join(", ", texts) + "]");
  }

  /** Returns the command that drops an index. */
  static String dropIndex(TableSchema table, String index) {
    return "drop_index " + quoted(table.name().toString()) + ", " + quoted(index);
  }

  /** Returns a string of the shell, in double quotes only if it needs them. */
  private static String text(byte[] bytes) {
    for (byte one : bytes) {
      if (one < ' ' || one >= 127) {
        return quoted(bytes);
      }
    }
    return quoted(new String(bytes, StandardCharsets.US_ASCII));
  }

  /** Returns the command that compacts all files of a family. */
  static String majorCompact(TableSchema table, String family) {
    return "major_compact " + quoted(table.name().toString()) + ", " + quoted(family);
  }
}
