package dev.cairn.shell.output;

import dev.cairn.server.json.JsonText;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/** Writes JSON on one line. */
final class Json {
  private Json() {}

  /**
   * Returns the JSON of null, strings, numbers, booleans, and lists and maps of them; null for NaN.
   */
  static String of(Object value) {
    return JsonText.of(json -> write(json, value));
  }

  private static void write(JsonWriter json, Object value) throws IOException {
    if (value == null || value instanceof Number number && !Double.isFinite(number.doubleValue())) {
      json.nullValue();
    } else if (value instanceof Number number) {
      json.value(number);
    } else if (value instanceof Boolean bool) {
      json.value(bool);
    } else if (value instanceof Map<?, ?> map) {
      json.beginObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        write(json.name(String.valueOf(entry.getKey())), entry.getValue());
      }
      json.endObject();
    } else if (value instanceof List<?> list) {
      json.beginArray();
      for (Object item : list) {
        write(json, item);
      }
      json.endArray();
    } else {
      json.value(value.toString());
    }
  }

  /** Returns a value of the language as what {@link #of} takes; {@code nil} as null. */
  static Object plain(Value value) {
    if (value instanceof Value.Int number) {
      return number.value();
    } else if (value instanceof Value.Decimal number) {
      return number.value();
    } else if (value instanceof Value.Bool bool) {
      return bool.value();
    } else if (value instanceof Value.Array array) {
      return array.items().stream().map(Json::plain).collect(Collectors.toList());
    } else if (value instanceof Value.Hash hash) {
      Map<String, Object> entries = new LinkedHashMap<>();
      hash.entries().forEach((key, entry) -> entries.put(key.text().letters(), plain(entry)));
      return entries;
    } else if (value instanceof Value.TableReference table) {
      return table.name();
    }
    return value.equals(Value.NIL) ? null : value.text().letters();
  }
}
