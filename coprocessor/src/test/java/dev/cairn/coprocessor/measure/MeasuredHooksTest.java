package dev.cairn.coprocessor.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.coprocessor.Faulty;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time of hooks shows in metrics, on the pages, in slow calls and in explanations. */
class MeasuredHooksTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String FIRST = Slow.class.getName();
  private static final String SECOND = Slow.Second.class.getName();

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static int tables;

  private TableName name;
  private Table table;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.client.retries.number", "1")
            .setting("hbase.master.info.port", "0")
            .setting("hbase.regionserver.slowlog.buffer.enabled", "true")
            .setting("hbase.ipc.warn.response.time", "10")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() throws IOException {
    name = TableName.valueOf("t" + tables++);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(FIRST).setPriority(7).build())
            .setCoprocessor(SECOND)
            .build());
    table = connection.getTable(name);
  }

  @AfterEach
  void end() throws IOException {
    table.close();
    if (admin.tableExists(name)) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  private static String get(String address) throws Exception {
    URI uri =
        URI.create("http://localhost:" + server.web().orElseThrow().getPort() + "/" + address);
    return CLIENT
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Returns the rows of a table of a page. */
  private static List<JsonObject> rows(String page, String part, Predicate<JsonObject> wanted)
      throws Exception {
    JsonObject json =
        JsonParser.parseString(get("api/v1/" + page + "?" + part + ".size=1000"))
            .getAsJsonObject()
            .getAsJsonObject(part);
    List<JsonObject> rows = new ArrayList<>();
    for (JsonElement row : json.getAsJsonArray("rows")) {
      if (wanted.test(row.getAsJsonObject())) {
        rows.add(row.getAsJsonObject());
      }
    }
    return rows;
  }

  /** Returns the rows of the table, whose region may open after the table's creation has ended. */
  private List<JsonObject> rowsOfTable(String part) {
    return await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> rows("coprocessors", part, this::isOfTable), found -> !found.isEmpty());
  }

  private boolean isOfTable(JsonObject row) {
    return row.get("table").getAsString().equals(name.toString());
  }

  private JsonObject hook(String className, String hook) throws Exception {
    List<JsonObject> rows =
        rows(
            "coprocessors",
            "hooks",
            row ->
                isOfTable(row)
                    && row.get("class").getAsString().equals(className)
                    && row.get("hook").getAsString().equals(hook));
    assertThat(rows).as(className + " " + hook).hasSize(1);
    return rows.get(0);
  }

  private void assertHook(String className, String hook, int calls, int failures, long millis)
      throws Exception {
    JsonObject row = hook(className, hook);
    assertThat(row.get("calls").getAsInt()).as(hook).isEqualTo(calls);
    assertThat(row.get("failures").getAsInt()).as(hook).isEqualTo(failures);
    assertThat(row.get("millis").getAsLong()).as(hook).isGreaterThanOrEqualTo(millis);
  }

  private void put(String row) throws IOException {
    table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
  }

  @Test
  void eachClassAndHookIsMeasured() throws Exception {
    put("a");
    put("b");
    table.get(new Get(F));
    assertThatThrownBy(() -> table.delete(new Delete(F))).hasMessageContaining("refused");
    assertHook(FIRST, "prePut", 2, 0, 2 * Slow.MILLIS);
    assertHook(SECOND, "prePut", 2, 0, 2 * Slow.MILLIS);
    assertHook(FIRST, "preGetOp", 1, 0, Slow.MILLIS);
    JsonObject deletes = hook(FIRST, "preDelete");
    assertThat(deletes.get("failures").getAsInt()).isPositive();
    assertThat(deletes.get("calls")).isEqualTo(deletes.get("failures")); // the client tries again
    assertThat(
            rows("coprocessors", "hooks", this::isOfTable).stream()
                .filter(row -> row.get("class").getAsString().equals(SECOND))
                .map(row -> row.get("hook").getAsString()))
        .as("the second is not asked after the first has failed")
        .doesNotContain("preDelete");
  }

  @Test
  void scannersAreMeasuredByTheirClass() throws Exception {
    put("a");
    put("b");
    try (ResultScanner scan = table.getScanner(new Scan())) {
      assertThat(scan).hasSize(2);
    }
    admin.flush(name);
    List<JsonObject> scanners =
        rows(
            "coprocessors",
            "hooks",
            row -> isOfTable(row) && row.get("hook").getAsString().endsWith("Scanner"));
    assertThat(scanners.stream().map(row -> row.get("hook").getAsString()).distinct())
        .containsExactlyInAnyOrder("RegionScanner", "InternalScanner");
    for (JsonObject scanner : scanners) {
      assertThat(scanner.get("millis").getAsLong()).isGreaterThanOrEqualTo(2 * Slow.MILLIS);
    }
  }

  @Test
  void metricsHaveLabels() throws Exception {
    put("a");
    String labels =
        "[^}]*namespace=\"default\",table=\"" + name + "\",class=\"" + FIRST + "\",hook=\"prePut\"";
    String metrics = get("metrics");
    assertThat(metrics)
        .containsPattern("cairn_coprocessor_hook_calls_total\\{" + labels + "} 1\n")
        .containsPattern("cairn_coprocessor_hook_failures_total\\{" + labels + "} 0\n")
        .containsPattern("cairn_coprocessor_hook_seconds_total\\{" + labels + "} 0\\.0[2-9]");
    assertThat(get("jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Coprocessors"))
        .contains("_class_" + FIRST.replace('.', '_') + "_hook_prePut_metric_hookCalls");
  }

  @Test
  void slowCallsShowTheTimeOfHooks() throws Exception {
    put("slow");
    await()
        .until(
            () ->
                !rows(
                        "slow",
                        "slow",
                        row ->
                            row.get("region").getAsString().startsWith(name + ",")
                                && row.get("hooksMillis").getAsLong() >= 2 * Slow.MILLIS)
                    .isEmpty());
    JsonObject call =
        rows("slow", "slow", row -> row.get("region").getAsString().startsWith(name + ",")).get(0);
    assertThat(call.get("hooksMillis").getAsLong() + call.get("restMillis").getAsLong())
        .isLessThanOrEqualTo(call.get("processingMillis").getAsLong());
  }

  @Test
  void anExplanationShowsTheTimeOfHooks() throws Exception {
    put("a");
    Scan scan = new Scan().setAttribute(ExplainOptions.ATTRIBUTE, ExplainOptions.DEFAULT.toBytes());
    JsonObject report = null;
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        byte[] end =
            result.getValue(
                Bytes.toBytes(ExplainOptions.FAMILY), Bytes.toBytes(ExplainOptions.END));
        report =
            end == null ? report : JsonParser.parseString(Bytes.toString(end)).getAsJsonObject();
      }
    }
    assertThat(report).isNotNull();
    assertThat(report.get("coprocessors").getAsBoolean()).isTrue();
    long nanos = report.get("hookNanos").getAsLong();
    assertThat(nanos).isGreaterThanOrEqualTo(4 * Slow.MILLIS * 1_000_000); // two opens, two calls
    assertThat(nanos).isLessThanOrEqualTo(report.get("nanos").getAsLong());
  }

  @Test
  void thePageListsWhatIsLoaded() throws Exception {
    List<JsonObject> loaded = rowsOfTable("loaded");
    assertThat(loaded.stream().map(row -> row.get("class").getAsString()))
        .containsExactly(FIRST, SECOND);
    JsonObject first = loaded.get(0);
    assertThat(first.get("priority").getAsInt()).isEqualTo(7);
    assertThat(first.get("source").getAsString()).isEqualTo("the table");
    assertThat(first.get("regions").getAsInt()).isEqualTo(1);
    assertThat(first.get("hooks").getAsString())
        .isEqualTo("postScannerOpen, preDelete, preFlush, preGetOp, prePut");
    assertThat(first.get("services").getAsString()).endsWith("MultiRowMutationService");
    assertThat(loaded.get(1).get("services").getAsString()).isEmpty();
    await() // the server reports to the master every few seconds
        .atMost(1, TimeUnit.MINUTES)
        .untilAsserted(
            () ->
                assertThat(
                        admin
                            .getClusterMetrics()
                            .getLiveServerMetrics()
                            .values()
                            .iterator()
                            .next()
                            .getCoprocessorNames())
                    .contains("Slow", "Second"));
  }

  @Test
  void thePageListsRefusedTablesAndForgetsThoseThatAreGone() throws Exception {
    put("a");
    admin.disableTable(name);
    admin.deleteTable(name);
    assertThat(rows("coprocessors", "loaded", this::isOfTable)).isEmpty();
    assertThat(rows("coprocessors", "hooks", this::isOfTable)).isEmpty();
    TableDescriptor failing =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("fault", "start exception")
            .setCoprocessor(Faulty.class.getName())
            .build();
    assertThatThrownBy(() -> admin.createTable(failing)).hasMessageContaining("fails in start");
    List<JsonObject> refused = rowsOfTable("refused");
    assertThat(refused).hasSize(1);
    assertThat(refused.get(0).get("reason").getAsString()).contains("fails in start");
  }
}
