package dev.cairn.interop.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.rest.client.Client;
import org.apache.hadoop.hbase.rest.client.Cluster;
import org.apache.hadoop.hbase.rest.client.Response;
import org.apache.hadoop.hbase.rest.model.CellModel;
import org.apache.hadoop.hbase.rest.model.CellSetModel;
import org.apache.hadoop.hbase.rest.model.RowModel;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the REST gateway, with Apache's Java client and with plain HTTP. */
@Timeout(120)
class RestGatewayTest {
  private static final String JSON = "application/json";
  private static final String XML = "text/xml";
  private static final String PROTOBUF = "application/x-protobuf";

  @TempDir static Path folder;

  private static CairnServer server;
  private static Connection connection;
  private static RunningGateway gateway;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
    gateway = RunningGateway.start(folder, server.configuration(), "rest");
  }

  @AfterAll
  static void stop() throws IOException {
    gateway.close();
    connection.close();
    server.close();
  }

  @Test
  void createsATableByXmlAndShowsItsSchemaAndRegions() throws Exception {
    assertThat(
            put(
                    "created/schema",
                    XML,
                    "<TableSchema name='created'><ColumnSchema name='f'/></TableSchema>")
                .statusCode())
        .isEqualTo(201);
    JsonObject schema = json("created/schema");
    assertThat(schema.get("name").getAsString()).isEqualTo("created");
    assertThat(
            schema
                .getAsJsonArray("ColumnSchema")
                .get(0)
                .getAsJsonObject()
                .get("name")
                .getAsString())
        .isEqualTo("f");
    JsonArray regions = json("created/regions").getAsJsonArray("Region");
    assertThat(regions).hasSize(1);
    assertThat(regions.get(0).getAsJsonObject().get("name").getAsString()).startsWith("created,,");
    assertThat(get("", XML).body()).contains("<table name=\"created\"/>");
    assertThat(send("created/schema", HttpRequest.newBuilder().DELETE()).statusCode())
        .isEqualTo(200);
    try (var admin = connection.getAdmin()) {
      assertThat(admin.tableExists(TableName.valueOf("created"))).isFalse();
    }
  }

  @Test
  void writesAndReadsRowsByJsonAndXml() throws Exception {
    Table table = table("rows");
    assertThat(
            put(
                    "rows/json",
                    JSON,
                    "{\"Row\":[{\"key\":\"%s\",\"Cell\":[{\"column\":\"%s\",\"$\":\"%s\"}]}]}"
                        .formatted(base64("json"), base64("f:q"), base64("by JSON")))
                .statusCode())
        .isEqualTo(200);
    assertThat(
            put(
                    "rows/xml",
                    XML,
                    "<CellSet><Row key='%s'><Cell column='%s'>%s</Cell></Row></CellSet>"
                        .formatted(base64("xml"), base64("f:q"), base64("by XML")))
                .statusCode())
        .isEqualTo(200);
    assertThat(value(table, "json")).isEqualTo("by JSON");
    assertThat(value(table, "xml")).isEqualTo("by XML");
    JsonObject row = json("rows/xml/f:q").getAsJsonArray("Row").get(0).getAsJsonObject();
    JsonObject cell = row.getAsJsonArray("Cell").get(0).getAsJsonObject();
    assertThat(cell.get("$").getAsString()).isEqualTo(base64("by XML"));
    assertThat(get("rows/json", XML).body()).contains(">" + base64("by JSON") + "</Cell>");
    assertThat(send("rows/xml", HttpRequest.newBuilder().DELETE()).statusCode()).isEqualTo(200);
    assertThat(get("rows/xml", JSON).statusCode()).isEqualTo(404);
  }

  @Test
  void scansByAScannerResourceInBatches() throws Exception {
    Table table = table("scanned");
    for (int i = 0; i < 10; i++) {
      table.put(row("row" + i, "value" + i));
    }
    HttpResponse<String> created =
        put("scanned/scanner", XML, "<Scanner batch='4' startRow='%s'/>".formatted(base64("row1")));
    assertThat(created.statusCode()).isEqualTo(201);
    URI scanner = URI.create(created.headers().firstValue("Location").orElseThrow());
    int rows = 0;
    HttpResponse<String> batch = send(scanner, HttpRequest.newBuilder().header("Accept", JSON));
    while (batch.statusCode() == 200) {
      rows += JsonParser.parseString(batch.body()).getAsJsonObject().getAsJsonArray("Row").size();
      batch = send(scanner, HttpRequest.newBuilder().header("Accept", JSON));
    }
    assertThat(batch.statusCode()).as("the end of the scan").isEqualTo(204);
    assertThat(rows).isEqualTo(9);
    assertThat(send(scanner, HttpRequest.newBuilder().DELETE()).statusCode()).isEqualTo(200);
  }

  @Test
  void indexesAndTheFormatOfKeysAreAttributesOfTheSchema() throws Exception {
    String path = "people/schema";
    assertThat(
            put(
                    path,
                    XML,
                    "<TableSchema name='people' cairn.index.by_city='f:city'"
                        + " KEY_FORMAT='id int'><ColumnSchema name='f'/></TableSchema>")
                .statusCode())
        .isEqualTo(201);
    JsonObject schema = json(path);
    assertThat(schema.get("cairn.index.by_city").getAsString()).isEqualTo("f:city");
    assertThat(schema.get("KEY_FORMAT").getAsString()).isEqualTo("id int");

    schema.addProperty("cairn.index.by_age", "f:age, f:born");
    schema.remove("cairn.index.by_city");
    assertThat(put(path, JSON, schema.toString()).statusCode()).isEqualTo(201);
    schema = json(path);
    assertThat(schema.get("cairn.index.by_age").getAsString()).isEqualTo("f:age, f:born");
    assertThat(schema.has("cairn.index.by_city")).isFalse();
    assertThat(schema.get("KEY_FORMAT").getAsString()).isEqualTo("id int");
    try (var admin = connection.getAdmin()) {
      assertThat(admin.isTableEnabled(TableName.valueOf("people"))).isTrue();
    }

    // The gateway drops attributes of the table from a POST, and sends the families alone.
    HttpResponse<String> posted =
        send(
            path,
            HttpRequest.newBuilder()
                .header("Content-Type", XML)
                .POST(
                    BodyPublishers.ofString(
                        "<TableSchema name='people' KEY_FORMAT='id long'><ColumnSchema"
                            + " name='f'/></TableSchema>")));
    assertThat(posted.statusCode()).isEqualTo(200);
    assertThat(json(path).get("KEY_FORMAT").getAsString()).isEqualTo("id int");
  }

  @Test
  void aMalformedIndexOrFormatOfKeysIsRefusedWithTheReason() throws Exception {
    HttpResponse<String> refused =
        put(
            "malformed/schema",
            XML,
            "<TableSchema name='malformed' cairn.index.i='f city'><ColumnSchema name='f'/>"
                + "</TableSchema>");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("cairn.index.i: the column f city has no family");
    refused =
        put(
            "malformed/schema",
            XML,
            "<TableSchema name='malformed' KEY_FORMAT='id itn'><ColumnSchema name='f'/>"
                + "</TableSchema>");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("KEY_FORMAT of table malformed: position 3");
    assertThat(get("malformed/schema", JSON).statusCode()).isEqualTo(404);
  }

  @Test
  void aScannerWithAFilterUsesAnIndex() throws Exception {
    try (var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("searched"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setValue("cairn.index.i", "f:q")
              .build());
    }
    Table table = connection.getTable(TableName.valueOf("searched"));
    for (int i = 0; i < 10; i++) {
      table.put(row("row" + i, "value" + i));
    }
    String filter =
        "{\"type\":\"SingleColumnValueFilter\",\"op\":\"EQUAL\",\"family\":\"%s\",\"qualifier\":\"%s\","
                .formatted(base64("f"), base64("q"))
            + "\"ifMissing\":true,\"latestVersion\":true,\"comparator\":{\"type\":\"BinaryComparator\","
            + "\"value\":\"%s\"}}".formatted(base64("value7"));
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    HttpResponse<String> created =
        put(
            "searched/scanner",
            XML,
            "<Scanner batch='4'><filter>" + filter + "</filter></Scanner>");
    assertThat(created.statusCode()).isEqualTo(201);
    URI scanner = URI.create(created.headers().firstValue("Location").orElseThrow());
    HttpResponse<String> batch = send(scanner, HttpRequest.newBuilder().header("Accept", JSON));
    assertThat(batch.body()).contains(base64("row7")).doesNotContain(base64("row6"));
    assertThat(marks.count(IndexMark.TAKEN)).isPositive();
    assertThat(send(scanner, HttpRequest.newBuilder().DELETE()).statusCode()).isEqualTo(200);
  }

  @Test
  void showsTheClustersVersionAndServers() throws Exception {
    assertThat(get("version/cluster", "text/plain").body()).isNotBlank();
    JsonObject status = json("status/cluster");
    assertThat(status.getAsJsonArray("LiveNodes")).hasSize(1);
    assertThat(status.get("regions").getAsInt()).isPositive();
  }

  @Test
  void servesApachesJavaClientWithProtobuf() throws Exception {
    Table table = table("java");
    Client client = new Client(new Cluster().add("127.0.0.1", gateway.port()));
    try {
      CellSetModel cells = new CellSetModel();
      RowModel row = new RowModel(Bytes.toBytes("r"));
      row.addCell(new CellModel(Bytes.toBytes("f:q"), Bytes.toBytes("by Java")));
      cells.addRow(row);
      assertThat(client.put("/java/r", PROTOBUF, cells.createProtobufOutput()).getCode())
          .isEqualTo(200);
      assertThat(value(table, "r")).isEqualTo("by Java");
      Response response = client.get("/java/r", PROTOBUF);
      CellSetModel read = new CellSetModel();
      read.getObjectFromMessage(response.getBody());
      assertThat(read.getRows().get(0).getCells().get(0).getValue())
          .isEqualTo(Bytes.toBytes("by Java"));
      assertThat(client.delete("/java/r").getCode()).isEqualTo(200);
      assertThat(client.get("/java/r", PROTOBUF).getCode()).isEqualTo(404);
    } finally {
      client.shutdown();
    }
  }

  private static Table table(String name) throws IOException {
    try (var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
    }
    return connection.getTable(TableName.valueOf(name));
  }

  private static Put row(String key, String value) {
    return new Put(Bytes.toBytes(key))
        .addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes(value));
  }

  private static String value(Table table, String key) throws IOException {
    return Bytes.toString(
        table.get(new Get(Bytes.toBytes(key))).getValue(Bytes.toBytes("f"), Bytes.toBytes("q")));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private JsonObject json(String path) throws Exception {
    HttpResponse<String> response = get(path, JSON);
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  private HttpResponse<String> get(String path, String type) throws Exception {
    return send(path, HttpRequest.newBuilder().header("Accept", type));
  }

  private HttpResponse<String> put(String path, String type, String body) throws Exception {
    return send(
        path,
        HttpRequest.newBuilder()
            .header("Content-Type", type)
            .header("Accept", type)
            .PUT(BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> send(String path, HttpRequest.Builder request) throws Exception {
    return send(URI.create("http://127.0.0.1:" + gateway.port() + "/" + path), request);
  }

  private HttpResponse<String> send(URI uri, HttpRequest.Builder request) throws Exception {
    return http.send(request.uri(uri).build(), BodyHandlers.ofString());
  }
}
