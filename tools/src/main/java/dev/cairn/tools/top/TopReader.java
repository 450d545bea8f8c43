package dev.cairn.tools.top;

import dev.cairn.tools.top.ClusterTraffic.Count;
import dev.cairn.tools.top.ClusterTraffic.Row;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Reads the latest traffic: asks the master for the region servers, then all of them at once. */
public final class TopReader {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Admin admin;
  private final HttpClient web;

  /** Creates a reader. */
  public TopReader(Admin admin) {
    this.admin = admin;
    this.web =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
  }

  /**
   * Reads the traffic.
   *
   * @throws IOException if no master answers
   */
  public ClusterTraffic read() throws IOException {
    ClusterMetrics metrics =
        admin.getClusterMetrics(java.util.EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
    List<String> problems = new ArrayList<>();
    Map<String, CompletableFuture<JsonObject>> answers = new LinkedHashMap<>();
    metrics.getLiveServerMetrics().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            server -> {
              String name = server.getKey().getHostname() + ":" + server.getKey().getPort();
              int port = server.getValue().getInfoServerPort();
              if (port > 0) {
                answers.put(name, ask(server.getKey().getHostname(), port));
              } else {
                problems.add(name + " has no web page (hbase.regionserver.info.port)");
              }
            });
    List<Row> servers = new ArrayList<>();
    List<Row> regions = new ArrayList<>();
    List<Count> rows = new ArrayList<>();
    List<Count> prefixes = new ArrayList<>();
    List<Count> callers = new ArrayList<>();
    answers.forEach(
        (name, answer) -> {
          try {
            JsonObject json = answer.join();
            if (!json.get("enabled").getAsBoolean()) {
              problems.add(name + " does not record traffic (cairn.traffic.enabled)");
            }
            keyProblems(json).stream()
                .filter(one -> !problems.contains(one))
                .forEach(problems::add);
            List<Row> own = regions(name, json);
            Row none = new Row(name, "", 0, 0, 0, 0, 0, 0);
            own.stream()
                .map(
                    one ->
                        new Row(
                            name,
                            "",
                            one.reads(),
                            one.writes(),
                            one.rows(),
                            one.bytes(),
                            one.nanos(),
                            one.errors()))
                .forEach(servers::add);
            servers.add(none);
            regions.addAll(own);
            keys(json, "hotRows", rows);
            keys(json, "hotPrefixes", prefixes);
            for (JsonElement one : json.getAsJsonArray("callers")) {
              JsonObject caller = one.getAsJsonObject();
              callers.add(
                  new Count(
                      text(caller, "user") + "@" + text(caller, "host"),
                      name,
                      "",
                      number(caller, "calls"),
                      number(caller, "error")));
            }
          } catch (CompletionException e) {
            problems.add(name + " does not answer: " + e.getCause());
          } catch (RuntimeException e) {
            problems.add(name + " sent an answer that cannot be read: " + e);
          }
        });
    List<Row> tables =
        regions.stream()
            .map(
                one ->
                    new Row(
                        one.name().substring(0, one.name().indexOf(' ')),
                        "",
                        one.reads(),
                        one.writes(),
                        one.rows(),
                        one.bytes(),
                        one.nanos(),
                        one.errors()))
            .toList();
    return new ClusterTraffic(
        System.currentTimeMillis(),
        ClusterTraffic.sums(servers).stream().sorted(Comparator.comparing(Row::name)).toList(),
        ClusterTraffic.sums(tables),
        regions,
        ClusterTraffic.sums(rows, true),
        ClusterTraffic.sums(prefixes, true),
        ClusterTraffic.sums(callers, false),
        problems);
  }

  private CompletableFuture<JsonObject> ask(String host, int port) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/api/v1/top"))
            .timeout(PATIENCE)
            .build();
    return web.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(
            answer -> {
              if (answer.statusCode() != 200) {
                throw new JsonParseException("HTTP status " + answer.statusCode());
              }
              return JsonParser.parseString(answer.body()).getAsJsonObject();
            });
  }

  private static List<Row> regions(String server, JsonObject json) {
    List<Row> regions = new ArrayList<>();
    for (JsonElement one : json.getAsJsonArray("regions")) {
      JsonObject region = one.getAsJsonObject();
      String parts = parts(region);
      String start = text(region, "start") + (parts.isEmpty() ? "" : " {" + parts + "}");
      regions.add(
          new Row(
              text(region, "table") + " " + text(region, "region"),
              start.isEmpty() ? server : server + " from " + start,
              number(region, "reads"),
              number(region, "writes"),
              number(region, "rows"),
              number(region, "bytes"),
              number(region, "time"),
              number(region, "errors")));
    }
    return regions;
  }

  private static void keys(JsonObject json, String list, List<Count> to) {
    for (JsonElement one : json.getAsJsonArray("tables")) {
      JsonObject table = one.getAsJsonObject();
      for (JsonElement key : table.getAsJsonArray(list)) {
        JsonObject hot = key.getAsJsonObject();
        to.add(
            new Count(
                text(hot, "key"),
                text(table, "table"),
                parts(hot),
                number(hot, "count"),
                number(hot, "error")));
      }
    }
  }

  /**
   * Returns a sentence for each malformed format of keys. A server of an older version has none.
   */
  private static List<String> keyProblems(JsonObject json) {
    List<String> problems = new ArrayList<>();
    if (json.has("keyProblems")) {
      json.getAsJsonArray("keyProblems").forEach(one -> problems.add(one.getAsString()));
    }
    return problems;
  }

  private static String parts(JsonObject key) {
    return key.has("parts") ? text(key, "parts") : "";
  }

  private static String text(JsonObject json, String name) {
    return json.get(name).getAsString();
  }

  private static double number(JsonObject json, String name) {
    return json.get(name).getAsDouble();
  }
}
