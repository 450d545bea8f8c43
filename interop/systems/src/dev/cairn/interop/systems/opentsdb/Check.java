package dev.cairn.interop.systems.opentsdb;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.interop.systems.check.JavaProcess;
import dev.cairn.interop.systems.check.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;

/**
 * What a user of OpenTSDB does: data points by telnet and HTTP, queries, rows compacted into one
 * cell, appends, salted keys, names, metadata, annotations, trees, and the command line's tools.
 */
public final class Check {
  /** The begin of an hour. */
  private static final long BASE = 1_699_999_200;

  /** Seconds of data, one data point each ten. */
  private static final int SPAN = 7200;

  private static final String LATENCY =
      "/api/query?ms=true&start=" + BASE + "&end=" + (BASE + SPAN) + "&m=sum:latency";

  private final Report report = new Report();
  private final String quorum;
  private final Path work;

  private Check(String quorum, Path work) {
    this.quorum = quorum;
    this.work = work;
  }

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) throws Exception {
    Path site = Path.of(arguments[0]);
    Check check = new Check(Report.quorum(site), Path.of(arguments[1]));
    try {
      check.all();
    } catch (Throwable e) {
      check.report.run(
          "goes on",
          () -> {
            throw e;
          });
    }
    check.report.end();
  }

  private void all() throws Exception {
    Path plain =
        Tsd.configuration(
            work,
            "plain",
            quorum,
            Map.of(
                "tsd.core.meta.enable_realtime_ts", "true",
                "tsd.core.meta.enable_realtime_uid", "true",
                "tsd.core.meta.enable_tsuid_tracking", "true",
                "tsd.core.meta.enable_tsuid_incrementing", "true",
                "tsd.core.tree.enable_processing", "true",
                "tsd.http.query.allow_delete", "true"));
    try (Tsd tsd = Tsd.start(plain)) {
      tree(tsd);
      puts(tsd);
      queries(tsd, "");
      names(tsd);
      metadata(tsd);
      annotations(tsd);
      report.equalSoon(
          "rows of past hours are compacted into one cell each",
          "6 of 6",
          () -> compacted("tsdb", "cpu"));
      queries(tsd, " of compacted rows");
    }
    try (Tsd tsd = Tsd.start(plain)) {
      queries(tsd, " after a restart");
      deletes(tsd);
    }
    appends();
    salted();
    tools(plain);
    try (Tsd tsd = Tsd.start(plain)) {
      branches(tsd);
      race(tsd);
    }
  }

  private void puts(Tsd tsd) {
    report.equal("puts 2160 data points by telnet", "", () -> tsd.telnet(cpu("cpu")));
    report.equal(
        "puts 300 floats with milliseconds by HTTP",
        "{\"success\":300,\"failed\":0,\"errors\":[]}",
        () -> {
          List<String> points = new ArrayList<>();
          for (int i = 0; i < 300; i++) {
            points.add(point("latency", BASE * 1000 + i * 250L, String.valueOf(i / 4.0), "web1"));
          }
          return tsd.post("/api/put?details", "[" + String.join(",", points) + "]").toString();
        });
    report.equal(
        "refuses a data point without tags",
        400,
        () ->
            tsd.post("/api/put", "{\"metric\":\"cpu\",\"timestamp\":1,\"value\":1}")
                .path("error")
                .path("code")
                .asInt());
    report.equalSoon(
        "all data points can be read",
        "720 points, sum 1553040",
        () -> points(tsd.query(BASE, BASE + SPAN, "sum:cpu").path(0)));
    report.equalSoon(
        "… also the floats", "300 points, sum 11212.5", () -> points(tsd.get(LATENCY).path(0)));
  }

  private void queries(Tsd tsd, String of) {
    report.equal(
        "sum" + of,
        "720 points, sum 1553040",
        () -> points(tsd.query(BASE, BASE + SPAN, "sum:cpu").path(0)));
    report.equal(
        "a tag's value, half an hour in the middle" + of,
        "181 points, sum 162900",
        () -> points(tsd.query(BASE + 1800 * 2, BASE + 1800 * 3, "sum:cpu{host=web2}").path(0)));
    report.equal(
        "maximum for each host, downsampled to ten minutes" + of,
        "web1: 12 points, sum 4668; web2: 12 points, sum 9336; web3: 12 points, sum 14004",
        () -> groups(tsd.query(BASE, BASE + SPAN, "max:10m-max:cpu{host=*}")));
    report.equal(
        "rate" + of,
        "719 points, sum 431.4",
        () -> points(tsd.query(BASE, BASE + SPAN, "sum:rate:cpu").path(0)));
    report.equal(
        "floats and milliseconds" + of,
        "300 points, sum 11212.5",
        () -> points(tsd.get(LATENCY).path(0)));
    for (String filter :
        List.of(
            "{\"type\":\"regexp\",\"tagk\":\"host\",\"filter\":\"web[13]\",\"groupBy\":true}",
            "{\"type\":\"literal_or\",\"tagk\":\"host\",\"filter\":\"web1|web3\",\"groupBy\":true}",
            "{\"type\":\"not_literal_or\",\"tagk\":\"host\",\"filter\":\"web2\",\"groupBy\":true}")) {
      for (boolean explicit : new boolean[] {false, true}) {
        String body =
            "{\"start\":"
                + BASE
                + ",\"end\":"
                + (BASE + SPAN)
                + ",\"queries\":[{\"metric\":\"cpu\",\"aggregator\":\"sum\",\"explicitTags\":"
                + explicit
                + ",\"filters\":["
                + filter
                + (explicit
                    ? ",{\"type\":\"wildcard\",\"tagk\":\"dc\",\"filter\":\"*\",\"groupBy\":false}"
                    : "")
                + "]}]}";
        report.equal(
            "filter "
                + filter.replaceAll(".*\"type\":\"([^\"]*)\".*", "$1")
                + (explicit ? ", with a fuzzy row filter" : "")
                + of,
            "web1: 720 points, sum 258840; web3: 720 points, sum 776520",
            () -> groups(tsd.post("/api/query", body)));
      }
    }
  }

  private void names(Tsd tsd) {
    report.equal(
        "suggests names", "[\"cpu\"]", () -> tsd.get("/api/suggest?type=metrics&q=c").toString());
    report.equal(
        "assigns ids to names",
        "[\"hand.made.1\",\"hand.made.2\"]",
        () -> {
          List<String> assigned = new ArrayList<>();
          tsd.get("/api/uid/assign?metric=hand.made.1,hand.made.2")
              .path("metric")
              .fieldNames()
              .forEachRemaining(name -> assigned.add('"' + name + '"'));
          return "[" + String.join(",", new TreeSet<>(assigned)) + "]";
        });
    report.equal(
        "refuses to assign an id twice",
        true,
        () ->
            tsd.get("/api/uid/assign?metric=hand.made.1")
                .path("metric_errors")
                .path("hand.made.1")
                .asText()
                .startsWith("Name already exists with UID"));
    report.equal(
        "renames a metric",
        "{}",
        () ->
            tsd.post("/api/uid/rename", "{\"metric\":\"hand.made.2\",\"name\":\"hand.made.3\"}")
                .path("error")
                .toString()
                .replaceAll("^$", "{}"));
  }

  private void branches(Tsd tsd) {
    report.equal(
        "time series are in the tree",
        "[\"web1\",\"web2\",\"web3\"]",
        () -> {
          List<String> names = new ArrayList<>();
          for (JsonNode branch : tsd.get("/api/tree/branch?treeid=1").path("branches")) {
            names.add(branch.path("displayName").toString());
          }
          return "[" + String.join(",", new TreeSet<>(names)) + "]";
        });
  }

  /** May leave ids without a name, as OpenTSDB's documentation says. */
  private void race(Tsd tsd) {
    report.run(
        "four threads create 40 metrics, each gets one id",
        () -> {
          List<Thread> threads = new ArrayList<>();
          List<Throwable> failures = new ArrayList<>();
          for (int t = 0; t < 4; t++) {
            Thread thread =
                new Thread(
                    () -> {
                      try {
                        StringBuilder lines = new StringBuilder();
                        for (int i = 0; i < 40; i++) {
                          lines.append("put race." + i + " " + BASE + " 1 host=web1 dc=east\n");
                        }
                        String errors = tsd.telnet(lines.toString());
                        if (!errors.isEmpty()) {
                          throw new IllegalStateException(errors);
                        }
                      } catch (Exception e) {
                        failures.add(e);
                      }
                    });
            threads.add(thread);
            thread.start();
          }
          for (Thread thread : threads) {
            thread.join();
          }
          if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.toString());
          }
        });
    report.equalSoon(
        "… all of them", 40, () -> tsd.get("/api/suggest?type=metrics&q=race.&max=1000").size());
  }

  private void metadata(Tsd tsd) {
    report.equalSoon(
        "looks up time series in the table of metadata",
        3,
        () ->
            tsd.get("/api/search/lookup?use_meta=true&m=cpu%7Bhost=*%7D")
                .path("totalResults")
                .asInt());
    report.equal(
        "looks up time series in the table of data",
        3,
        () -> tsd.get("/api/search/lookup?m=cpu%7Bhost=*%7D").path("totalResults").asInt());
    String[] uid = new String[1];
    report.equal(
        "changes the metadata of a name",
        "of the processors",
        () -> {
          uid[0] =
              tsd.get("/api/search/lookup?m=cpu%7Bhost=web1%7D")
                  .path("results")
                  .path(0)
                  .path("tsuid")
                  .asText();
          String metric = uid[0].substring(0, 6);
          return tsd.post(
                  "/api/uid/uidmeta",
                  "{\"uid\":\""
                      + metric
                      + "\",\"type\":\"metric\",\"description\":\"of the processors\"}")
              .path("description")
              .asText();
        });
    report.equalSoon(
        "counts data points of a time series (atomic increments)",
        720,
        () -> tsd.get("/api/uid/tsmeta?tsuid=" + uid[0]).path("totalDatapoints").asInt());
  }

  private void annotations(Tsd tsd) {
    String tsuid = "\"tsuid\":\"000001000001000001000002000002\"";
    report.equal(
        "stores an annotation",
        "restart",
        () ->
            tsd.post(
                    "/api/annotation",
                    "{\"startTime\":" + (BASE + 60) + "," + tsuid + ",\"description\":\"restart\"}")
                .path("description")
                .asText());
    report.equal(
        "stores a global annotation, finds it in a query",
        "restart of all",
        () -> {
          tsd.post(
              "/api/annotation",
              "{\"startTime\":" + (BASE + 90) + ",\"description\":\"restart of all\"}");
          return tsd.get(
                  "/api/query?global_annotations=true&start="
                      + BASE
                      + "&end="
                      + (BASE + SPAN)
                      + "&m=sum:cpu")
              .path(0)
              .path("globalAnnotations")
              .path(0)
              .path("description")
              .asText();
        });
    report.equal(
        "deletes an annotation",
        404,
        () -> {
          tsd.call("DELETE", "/api/annotation?start_time=" + (BASE + 90), null);
          return tsd.get("/api/annotation?start_time=" + (BASE + 90))
              .path("error")
              .path("code")
              .asInt();
        });
  }

  private void tree(Tsd tsd) {
    report.equal(
        "creates a tree",
        "1",
        () -> {
          String id =
              tsd.post("/api/tree", "{\"name\":\"hosts\",\"enabled\":true}")
                  .path("treeId")
                  .asText();
          tsd.post(
              "/api/tree/rules",
              "[{\"treeId\":1,\"level\":0,\"order\":0,\"type\":\"TAGK\",\"field\":\"host\"},"
                  + "{\"treeId\":1,\"level\":1,\"order\":0,\"type\":\"METRIC\"}]");
          return id;
        });
  }

  private void deletes(Tsd tsd) {
    String path = "/api/query?start=" + BASE + "&end=" + (BASE + SPAN) + "&m=sum:latency";
    report.equal("deletes by a query", true, () -> tsd.call("DELETE", path, null).isArray());
    report.equalSoon("… all data points", "0 points, sum 0", () -> points(tsd.get(path).path(0)));
  }

  private void appends() throws Exception {
    Path configuration =
        Tsd.configuration(work, "appends", quorum, Map.of("tsd.storage.enable_appends", "true"));
    try (Tsd tsd = Tsd.start(configuration)) {
      report.equal("append mode: puts 2160 data points", "", () -> tsd.telnet(cpu("appended")));
      report.equalSoon(
          "append mode: sum",
          "720 points, sum 1553040",
          () -> points(tsd.query(BASE, BASE + SPAN, "sum:appended").path(0)));
      report.equal(
          "append mode: rows have one cell each", "6 of 6", () -> compacted("tsdb", "appended"));
    }
  }

  private void salted() throws Exception {
    Path configuration =
        Tsd.configuration(
            work,
            "salted",
            quorum,
            Map.of(
                "tsd.storage.salt.width", "1",
                "tsd.storage.salt.buckets", "8",
                "tsd.storage.hbase.data_table", "tsdb-salted"));
    try (Tsd tsd = Tsd.start(configuration)) {
      report.equal("salted keys: puts 2160 data points", "", () -> tsd.telnet(cpu("cpu")));
      report.equalSoon(
          "salted keys: sum over eight scans",
          "720 points, sum 1553040",
          () -> points(tsd.query(BASE, BASE + SPAN, "sum:cpu").path(0)));
      report.equal(
          "salted keys: maximum for each host",
          "web1: 12 points, sum 4668; web2: 12 points, sum 9336; web3: 12 points, sum 14004",
          () -> groups(tsd.query(BASE, BASE + SPAN, "max:10m-max:cpu{host=*}")));
    }
  }

  private void tools(Path configuration) {
    String config = "--config=" + configuration;
    String from = String.valueOf(BASE);
    String to = String.valueOf(BASE + SPAN);
    Path dump = work.resolve("dump");
    Callable<Long> dumped =
        () -> {
          Files.deleteIfExists(dump);
          JavaProcess.run(
              dump, "net.opentsdb.tools.DumpSeries", config, "--import", from, to, "sum", "cpu");
          try (var lines = Files.lines(dump)) {
            return lines.filter(line -> line.startsWith("cpu ")).count();
          }
        };
    report.equal("tool scan: writes the data points", 2160L, dumped);
    report.equal(
        "tool import: reads them into another metric",
        0,
        () -> {
          List<String> lines = new ArrayList<>();
          for (String line : Files.readAllLines(dump)) {
            if (line.startsWith("cpu ")) {
              lines.add("again" + line.substring(3));
            }
          }
          Path file = Files.write(work.resolve("import"), lines);
          return JavaProcess.run(
              work.resolve("import.log"),
              "net.opentsdb.tools.TextImporter",
              config,
              file.toString());
        });
    report.equal(
        "tool fsck: finds no errors",
        "status 0, errors found: 0",
        () -> {
          Path log = work.resolve("fsck.log");
          int status =
              JavaProcess.run(log, "net.opentsdb.tools.Fsck", config, from, to, "sum", "cpu");
          return "status "
              + status
              + ", "
              + Files.readString(log)
                  .replaceAll("(?s).*Total Errors: (\\d+).*", "errors found: $1");
        });
    // Processing of new time series leaves out some, on HBase, too.
    report.equal(
        "tool uid treesync: adds the time series to the tree",
        0,
        () ->
            JavaProcess.run(
                work.resolve("treesync.log"), "net.opentsdb.tools.UidManager", config, "treesync"));
    report.equal(
        "tool uid fsck: finds no errors",
        "status 0, no errors",
        () -> {
          Path log = work.resolve("uid.log");
          int status = JavaProcess.run(log, "net.opentsdb.tools.UidManager", config, "fsck");
          String text = Files.readString(log);
          return "status " + status + (text.contains("ERROR") ? text : ", no errors");
        });
  }

  /** Returns how many of a metric's rows have one cell. */
  private String compacted(String table, String metric) throws Exception {
    HBaseClient client = new HBaseClient(quorum);
    try {
      Scanner names = client.newScanner("tsdb-uid");
      names.setStartKey(metric);
      names.setStopKey(metric + "\0");
      names.setFamily("id");
      names.setQualifier("metrics");
      byte[] id = names.nextRows().join().get(0).get(0).value();
      Scanner scanner = client.newScanner(table);
      byte[] stop = id.clone();
      stop[stop.length - 1]++;
      scanner.setStartKey(id);
      scanner.setStopKey(stop);
      int rows = 0;
      int single = 0;
      ArrayList<ArrayList<KeyValue>> next;
      while ((next = scanner.nextRows().join()) != null) {
        for (ArrayList<KeyValue> row : next) {
          rows++;
          single += row.stream().filter(cell -> cell.qualifier()[0] != 1).count() == 1 ? 1 : 0;
        }
      }
      return single + " of " + rows;
    } finally {
      client.shutdown().join();
    }
  }

  /** The k-th data point of host webN is k times N. */
  private static String cpu(String metric) {
    StringBuilder lines = new StringBuilder();
    for (int k = 0; k < SPAN / 10; k++) {
      for (int host = 1; host <= 3; host++) {
        lines.append(
            "put " + metric + " " + (BASE + k * 10) + " " + (k * host) + " host=web" + host);
        lines.append(" dc=east\n");
      }
    }
    return lines.toString();
  }

  private static String point(String metric, long time, String value, String host) {
    return "{\"metric\":\""
        + metric
        + "\",\"timestamp\":"
        + time
        + ",\"value\":"
        + value
        + ",\"tags\":{\"host\":\""
        + host
        + "\"}}";
  }

  private static String groups(JsonNode answer) {
    Map<String, String> groups = new TreeMap<>();
    for (JsonNode series : answer) {
      groups.put(series.path("tags").path("host").asText(), points(series));
    }
    List<String> lines = new ArrayList<>();
    groups.forEach((host, points) -> lines.add(host + ": " + points));
    return lines.isEmpty() ? answer.toString() : String.join("; ", lines);
  }

  private static String points(JsonNode series) {
    double sum = 0;
    int count = 0;
    for (JsonNode value : series.path("dps")) {
      sum += value.asDouble();
      count++;
    }
    String text = String.valueOf(Math.round(sum * 10) / 10.0);
    return count + " points, sum " + (text.endsWith(".0") ? String.format("%.0f", sum) : text);
  }
}
