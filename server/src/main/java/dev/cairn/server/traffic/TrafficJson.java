package dev.cairn.server.traffic;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.keys.KeyDisplay;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.traffic.Traffic.Caller;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import dev.cairn.server.traffic.sketch.HotKeys;
import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Writes the latest traffic of a server as JSON. All rates are per second; {@code count} of a row
 * or prefix is at most {@code error} too large. {@code parts} of a key has its parts by the table's
 * {@code KEY_FORMAT}, if that has written it. Stateless.
 */
public final class TrafficJson {
  private static final int KEYS_MAX = 10;
  private static final int CALLERS_MAX = 32;

  private TrafficJson() {}

  /**
   * Returns one JSON object with {@code server}, {@code tables}, {@code regions}, {@code callers},
   * and {@code keyProblems}: a sentence for each table whose {@code KEY_FORMAT} is malformed.
   *
   * @param keys returns how the row keys of a table are shown
   */
  public static String of(Traffic traffic, Function<String, KeyDisplay> keys) {
    List<RegionTraffic> regions =
        traffic.regions().stream()
            .sorted(Comparator.comparingDouble(TrafficJson::requests).reversed())
            .toList();
    Map<String, KeyDisplay> displays = new TreeMap<>();
    regions.forEach(region -> displays.computeIfAbsent(region.table(), keys));
    JsonObject json = new JsonObject();
    json.addProperty("server", traffic.server());
    json.addProperty("enabled", traffic.isOn());
    json.add("tables", tables(regions, displays));
    JsonArray list = new JsonArray();
    regions.forEach(region -> list.add(region(region, displays.get(region.table()))));
    json.add("regions", list);
    JsonArray callers = new JsonArray();
    for (HeavyKey<Caller> caller : traffic.callers(CALLERS_MAX)) {
      JsonObject one = new JsonObject();
      one.addProperty("user", caller.key().user());
      one.addProperty("host", caller.key().host().getHostAddress());
      one.addProperty("calls", rounded(caller.count()));
      one.addProperty("error", rounded(caller.error()));
      callers.add(one);
    }
    json.add("callers", callers);
    JsonArray problems = new JsonArray();
    displays.forEach(
        (table, display) -> display.problem().ifPresent(why -> problems.add(table + ": " + why)));
    json.add("keyProblems", problems);
    return json.toString();
  }

  private static double requests(RegionTraffic region) {
    return (region.sums()[TrafficMetric.READS.ordinal()]
            + region.sums()[TrafficMetric.WRITES.ordinal()])
        / region.millis();
  }

  private static JsonObject region(RegionTraffic region, KeyDisplay display) {
    JsonObject json = new JsonObject();
    json.addProperty("table", region.table());
    json.addProperty("region", region.region());
    json.addProperty("start", Bytes.toStringBinary(region.start()));
    json.addProperty("end", Bytes.toStringBinary(region.end()));
    if (region.start().length > 0) {
      display.partsOfBorder(region.start()).ifPresent(parts -> json.addProperty("parts", parts));
    }
    json.addProperty("seconds", rounded(region.millis() / 1e3));
    add(region.perSecond(), json);
    add(region.hot(), region.millis() / 1e3, display, json);
    return json;
  }

  private static JsonArray tables(List<RegionTraffic> regions, Map<String, KeyDisplay> displays) {
    Map<String, double[]> rates = new TreeMap<>();
    Map<String, HotKeys> hot = new TreeMap<>();
    Map<String, Double> seconds = new TreeMap<>();
    for (RegionTraffic region : regions) {
      double[] sums = rates.computeIfAbsent(region.table(), any -> new double[TrafficMetric.COUNT]);
      double[] more = region.perSecond();
      for (int i = 0; i < sums.length; i++) {
        sums[i] += more[i];
      }
      hot.merge(region.table(), region.hot(), HotKeys::merge);
      seconds.merge(region.table(), region.millis() / 1e3, Math::max);
    }
    JsonArray tables = new JsonArray();
    rates.forEach(
        (table, sums) -> {
          JsonObject json = new JsonObject();
          json.addProperty("table", table);
          add(sums, json);
          add(hot.get(table), seconds.get(table), displays.get(table), json);
          tables.add(json);
        });
    return tables;
  }

  private static void add(double[] perSecond, JsonObject json) {
    for (TrafficMetric metric : TrafficMetric.values()) {
      json.addProperty(metric.label(), rounded(perSecond[metric.ordinal()]));
    }
  }

  private static void add(HotKeys hot, double seconds, KeyDisplay display, JsonObject json) {
    json.add(
        "hotRows",
        keys(
            hot.rows(KEYS_MAX),
            hot.total(),
            seconds,
            row -> LoadSample.isWhole(row) ? display.parts(row) : display.partsOfPrefix(row)));
    json.add(
        "hotPrefixes", keys(hot.prefixes(KEYS_MAX), hot.total(), seconds, display::partsOfPrefix));
  }

  private static JsonArray keys(
      List<HeavyKey<ByteString>> keys,
      double total,
      double seconds,
      Function<byte[], Optional<String>> parts) {
    JsonArray list = new JsonArray();
    for (HeavyKey<ByteString> key : keys) {
      JsonObject json = new JsonObject();
      byte[] bytes = key.key().toByteArray();
      json.addProperty("key", Bytes.toStringBinary(bytes));
      parts.apply(bytes).ifPresent(text -> json.addProperty("parts", text));
      json.addProperty("count", rounded(key.count() / seconds));
      json.addProperty("error", rounded(key.error() / seconds));
      json.addProperty("share", total == 0 ? 0 : Math.rint(1e4 * key.count() / total) / 1e4);
      list.add(json);
    }
    return list;
  }

  private static double rounded(double value) {
    return value >= 1_000 ? Math.rint(value) : Math.rint(value * 100) / 100;
  }
}
