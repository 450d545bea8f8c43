package dev.cairn.shell.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes the attributes of tables as {@code describe} prints them. */
final class SchemaText {
  /** Attributes that every descriptor has. */
  private static final List<String> HIDDEN = List.of("IS_META", "IS_ROOT");

  private SchemaText() {}

  /** Tells whether an attribute is in every descriptor and not printed. */
  static boolean isHidden(String name) {
    return HIDDEN.contains(name);
  }

  /** Tells whether a value of a table is one of its own attributes; others are configuration. */
  static boolean isAttribute(String name) {
    return TableOptions.has(name) && !name.equals("OWNER") && !name.equals("METADATA");
  }

  /** Returns a table's name, and its attributes, if any. */
  static String of(TableDescriptor table) {
    Map<String, String> own = new TreeMap<>();
    Map<String, String> metadata = new TreeMap<>();
    Map<String, String> constraints = new TreeMap<>();
    table
        .getValues()
        .forEach(
            (key, value) -> {
              String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
              String text = Bytes.toString(value.get(), value.getOffset(), value.getLength());
              if (Constraints.isAttribute(name)) {
                constraints.put(Constraints.column(name), text);
              } else if (!isHidden(name)) {
                (isAttribute(name) ? own : metadata).put(name, text);
              }
            });
    List<String> parts = new ArrayList<>();
    own.forEach((name, value) -> parts.add(name + " => '" + value + "'"));
    if (!constraints.isEmpty()) {
      parts.add(Constraints.text(constraints));
    }
    if (!metadata.isEmpty()) {
      List<String> entries = new ArrayList<>();
      metadata.forEach((name, value) -> entries.add("'" + name + "' => '" + value + "'"));
      parts.add("METADATA => {" + String.join(", ", entries) + "}");
    }
    return table.getTableName()
        + (parts.isEmpty() ? "" : ", {TABLE_ATTRIBUTES => {" + String.join(", ", parts) + "}}");
  }
}
