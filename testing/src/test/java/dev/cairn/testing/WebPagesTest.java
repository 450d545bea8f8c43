package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each page of a running server is there as HTML and as JSON, and docs/PAGES.md lists it. */
class WebPagesTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "PAGES.md");
  private static final TableName TABLE = TableName.valueOf("web.table");

  /** A start key that would be a script if it were not escaped. */
  private static final byte[] HOSTILE_KEY = bytes("<script>alert(1)</script>");

  private static final String SECRET = "hunter2-is-not-shown";

  /** The parameters of the pages that need some. */
  private static final Map<String, String> PARAMETERS = Map.of("table", "?name=" + TABLE);

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static CairnServer server;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.master.info.port", "0")
            .setting("my.database.password", SECRET)
            .setting("cairn.web.actions.enabled", "true")
            .start();
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setValue("cairn.index.by_q", "f:q, f:\\x00")
              .build(),
          new byte[][] {HOSTILE_KEY, bytes("m")});
      try (Table table = connection.getTable(TABLE)) {
        table.put(new Put(bytes("row")).addColumn(bytes("f"), bytes("q"), bytes("v")));
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static HttpResponse<String> get(String address) throws Exception {
    URI uri =
        URI.create("http://localhost:" + server.web().orElseThrow().getPort() + "/" + address);
    return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String address, String form) throws Exception {
    URI uri =
        URI.create("http://localhost:" + server.web().orElseThrow().getPort() + "/" + address);
    return CLIENT.send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static JsonObject json(String page) throws Exception {
    HttpResponse<String> answer = get("api/v1/" + page);
    assertThat(answer.statusCode()).as(page).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private static List<JsonObject> pages() throws Exception {
    List<JsonObject> pages = new ArrayList<>();
    JsonParser.parseString(get("api/v1").body())
        .getAsJsonObject()
        .getAsJsonArray("pages")
        .forEach(page -> pages.add(page.getAsJsonObject()));
    return pages;
  }

  @Test
  void eachPageIsServedAsHtmlAndAsJson() throws Exception {
    for (JsonObject page : pages()) {
      String id = page.get("page").getAsString();
      String address = id + PARAMETERS.getOrDefault(id, "");
      HttpResponse<String> html = get(address);
      assertThat(html.statusCode()).as(id).isEqualTo(200);
      assertThat(html.body()).as(id).contains("<main id=\"main\"").doesNotContain("<script>");
      JsonObject json = json(address);
      assertThat(html.body()).contains("<h1>" + json.get("title").getAsString() + "</h1>");
      for (Map.Entry<String, JsonElement> part : json.entrySet()) {
        if (part.getValue().isJsonObject() && part.getValue().getAsJsonObject().has("columns")) {
          assertThat(html.body())
              .as(id + " has a table")
              .contains("<section class=\"card\" id=\"" + part.getKey() + "\"");
        }
      }
    }
  }

  @Test
  void thePageOfATableShowsTheStateOfItsIndexes() throws Exception {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1)) // until the server has reported its regions
        .untilAsserted(
            () -> {
              JsonObject indexes = json("table?name=" + TABLE).getAsJsonObject("indexes");
              assertThat(indexes.getAsJsonArray("rows")).hasSize(1);
              JsonObject index = indexes.getAsJsonArray("rows").get(0).getAsJsonObject();
              assertThat(index.get("index").getAsString()).isEqualTo("by_q");
              assertThat(index.get("columns").getAsString()).isEqualTo("f:q, f:\\x00");
              assertThat(index.get("state").getAsString()).isEqualTo("READY");
              assertThat(index.get("regions").getAsInt()).isEqualTo(3);
              assertThat(index.get("completeRegions").getAsInt()).isEqualTo(3);
              assertThat(index.get("indexedFiles")).isEqualTo(index.get("files"));
            });
  }

  @Test
  void theDocumentListsEachPage() throws Exception {
    String document = Files.readString(DOCUMENT);
    for (JsonObject page : pages()) {
      assertThat(document)
          .contains(
              "| `" + page.get("page").getAsString() + "` | " + page.get("shows").getAsString());
    }
    for (JsonElement one :
        JsonParser.parseString(get("api/v1/actions").body())
            .getAsJsonObject()
            .getAsJsonArray("actions")) {
      JsonObject action = one.getAsJsonObject();
      assertThat(document)
          .contains(
              "| `"
                  + action.get("action").getAsString()
                  + "` | "
                  + action.get("does").getAsString());
    }
  }

  @Test
  void aTableShowsItsRegionsAndTheirKeys() throws Exception {
    assertThat(get("table?name=web.table").body())
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", ">f</code>");
    JsonObject page = json("table?name=web.table&regions.sort=-startKey");
    assertThat(page.getAsJsonObject("summary").get("regions").getAsInt()).isEqualTo(3);
    JsonObject first =
        page.getAsJsonObject("regions").getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(first.get("startKey").getAsString()).isEqualTo("m");
    assertThat(first.get("state").getAsString()).isEqualTo("OPEN");
    assertThat(get("table.jsp?name=web.table").statusCode()).isEqualTo(200);
    assertThat(get("table?name=none").statusCode()).isEqualTo(404);
    assertThat(get("table?name=%3Cb%3E").body()).doesNotContain("<b>");
    assertThat(get("table").statusCode()).isEqualTo(400);
  }

  @Test
  void theOverviewCountsServersAndRegions() throws Exception {
    JsonObject cluster = json("overview").getAsJsonObject("cluster");
    assertThat(cluster.get("servers").getAsInt()).isEqualTo(1);
    assertThat(cluster.get("transitions").getAsInt()).isZero();
    assertThat(cluster.get("regions").getAsInt()).isEqualTo(5);
    assertThat(cluster.get("open").getAsInt()).isEqualTo(5);
  }

  @Test
  void settingsAreShownWithTheirSourcesAndWithoutSecrets() throws Exception {
    JsonObject settings =
        json("configuration?settings.filter=hbase.master.info.port").getAsJsonObject("settings");
    JsonObject port = settings.getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(port.get("value").getAsString()).isEqualTo("0");
    assertThat(port.get("source").getAsString()).isEqualTo("hbase-site.xml");
    assertThat(get("conf").body())
        .contains("<name>my.database.password</name><value>&lt;redacted&gt;</value>");
    assertThat(get("conf?format=json&name=hbase.master.info.port").body())
        .isEqualToIgnoringNewLines(
            "{\"property\":{\"key\":\"hbase.master.info.port\",\"value\":\"0\","
                + "\"isFinal\":false,\"resource\":\"hbase-site.xml\"}}");
    assertThat(get("conf?name=none").statusCode()).isEqualTo(404);
    for (String address : List.of("configuration?settings.size=1000", "conf", "dump", "threads")) {
      assertThat(get(address).body()).as(address).isNotEmpty().doesNotContain(SECRET);
    }
  }

  @Test
  void aRunningScannerAndItsRegionAreShown() throws Exception {
    try (Connection connection = server.connect();
        Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < 10; i++) {
        table.put(new Put(bytes("n" + i)).addColumn(bytes("f"), bytes("q"), bytes("v")));
      }
      try (ResultScanner scanner =
          table.getScanner(new Scan().setCaching(2).withStartRow(bytes("n")))) {
        assertThat(scanner.next()).isNotNull();
        JsonObject scanners = json("calls").getAsJsonObject("scanners");
        assertThat(scanners.get("total").getAsInt()).isEqualTo(1);
        JsonObject row = scanners.getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.get("table").getAsString()).isEqualTo("web.table");
        assertThat(row.get("state").getAsString()).isEqualTo("waiting");
        assertThat(row.get("leaseLeftMillis").getAsLong()).isPositive();
      }
    }
  }

  @Test
  void anOperatorEndsAScannerAndItsClientGoesOnWithAnotherOne() throws Exception {
    try (Connection connection = server.connect();
        Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < 10; i++) {
        table.put(new Put(bytes("x" + i)).addColumn(bytes("f"), bytes("q"), bytes("v")));
      }
      Scan scan = new Scan().setCaching(2).withStartRow(bytes("x")).withStopRow(bytes("y"));
      try (ResultScanner scanner = table.getScanner(scan)) {
        assertThat(scanner.next().getRow()).isEqualTo(bytes("x0"));
        JsonObject open =
            json("calls")
                .getAsJsonObject("scanners")
                .getAsJsonArray("rows")
                .get(0)
                .getAsJsonObject();
        String id = open.get("id").getAsString();
        assertThat(get("calls").body()).contains("href=\"actions/end-scanner?scanner=" + id);
        assertThat(get("actions/end-scanner?scanner=" + id).body()).contains("value=\"" + id);
        String token =
            JsonParser.parseString(get("api/v1/actions").body())
                .getAsJsonObject()
                .get("token")
                .getAsString();
        HttpResponse<String> ended =
            post("api/v1/actions/end-scanner", "token=" + token + "&scanner=" + id);
        assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
        assertThat(
                post("api/v1/actions/end-scanner", "token=" + token + "&scanner=" + id)
                    .statusCode())
            .isEqualTo(404);
        List<String> rest = new ArrayList<>();
        scanner.forEach(row -> rest.add(new String(row.getRow(), StandardCharsets.UTF_8)));
        assertThat(rest).hasSize(9).startsWith("x1", "x2").endsWith("x9");
      }
    }
  }

  @Test
  void theCacheIsShownByTableAndFile() throws Exception {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      table.put(new Put(bytes("cached")).addColumn(bytes("f"), bytes("q"), bytes("v")));
      admin.flush(TABLE);
      assertThat(table.get(new Get(bytes("cached"))).isEmpty()).isFalse();
    }
    JsonObject page = json("cache?families.filter=" + TABLE + "&files.filter=" + TABLE);
    JsonObject family =
        page.getAsJsonObject("families").getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(family.get("dataBlocks").getAsInt()).isPositive();
    assertThat(family.get("cachedBytes").getAsLong())
        .isGreaterThanOrEqualTo(family.get("dataBytes").getAsLong())
        .isLessThanOrEqualTo(page.getAsJsonObject("summary").get("bytes").getAsLong());
    JsonObject file = page.getAsJsonObject("files").getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(file.get("cachedBytes").getAsLong()).isPositive();
    assertThat(
            page.getAsJsonObject("kinds")
                .getAsJsonArray("rows")
                .get(0)
                .getAsJsonObject()
                .get("bytes")
                .getAsLong())
        .isPositive();
  }

  @Test
  void proceduresSnapshotsAndEventsOfATableAreShown() throws Exception {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.flush(TABLE);
      admin.snapshot("web-snapshot", TABLE);
    }
    assertThat(get("snapshots").body()).contains("web-snapshot");
    assertThat(get("procedures?procedures.filter=CreateTable").body()).contains("SUCCESS");
    assertThat(get("events?events.filter=flush").body()).contains("Flushed ", "<svg");
    assertThat(get("dump").body())
        .contains("=== Snapshots ===", "web-snapshot", "=== Compactions ===")
        .doesNotContain("=== Traffic", "=== Advice", "=== Big rows", "=== Log ===", "=== Slow");
    assertThat(get("stacks").body()).contains("cairn-web", "    at ");
  }
}
