package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn advise} and the page tell of a running server's tables. */
class AdviseCommandTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BATCH = 200;

  @TempDir private Path home;

  @Test
  void keysThatOnlyGrowAreFoundInARunningServer() throws Exception {
    try (LocalServer server = new LocalServer(home.resolve("data"));
        Connection connection =
            ConnectionFactory.createConnection(
                ClientConfiguration.of(Map.of(), server.addresses()));
        Admin admin = connection.getAdmin()) {
      create(admin, "idle");
      create(admin, "events");
      writeUntilFound(connection, server.addresses().web().orElseThrow());
      site(server.addresses().zooKeeper());

      assertThat(advise("events"))
          .contains("Keys only grow [growing-keys]", "create 'events_hashed', {NAME => 'f'");
      assertThat(advise()).contains("events: 1 finding", "idle: nothing to do");
      JsonObject json = JsonParser.parseString(advise("--json", "events")).getAsJsonObject();
      assertThat(json.getAsJsonArray("problems")).isEmpty();
      JsonObject effect =
          json.getAsJsonArray("tables")
              .get(0)
              .getAsJsonObject()
              .getAsJsonArray("findings")
              .get(0)
              .getAsJsonObject()
              .getAsJsonArray("proposals")
              .get(0)
              .getAsJsonObject()
              .getAsJsonObject("effect");
      assertThat(effect.get("before").getAsDouble()).isGreaterThan(0.9);
      assertThat(effect.get("after").getAsDouble()).isLessThan(0.5);
      assertThat(advise("none")).contains("there is no table none");
    }
  }

  private static void create(Admin admin, String table) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
  }

  /** Writes rows in the order of their keys until the server has seen that keys grow. */
  private static void writeUntilFound(Connection connection, String web) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    URI page = URI.create(web).resolve("/api/v1/advice?name=events");
    Instant end = Instant.now().plus(PATIENCE);
    int row = 0;
    try (Table table = connection.getTable(TableName.valueOf("events"))) {
      String answer;
      do {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          byte[] key = Bytes.toBytes(String.format("%010d", row++));
          puts.add(new Put(key).addColumn(FAMILY, FAMILY, FAMILY));
        }
        table.put(puts);
        answer =
            client
                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(Instant.now()).as(answer).isBefore(end);
      } while (!answer.contains("growing-keys"));
    }
  }

  private String advise(String... options) {
    StringWriter out = new StringWriter();
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    List<String> arguments = new ArrayList<>(List.of("advise"));
    arguments.addAll(List.of(options));
    new CairnCommand(
            new CairnDatabase(),
            properties,
            Map.of("HBASE_LOG_DIR", home.resolve("logs").toString()))
        .commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute(arguments.toArray(String[]::new));
    return out.toString();
  }

  private void site(String zooKeeper) throws IOException {
    int colon = zooKeeper.lastIndexOf(':');
    Path conf = Files.createDirectories(home.resolve("conf"));
    Files.writeString(
        conf.resolve("hbase-site.xml"),
        """
        <configuration>
          <property><name>hbase.zookeeper.quorum</name><value>%s</value></property>
          <property><name>hbase.zookeeper.property.clientPort</name><value>%s</value></property>
        </configuration>
        """
            .formatted(zooKeeper.substring(0, colon), zooKeeper.substring(colon + 1)));
  }
}
