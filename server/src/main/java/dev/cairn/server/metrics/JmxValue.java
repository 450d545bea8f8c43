package dev.cairn.server.metrics;

import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/** Writes the value of a bean's attribute as JSON. Stateless. */
final class JmxValue {
  private JmxValue() {}

  static void write(Object value, JsonWriter json) throws IOException {
    if (value == null) {
      json.nullValue();
    } else if (value instanceof Double || value instanceof Float) {
      writeDecimal((Number) value, json);
    } else if (value instanceof Number number) {
      json.value(number);
    } else if (value instanceof Boolean truth) {
      json.value(truth);
    } else if (value instanceof CompositeData composite) {
      json.beginObject();
      Set<String> keys = new TreeSet<>(composite.getCompositeType().keySet());
      for (String key : keys) {
        json.name(key);
        write(composite.get(key), json);
      }
      json.endObject();
    } else if (value instanceof TabularData table) {
      writeAll(table.values(), json);
    } else if (value.getClass().isArray()) {
      json.beginArray();
      for (int i = 0; i < Array.getLength(value); i++) {
        write(Array.get(value, i), json);
      }
      json.endArray();
    } else {
      json.value(value.toString());
    }
  }

  private static void writeAll(Collection<?> values, JsonWriter json) throws IOException {
    json.beginArray();
    for (Object value : values) {
      write(value, json);
    }
    json.endArray();
  }

  /** Writes a number; JSON has none that are not finite. */
  private static void writeDecimal(Number value, JsonWriter json) throws IOException {
    if (Double.isFinite(value.doubleValue())) {
      json.value(value);
    } else {
      json.value(value.toString());
    }
  }
}
