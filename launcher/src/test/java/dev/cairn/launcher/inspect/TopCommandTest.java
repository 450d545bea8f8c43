package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn top} shows the traffic of a running server. */
class TopCommandTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("busy");
  private static final String HOT_ROW = "celebrity";
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BATCH = 100;

  @TempDir private Path home;

  @Test
  void theHotRowOfARunningServerIsShownOnceAndAsJson() throws Exception {
    CommandHome commands = new CommandHome(home);
    try (LocalServer server = new LocalServer(home.resolve("data"));
        Connection connection =
            ConnectionFactory.createConnection(
                ClientConfiguration.of(Map.of(), server.addresses()))) {
      commands.site(server.addresses().zooKeeper());
      JsonObject traffic = writeUntilShown(connection, commands);
      assertThat(traffic.getAsJsonArray("problems")).isEmpty();
      assertThat(traffic.getAsJsonArray("servers")).hasSize(1);
      assertThat(named(traffic, "tables", TABLE.getNameAsString()).get("writes").getAsDouble())
          .isPositive();
      assertThat(traffic.getAsJsonArray("regions")).hasSize(2);
      JsonObject hottest = named(traffic, "rows", HOT_ROW);
      assertThat(hottest.get("perSecond").getAsDouble())
          .isGreaterThan(hottest.get("error").getAsDouble());
      assertThat(traffic.getAsJsonArray("callers")).isNotEmpty();

      String text = commands.run("top", "--once", "--sort", "writes");
      assertThat(text.lines())
          .anyMatch(line -> line.startsWith(HOT_ROW))
          .anyMatch(line -> line.startsWith(TABLE.getNameAsString() + " "))
          .noneMatch(line -> line.startsWith("!"));
      assertThat(commands.run("top", "--once", "--sort", "love"))
          .contains("--sort", "expected one of");
    }
  }

  private static JsonObject named(JsonObject traffic, String list, String name) {
    JsonArray all = traffic.getAsJsonArray(list);
    for (JsonElement one : all) {
      if (one.getAsJsonObject().get("name").getAsString().equals(name)) {
        return one.getAsJsonObject();
      }
    }
    throw new AssertionError(name + " is not in " + all);
  }

  /** Writes to a table, half of the writes to one row, until the writes are shown. */
  private static JsonObject writeUntilShown(Connection connection, CommandHome commands)
      throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          new byte[][] {Bytes.toBytes("m")});
    }
    Instant end = Instant.now().plus(PATIENCE);
    try (Table table = connection.getTable(TABLE)) {
      while (true) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          puts.add(put(HOT_ROW));
          puts.add(put((char) ('a' + i % 26) + "-" + i));
        }
        table.put(puts);
        JsonObject traffic =
            JsonParser.parseString(commands.run("top", "--json")).getAsJsonObject();
        if (traffic.getAsJsonArray("regions").size() == 2
            && traffic.getAsJsonArray("rows").toString().contains(HOT_ROW)
            && !traffic.getAsJsonArray("callers").isEmpty()) {
          return traffic;
        }
        assertThat(Instant.now()).as(traffic.toString()).isBefore(end);
      }
    }
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, FAMILY);
  }
}
