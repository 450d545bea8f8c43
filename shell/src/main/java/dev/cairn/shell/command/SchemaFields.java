package dev.cairn.shell.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Returns the schemas of tables and families as {@code describe} prints them in JSON. */
final class SchemaFields {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

  private SchemaFields() {}

  /** Returns a table's name, its state, its attributes and the rest of its configuration. */
  static Map<String, Object> of(TableDescriptor table, String state) {
    Map<String, Object> attributes = new TreeMap<>();
    Map<String, Object> configuration = new TreeMap<>();
    Map<String, Object> constraints = new TreeMap<>();
    table
        .getValues()
        .forEach(
            (key, value) -> {
              String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
              String text = Bytes.toString(value.get(), value.getOffset(), value.getLength());
              if (SchemaText.isAttribute(name)) {
                attributes.put(name, typed(text));
              } else if (Constraints.isAttribute(name)) {
                constraints.put(Constraints.column(name), text);
              } else if (!SchemaText.isHidden(name)) {
                configuration.put(name, text);
              }
            });
    if (!constraints.isEmpty()) {
      attributes.put(Constraints.OPTION, constraints);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("table", table.getTableName().getNameAsString());
    fields.put("state", state);
    fields.put("attributes", attributes);
    fields.put("configuration", configuration);
    return fields;
  }

  /** Returns a family's name, its attributes and the rest of its configuration. */
  static Map<String, Object> of(ColumnFamilyDescriptor family) {
    Map<String, Object> attributes = new TreeMap<>();
    Map<String, Object> configuration = new TreeMap<>(family.getConfiguration());
    family
        .getValues()
        .forEach(
            (key, value) -> {
              String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
              String text = Bytes.toString(value.get(), value.getOffset(), value.getLength());
              if (FamilyOptions.NAMES.contains(name)) {
                attributes.put(name, typed(text));
              } else {
                configuration.put(name, text);
              }
            });
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("family", family.getNameAsString());
    fields.put("attributes", attributes);
    fields.put("configuration", configuration);
    return fields;
  }

  /** Converts a text to a number or a boolean if it is one; otherwise returns the text. */
  private static Object typed(String text) {
    if (NUMBER.matcher(text).matches()) {
      return Long.valueOf(text);
    }
    return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
  }
}
