package dev.cairn.server.traffic.heatmap;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.keys.KeyDisplay;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Writes a heat map as JSON or CSV. Keys are shown twice: as text with {@code \xHH} for other
 * bytes, and as hexadecimal digits. Stateless.
 */
public final class HeatMapText {
  private HeatMapText() {}

  /**
   * Returns one JSON object. {@code values} has a list for each column, with a number for each key;
   * bucket {@code i} goes from key {@code i} to the next one, the last bucket to the end of the
   * query's rows. With a format of keys, {@code parts} has their parts, null for a key that has
   * none; {@code keyProblem} says why a declared format is not used.
   */
  public static String json(String table, HeatMap map, KeyDisplay display) {
    JsonObject head = new JsonObject();
    head.addProperty("table", table);
    head.addProperty("metric", map.metric().label());
    head.addProperty("unit", map.metric().unit());
    head.addProperty("fromMillis", map.fromMillis());
    head.addProperty("stepMillis", map.stepMillis());
    head.addProperty("total", rounded(map.total()));
    head.addProperty("max", rounded(map.max()));
    head.add("keys", texts(map.keys()));
    head.add("keysHex", hex(map.keys()));
    if (display.format().isPresent()) {
      head.add("parts", parts(map.keys(), display));
    }
    display.problem().ifPresent(problem -> head.addProperty("keyProblem", problem));
    head.add("borders", texts(map.borders()));
    head.add("bordersHex", hex(map.borders()));
    JsonArray events = new JsonArray();
    map.events().forEach(event -> events.add(event(event, map.isNewBorder(event))));
    head.add("events", events);
    StringBuilder json = new StringBuilder(head.toString());
    json.setLength(json.length() - 1);
    json.append(",\"values\":[");
    for (int column = 0; column < map.values().length; column++) {
      json.append(column == 0 ? "[" : ",[");
      append(json, map.values()[column]);
      json.append(']');
    }
    return json.append("]}").toString();
  }

  private static void append(StringBuilder json, double[] values) {
    for (int i = 0; i < values.length; i++) {
      double value = rounded(values[i]);
      json.append(i == 0 ? "" : ",");
      if (value == Math.rint(value)) {
        json.append((long) value);
      } else {
        json.append(value);
      }
    }
  }

  private static JsonObject event(RegionEvent event, boolean isNewBorder) {
    JsonObject json = new JsonObject();
    json.addProperty("millis", event.atMillis());
    json.addProperty("kind", event.kind().name().toLowerCase(Locale.ROOT));
    json.addProperty("region", event.region());
    json.addProperty("server", event.server());
    json.addProperty("start", Bytes.toStringBinary(event.start()));
    json.addProperty("end", Bytes.toStringBinary(event.end()));
    json.addProperty("startHex", HexFormat.of().formatHex(event.start()));
    json.addProperty("endHex", HexFormat.of().formatHex(event.end()));
    json.addProperty("newBorder", isNewBorder);
    return json;
  }

  /** Returns a line for each bucket and column with traffic, after a line of names. */
  public static String csv(HeatMap map) {
    StringBuilder csv = new StringBuilder("millis,start,end,startHex,endHex,");
    csv.append(map.metric().label()).append('\n');
    for (int column = 0; column < map.values().length; column++) {
      for (int i = 0; i < map.keys().size(); i++) {
        double value = map.values()[column][i];
        if (value != 0) {
          byte[] start = map.keys().get(i);
          byte[] end = i + 1 < map.keys().size() ? map.keys().get(i + 1) : Bytes.EMPTY;
          csv.append(map.fromMillis() + column * map.stepMillis())
              .append(',')
              .append(quoted(Bytes.toStringBinary(start)))
              .append(',')
              .append(quoted(Bytes.toStringBinary(end)))
              .append(',')
              .append(HexFormat.of().formatHex(start))
              .append(',')
              .append(HexFormat.of().formatHex(end))
              .append(',')
              .append(rounded(value))
              .append('\n');
        }
      }
    }
    return csv.toString();
  }

  /** A text that begins with a sign is a formula for spreadsheets, so it gets an apostrophe. */
  private static String quoted(String text) {
    boolean formula = !text.isEmpty() && "=+-@".indexOf(text.charAt(0)) >= 0;
    return '"' + (formula ? "'" : "") + text.replace("\"", "\"\"") + '"';
  }

  private static JsonArray texts(List<byte[]> keys) {
    JsonArray texts = new JsonArray();
    keys.forEach(key -> texts.add(Bytes.toStringBinary(key)));
    return texts;
  }

  private static JsonArray parts(List<byte[]> keys, KeyDisplay display) {
    JsonArray texts = new JsonArray();
    keys.forEach(key -> texts.add(parts(key, display).orElse(null)));
    return texts;
  }

  private static Optional<String> parts(byte[] key, KeyDisplay display) {
    if (key.length == 0) {
      return Optional.empty();
    }
    // A longer key was cut.
    return key.length < HeatFile.KEY_MAX ? display.partsOfBorder(key) : display.partsOfPrefix(key);
  }

  private static JsonArray hex(List<byte[]> keys) {
    JsonArray texts = new JsonArray();
    keys.forEach(key -> texts.add(HexFormat.of().formatHex(key)));
    return texts;
  }

  private static double rounded(double value) {
    return value >= 1_000 ? Math.rint(value) : Math.rint(value * 100) / 100;
  }
}
