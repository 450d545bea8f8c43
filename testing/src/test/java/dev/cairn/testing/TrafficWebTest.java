package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A running server shows a hot spot where it was put, in its heat map and among its hot keys. */
class TrafficWebTest {
  private static final TableName TABLE = TableName.valueOf("heat");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int EVEN = 2_000;
  private static final int HOT = 2_000;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static CairnServer server;

  @BeforeAll
  static void makeAHotSpot() throws Exception {
    server = CairnServer.builder().setting("hbase.master.info.port", "0").start();
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build(),
          new byte[][] {bytes("row5")});
      try (Table table = connection.getTable(TABLE)) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < EVEN; i++) {
          puts.add(put("row" + (1_000 + i * 7_919 % 9_000)));
        }
        table.put(puts);
        for (int i = 0; i < HOT; i += 100) {
          puts.clear();
          for (int k = 0; k < 100; k++) {
            puts.add(put("row7777"));
          }
          table.put(puts);
        }
      }
    }
    await();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  /** Waits until the samples have reached the heat map, a second or two. */
  private static void await() throws Exception {
    Awaitility.await("the traffic is recorded")
        .atMost(PATIENCE)
        .until(() -> map("").get("total").getAsDouble() >= 0.9 * (EVEN + HOT));
  }

  private static Put put(String row) {
    return new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), bytes("v"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static HttpResponse<byte[]> get(String address) throws Exception {
    URI uri =
        URI.create("http://localhost:" + server.web().orElseThrow().getPort() + "/" + address);
    return CLIENT.send(
        HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static JsonObject json(String address) throws Exception {
    HttpResponse<byte[]> answer = get(address);
    assertThat(answer.statusCode()).as(address).isEqualTo(200);
    return JsonParser.parseString(new String(answer.body(), StandardCharsets.UTF_8))
        .getAsJsonObject();
  }

  private static JsonObject map(String more) throws Exception {
    return json("api/v1/traffic/" + TABLE + "?metric=writes&from=-10m" + more);
  }

  @Test
  void theHotBandIsWhereItWasPut() throws Exception {
    JsonObject map = map("");
    JsonArray keys = map.getAsJsonArray("keys");
    double[] sums = new double[keys.size()];
    for (JsonElement column : map.getAsJsonArray("values")) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += column.getAsJsonArray().get(i).getAsDouble();
      }
    }
    int hottest = 0;
    for (int i = 0; i < sums.length; i++) {
      hottest = sums[i] > sums[hottest] ? i : hottest;
    }
    assertThat(keys.get(hottest).getAsString()).isEqualTo("row7777");
    assertThat(sums[hottest] / map.get("total").getAsDouble()).isBetween(0.35, 0.65);
    assertThat(map.getAsJsonArray("borders").get(0).getAsString()).isEqualTo("row5");
    assertThat(map.getAsJsonArray("events").size()).isEqualTo(2);
  }

  @Test
  void theHotRowLeadsTheListsOfItsTable() throws Exception {
    JsonObject top = json("api/v1/top");
    JsonObject table = top.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertThat(table.get("table").getAsString()).isEqualTo(TABLE.getNameAsString());
    JsonObject row = table.getAsJsonArray("hotRows").get(0).getAsJsonObject();
    assertThat(row.get("key").getAsString()).isEqualTo("row7777");
    assertThat(row.get("error").getAsDouble()).isLessThan(row.get("count").getAsDouble());
  }

  @Test
  void readersWithoutScriptsSeeThePicture() throws Exception {
    String page = new String(get("heatmap?table=" + TABLE).body(), StandardCharsets.UTF_8);
    assertThat(page)
        .contains("<noscript><img src=\"api/v1/traffic/" + TABLE + "?format=png\" alt=\"");
  }

  @Test
  void exportsAndErrorsHaveTheirTypes() throws Exception {
    HttpResponse<byte[]> png = get("api/v1/traffic/" + TABLE + "?format=png");
    assertThat(png.headers().firstValue("Content-Type")).hasValue("image/png");
    assertThat(png.body()).startsWith((byte) 0x89, (byte) 80, (byte) 78, (byte) 71);
    HttpResponse<byte[]> csv = get("api/v1/traffic/" + TABLE + "?format=csv&metric=writes");
    assertThat(csv.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/csv");
    assertThat(new String(csv.body(), StandardCharsets.UTF_8)).contains("row7777");
    assertThat(get("api/v1/traffic/" + TABLE + "?metric=love").statusCode()).isEqualTo(400);
    assertThat(get("heatmap?table=" + TABLE).statusCode()).isEqualTo(200);
    assertThat(get("api/v1/traffic/" + TABLE + "?buckets=2000&columns=2000").statusCode())
        .isEqualTo(400);
    assertThat(get("heatmap?table=nope").statusCode()).isEqualTo(404);
    assertThat(get("api/v1/traffic/nope").statusCode()).isEqualTo(404);
  }
}
