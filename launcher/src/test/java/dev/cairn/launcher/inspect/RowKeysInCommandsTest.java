package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.keys.KeyFormat;
import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import java.io.IOException;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and pages show row keys by the format that the table declares. */
class RowKeysInCommandsTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("events");
  private static final KeyFormat FORMAT = KeyFormat.parse("host string(8), seq int, path string");
  private static final byte[] HOT = FORMAT.encode("web1", 7, "/a");
  private static final String HOT_BYTES = "web1\\x00\\x00\\x00\\x00\\x80\\x00\\x00\\x07/a";
  private static final String HOT_PARTS = "host=\"web1\" seq=7 path=\"/a\"";
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BATCH = 100;

  @TempDir private Path home;

  @Test
  void rowKeysAreShownByTheFormatOfTheirTable() throws Exception {
    CommandHome commands = new CommandHome(home);
    try (LocalServer server = new LocalServer(home.resolve("data"));
        Connection connection =
            ConnectionFactory.createConnection(
                ClientConfiguration.of(Map.of(), server.addresses()))) {
      commands.site(server.addresses().zooKeeper());
      String web = server.addresses().web().orElseThrow();
      create(connection);
      String shown = writeUntilShown(connection, commands);
      assertThat(shown.lines())
          .anyMatch(
              line -> line.startsWith(HOT_BYTES) && line.endsWith("  events {" + HOT_PARTS + "}"))
          .anyMatch(line -> line.contains(" from web2\\x00\\x00\\x00\\x00 {host=\"web2\" …}"))
          .noneMatch(line -> line.startsWith("!"));

      String hot = HOT_BYTES + " {" + HOT_PARTS + "}";
      assertThat(get(web, "/traffic")).contains(hot.replace("\"", "&quot;"));
      assertThat(get(web, "/api/v1/traffic/events")).contains("\"host=\\\"web2\\\" …\"");

      assertThat(commands.run("explain", TABLE.toString(), HOT_BYTES))
          .contains("Row " + hot + ": 1 of ");
      assertThat(commands.run("explain", TABLE.toString(), "other", "--json"))
          .contains("\"row\":\"other\"")
          .doesNotContain("\"key\"");

      Path folder = home.resolve("export");
      assertThat(commands.run("export", TABLE.toString(), folder.toString(), "--keys"))
          .contains("--keys is for --format json");
      assertThat(export(commands, folder)).startsWith("Exported ");
      assertThat(lines(folder))
          .anyMatch(line -> line.contains("\"key\":{\"host\":\"web1\",\"seq\":7,\"path\":\"/a\"}"))
          .anyMatch(line -> line.startsWith("{\"row\":\"other\",\"cells\":"));
    }
  }

  private static String export(CommandHome commands, Path folder) {
    return commands.run(
        "export", TABLE.toString(), folder.toString(), "--format", "json", "--keys");
  }

  private static List<String> lines(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines.stream().filter(line -> line.startsWith("{\"row\"")).collect(Collectors.toList());
  }

  private static void create(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setValue(KeyFormat.TABLE_ATTRIBUTE, FORMAT.toString())
              .build(),
          new byte[][] {Bytes.toBytes("web2\0\0\0\0")});
      table.put(put(Bytes.toBytes("other")));
    }
  }

  /** Writes to the table, half of the writes to one row, until the traffic is shown. */
  private static String writeUntilShown(Connection connection, CommandHome commands)
      throws Exception {
    Instant end = Instant.now().plus(PATIENCE);
    try (Table table = connection.getTable(TABLE)) {
      while (true) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          puts.add(put(HOT));
          puts.add(put(FORMAT.encode("web" + i % 4, i * 31 % 1_000, "/b")));
        }
        table.put(puts);
        String shown = commands.run("top", "--once");
        if (shown.contains(HOT_BYTES) && shown.contains("from web2")) {
          return shown;
        }
        assertThat(Instant.now()).as(shown).isBefore(end);
      }
    }
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(FAMILY, FAMILY, FAMILY);
  }

  private static String get(String web, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(web).resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
