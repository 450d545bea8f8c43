package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
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
      create(admin, "users");
      writeUntilJudged(connection, server.addresses().web().orElseThrow());
      new CommandHome(home).site(server.addresses().zooKeeper());

      assertThat(advise("events"))
          .contains("Keys only grow [growing-keys]", "create 'events_hashed', {NAME => 'f'");
      assertThat(advise())
          .contains("events: 1 finding", "idle: too few calls to judge it", "users: nothing to do");
      assertThat(verdicts(advise("--json")))
          .containsExactly(
              Map.entry("events", "findings"),
              Map.entry("idle", "too-few-calls"),
              Map.entry("users", "nothing-to-do"));
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

  private static Map<String, String> verdicts(String json) {
    Map<String, String> verdicts = new TreeMap<>();
    for (JsonElement table :
        JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("tables")) {
      verdicts.put(
          table.getAsJsonObject().get("table").getAsString(),
          table.getAsJsonObject().get("verdict").getAsString());
    }
    return verdicts;
  }

  /**
   * Writes the same rows to both tables, but to one of them in the order of the keys. Ends when the
   * adviser reports growing keys for that one and nothing to do for the other.
   */
  private static void writeUntilJudged(Connection connection, String web) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    URI page = URI.create(web).resolve("/api/v1/advice");
    Instant end = Instant.now().plus(PATIENCE);
    int row = 0;
    try (Table events = connection.getTable(TableName.valueOf("events"));
        Table users = connection.getTable(TableName.valueOf("users"))) {
      String answer;
      do {
        List<Put> growing = new ArrayList<>();
        List<Put> hashed = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          String key = String.format("%010d", row++);
          growing.add(put(key));
          hashed.add(put(MD5Hash.getMD5AsHex(Bytes.toBytes(key))));
        }
        events.put(growing);
        users.put(hashed);
        answer =
            client
                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(Instant.now()).as(answer).isBefore(end);
      } while (!answer.contains("Keys only grow") || !answer.contains("nothing to do"));
    }
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, FAMILY);
  }

  private String advise(String... options) {
    List<String> arguments = new ArrayList<>(List.of("advise"));
    arguments.addAll(List.of(options));
    return new CommandHome(home).run(arguments.toArray(String[]::new));
  }
}
