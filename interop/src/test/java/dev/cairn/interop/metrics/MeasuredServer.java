package dev.cairn.interop.metrics;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A server with a web page, after each kind of operation on the table {@code measured}. */
final class MeasuredServer implements AutoCloseable {
  static final TableName TABLE = TableName.valueOf("measured");
  static final int GETS = 7;

  private static final byte[] FAMILY = toBytes("f");
  private static final byte[] COLUMN = toBytes("q");

  private final CairnServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private MeasuredServer(CairnServer server) {
    this.server = server;
  }

  static MeasuredServer start(String key, String value) throws IOException {
    MeasuredServer measured =
        new MeasuredServer(
            CairnServer.builder()
                .setting("hbase.master.info.port", "0")
                .setting(key, value)
                .start());
    boolean worked = false;
    try (Connection connection = measured.server.connect()) {
      measured.work(connection);
      worked = true;
      return measured;
    } finally {
      if (!worked) {
        measured.close();
      }
    }
  }

  private void work(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      Put put = new Put(toBytes("row")).addColumn(FAMILY, COLUMN, toBytes("1"));
      table.put(put);
      table.put(List.of(put, new Put(toBytes("other")).addColumn(FAMILY, COLUMN, toBytes("1"))));
      for (int i = 0; i < GETS; i++) {
        table.get(new Get(toBytes("row")));
      }
      table.increment(new Increment(toBytes("counter")).addColumn(FAMILY, COLUMN, 1));
      table.append(new Append(toBytes("row")).addColumn(FAMILY, COLUMN, toBytes("2")));
      table.checkAndMutate(
          CheckAndMutate.newBuilder(toBytes("row"))
              .ifEquals(FAMILY, COLUMN, toBytes("12"))
              .build(put));
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        scanner.forEach(result -> {});
      }
      table.delete(new Delete(toBytes("other")));
      admin.flush(TABLE);
      table.put(put);
      admin.flush(TABLE);
      admin.majorCompact(TABLE);
      Eventually.holds(
          () -> get("/metrics").matches("(?s).*major_compaction_seconds_count\\{[^\n]*} [1-9].*"),
          "the table is compacted");
    }
  }

  /** Connects to the server. */
  Connection connect() throws IOException {
    return server.connect();
  }

  /** Returns a page. */
  String get(String path) throws IOException {
    InetSocketAddress web = server.endpoints().web().orElseThrow();
    URI uri = URI.create("http://127.0.0.1:" + web.getPort() + path);
    try {
      HttpResponse<String> response =
          http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  /** Returns the beans that match a pattern. */
  String beans(String pattern) throws IOException {
    return get("/jmx?qry=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
