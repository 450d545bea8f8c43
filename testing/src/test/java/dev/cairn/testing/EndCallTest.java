package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator ends a call at the web page, wherever the call's work is. */
@Timeout(120)
class EndCallTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** A search for it in many letters a goes back for years. */
  private static final String BACKTRACKING = "(a+)+\\1b";

  @Test
  void aScanInsideOfARegularExpressionEndsAndIsNotRepeated() throws Exception {
    try (CairnServer server =
            CairnServer.builder()
                .setting("hbase.master.info.port", "0")
                .setting("cairn.web.actions.enabled", "true")
                .start();
        Connection connection = server.connect()) {
      try (Admin admin = connection.getAdmin();
          Table table = connection.getTable(TABLE)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build());
        byte[] value = Bytes.toBytes("a".repeat(5_000));
        table.put(
            new Put(Bytes.toBytes("row")).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), value));
      }
      CompletableFuture<Result> scan = CompletableFuture.supplyAsync(() -> scan(connection));
      String root = "http://localhost:" + server.web().orElseThrow().getPort() + "/api/v1/";
      JsonObject call = running(root);
      String token = json(root + "actions").get("token").getAsString();
      String body =
          "token=%s&client=%s&call=%s"
              .formatted(
                  token,
                  URLEncoder.encode(call.get("client").getAsString(), StandardCharsets.UTF_8),
                  call.get("id").getAsString());
      HttpResponse<String> answer =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(root + "actions/end-call"))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).contains("done");
      assertThatThrownBy(scan::get)
          .isInstanceOf(ExecutionException.class)
          .hasStackTraceContaining("DoNotRetryIOException: The call was ended by an operator");
    }
  }

  private static Result scan(Connection connection) {
    Scan scan =
        new Scan()
            .setFilter(
                new ValueFilter(CompareOperator.EQUAL, new RegexStringComparator(BACKTRACKING)));
    try (Table table = connection.getTable(TABLE);
        ResultScanner rows = table.getScanner(scan)) {
      return rows.next();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for a running call that can be ended. */
  private static JsonObject running(String root) throws Exception {
    return await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> scans(root), Optional::isPresent)
        .orElseThrow();
  }

  private static Optional<JsonObject> scans(String root) throws Exception {
    for (JsonElement call : json(root + "calls").getAsJsonObject("calls").getAsJsonArray("rows")) {
      JsonObject found = call.getAsJsonObject();
      if (found.get("method").getAsString().equals("Scan")
          && !found.get("end").getAsString().equals("not possible")) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private static JsonObject json(String address) throws Exception {
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString());
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }
}
