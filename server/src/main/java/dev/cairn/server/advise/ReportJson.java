package dev.cairn.server.advise;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Reads and writes reports as JSON. Rows are hexadecimal digits; the descriptor is HBase's message
 * in Base64. A call is a list: kind, row, low, high, requests, rows, hidden rows, bytes, processor
 * time, processor time of a scan, and the columns of which an index could serve it. Stateless.
 */
public final class ReportJson {
  private static final HexFormat HEX = HexFormat.of();

  private ReportJson() {}

  /** Returns the report as one object. */
  public static String of(TableReport report) {
    JsonObject json = new JsonObject();
    json.addProperty("table", report.schema().name().toString());
    json.addProperty("timeMillis", report.nowMillis());
    json.addProperty("cacheBytes", report.cacheBytes());
    json.addProperty(
        "descriptor", Base64.getEncoder().encodeToString(report.schema().message().toByteArray()));
    JsonArray regions = new JsonArray();
    report.regions().forEach(one -> regions.add(region(one)));
    json.add("regions", regions);
    JsonArray families = new JsonArray();
    report.families().forEach(one -> families.add(family(one)));
    json.add("families", families);
    JsonArray indexes = new JsonArray();
    report.indexes().forEach(one -> indexes.add(index(one)));
    json.add("indexes", indexes);
    JsonArray steps = new JsonArray();
    report.steps().forEach(one -> steps.add(step(one)));
    json.add("steps", steps);
    return json.toString();
  }

  private static JsonObject region(RegionRange region) {
    JsonObject json = new JsonObject();
    json.addProperty("start", HEX.formatHex(region.start()));
    json.addProperty("end", HEX.formatHex(region.end()));
    return json;
  }

  private static JsonObject family(StoreFigures figures) {
    JsonObject json = new JsonObject();
    json.addProperty("family", figures.family());
    json.addProperty("stores", figures.stores());
    json.addProperty("files", figures.files());
    json.addProperty("fileBytes", figures.fileBytes());
    json.addProperty("dataBytes", figures.dataBytes());
    json.addProperty("cells", figures.cells());
    json.addProperty("rows", figures.rows());
    json.addProperty("rowCells", figures.rowCells());
    json.addProperty("keyBytes", figures.keyBytes());
    json.addProperty("valueBytes", figures.valueBytes());
    json.addProperty("familyMarkers", figures.familyMarkers());
    json.addProperty("expiredBytes", figures.expiredBytes());
    json.addProperty("oldestPutMillis", figures.oldestPutMillis());
    json.addProperty("lastMajorMillis", figures.lastMajorMillis());
    return json;
  }

  private static JsonObject index(IndexFigures figures) {
    JsonObject json = new JsonObject();
    json.addProperty("name", figures.name());
    json.addProperty("complete", figures.isComplete());
    json.addProperty("uses", figures.uses());
    json.addProperty("sinceMillis", figures.sinceMillis());
    json.addProperty("bytes", figures.bytes());
    return json;
  }

  private static JsonObject step(CallStep step) {
    JsonArray calls = new JsonArray();
    for (LoadSample call : step.calls()) {
      JsonArray list = new JsonArray();
      list.add(call.kind().name().toLowerCase(Locale.ROOT));
      list.add(HEX.formatHex(call.row()));
      list.add(HEX.formatHex(call.low()));
      list.add(HEX.formatHex(call.high()));
      list.add(call.requests());
      list.add(call.rows());
      list.add(call.hidden());
      list.add(call.bytes());
      list.add(call.nanos());
      list.add(call.scanNanos());
      call.searched().forEach(list::add);
      calls.add(list);
    }
    JsonObject json = new JsonObject();
    json.addProperty("startMillis", step.startMillis());
    json.add("calls", calls);
    return json;
  }

  /**
   * Reads a report.
   *
   * @throws RuntimeException of several kinds if the text is not one
   */
  public static TableReport parse(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    List<RegionRange> regions = new ArrayList<>();
    json.getAsJsonArray("regions").forEach(one -> regions.add(region(one.getAsJsonObject())));
    List<StoreFigures> families = new ArrayList<>();
    json.getAsJsonArray("families").forEach(one -> families.add(family(one.getAsJsonObject())));
    List<CallStep> steps = new ArrayList<>();
    for (JsonElement one : json.getAsJsonArray("steps")) {
      List<LoadSample> calls = new ArrayList<>();
      one.getAsJsonObject()
          .getAsJsonArray("calls")
          .forEach(call -> calls.add(call(call.getAsJsonArray())));
      steps.add(new CallStep(number(one.getAsJsonObject(), "startMillis"), calls));
    }
    TableSchema schema =
        TableSchema.parse(Base64.getDecoder().decode(json.get("descriptor").getAsString()));
    return new TableReport(
        schema,
        regions,
        number(json, "cacheBytes"),
        families,
        indexes(json, schema),
        steps,
        number(json, "timeMillis"));
  }

  /** Returns the figures of indexes. A server of an older version has none. */
  private static List<IndexFigures> indexes(JsonObject json, TableSchema schema) {
    List<IndexFigures> indexes = new ArrayList<>();
    if (json.has("indexes")) {
      for (JsonElement one : json.getAsJsonArray("indexes")) {
        JsonObject index = one.getAsJsonObject();
        indexes.add(
            new IndexFigures(
                index.get("name").getAsString(),
                index.get("complete").getAsBoolean(),
                number(index, "uses"),
                number(index, "sinceMillis"),
                number(index, "bytes")));
      }
    } else {
      schema.indexes().all().forEach(index -> indexes.add(IndexFigures.unknown(index.name())));
    }
    return indexes;
  }

  private static RegionRange region(JsonObject json) {
    return new RegionRange(
        HEX.parseHex(json.get("start").getAsString()), HEX.parseHex(json.get("end").getAsString()));
  }

  private static StoreFigures family(JsonObject json) {
    return new StoreFigures(
        json.get("family").getAsString(),
        (int) number(json, "stores"),
        (int) number(json, "files"),
        number(json, "fileBytes"),
        number(json, "dataBytes"),
        number(json, "cells"),
        number(json, "rows"),
        number(json, "rowCells"),
        number(json, "keyBytes"),
        number(json, "valueBytes"),
        number(json, "familyMarkers"),
        number(json, "expiredBytes"),
        number(json, "oldestPutMillis"),
        number(json, "lastMajorMillis"));
  }

  private static LoadSample call(JsonArray list) {
    return new LoadSample(
        Kind.valueOf(list.get(0).getAsString().toUpperCase(Locale.ROOT)),
        HEX.parseHex(list.get(1).getAsString()),
        HEX.parseHex(list.get(2).getAsString()),
        HEX.parseHex(list.get(3).getAsString()),
        list.get(4).getAsDouble(),
        list.get(5).getAsDouble(),
        list.get(6).getAsDouble(),
        list.get(7).getAsDouble(),
        list.size() > 8 ? list.get(8).getAsDouble() : 0,
        list.size() > 9 ? list.get(9).getAsDouble() : 0,
        searched(list));
  }

  private static List<String> searched(JsonArray list) {
    List<String> columns = new ArrayList<>();
    for (int i = 10; i < list.size(); i++) {
      columns.add(list.get(i).getAsString());
    }
    return columns;
  }

  private static long number(JsonObject json, String name) {
    return json.get(name).getAsLong();
  }
}
