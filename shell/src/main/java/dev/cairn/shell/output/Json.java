package dev.cairn.shell.output;

import dev.cairn.shell.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON on one line. */
final class Json {
  private Json() {}

  /**
   * Returns the JSON of null, strings, numbers, booleans, and lists and maps of them; null for NaN.
   */
  static String of(Object value) {
    if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
      return "null";
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> quoted(String.valueOf(entry.getKey())) + ":" + of(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    } else if (value instanceof List<?> list) {
      return list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
    }
    return quoted(value.toString());
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

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < 0x20) {
            json.append(String.format("\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
