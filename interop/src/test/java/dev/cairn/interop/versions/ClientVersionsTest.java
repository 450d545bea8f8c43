package dev.cairn.interop.versions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One program has the same results with all HBase clients from 1.2 to 3.0. Older clients, and
 * clients with another API, have programs of their own. {@code src/test/resources/clients} has the
 * expected output.
 */
@Timeout(400)
class ClientVersionsTest {
  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  @TempDir Path folder;

  @Test
  void theLastClientOfHBaseOne() throws Exception {
    clientOfHBaseOne("1.4", "1.4.12");
  }

  @Test
  @Tag("long")
  void anOlderClientOfHBaseOne() throws Exception {
    clientOfHBaseOne("1.2", "1.2.12");
  }

  private void clientOfHBaseOne(String client, String version) throws Exception {
    ClientProgram program =
        new ClientProgram(
            List.of(client, "hbase1", "shared"), List.of("battery", "v1"), "ClientBattery");
    assertThat(program.run(folder, arguments(zooKeeper())))
        .containsExactlyElementsOf(expected(version, "common.txt", "reshape-1.txt"));
  }

  /** All other tests have the client of HBase 2.6. */
  @ParameterizedTest
  @Tag("long")
  @CsvSource({"2.2, 2.2.3", "2.4, 2.4.17", "2.5, 2.5.11", "2.6, 2.6.4-hadoop3"})
  void clientsOfHBaseTwo(String client, String version) throws Exception {
    clientOfHBaseTwo(client, version);
  }

  private void clientOfHBaseTwo(String client, String version) throws Exception {
    ClientProgram program =
        new ClientProgram(
            List.of(client, "hbase2", "shared"), List.of("battery", "v2"), "ClientBattery");
    assertThat(program.run(folder, arguments(zooKeeper())))
        .containsExactlyElementsOf(expected(version, "common.txt", "reshape-2.txt"));
  }

  @Test
  void clientsOfHBaseThreeWhichAskTheServersInsteadOfZooKeeper() throws Exception {
    ServerName master = server.admin().getClusterMetrics().getMasterName();
    ClientProgram program =
        new ClientProgram(
            List.of("3.0", "hbase2", "shared"), List.of("battery", "v2"), "ClientBattery");
    String bootstrap = "hbase.client.bootstrap.servers=" + master.getAddress();
    assertThat(program.run(folder, arguments(List.of(bootstrap))))
        .containsExactlyElementsOf(expected("3.0.0-beta-1", "common.txt", "reshape-2.txt"));
  }

  @Test
  @Tag("long")
  void clientsOfHBaseZeroNinetyEight() throws Exception {
    ClientProgram program =
        new ClientProgram(List.of("0.98", "hbase1", "shared"), List.of("v0"), "OldClientBattery");
    assertThat(program.run(folder, arguments(zooKeeper())))
        .containsExactlyElementsOf(expected("0.98.24-hadoop2", "v0.txt"));
  }

  @Test
  @Tag("long")
  void asynchbase() throws Exception {
    byte[][] splits = {Bytes.toBytes("m"), Bytes.toBytes("r200")};
    try (TestTable table =
        server.create("asynchbase", splits, ColumnFamilyDescriptorBuilder.of("f"))) {
      ClientProgram program =
          new ClientProgram(
              List.of("asynchbase", "hbase1", "shared"),
              List.of("asynchbase"),
              "AsyncHBaseBattery");
      String quorum =
          server.configuration().get("hbase.zookeeper.quorum")
              + ":"
              + server.configuration().get("hbase.zookeeper.property.clientPort");
      assertThat(program.run(folder, List.of(table.name().getNameAsString(), quorum)))
          .containsExactlyElementsOf(expected("asynchbase.txt"));
    }
  }

  private static List<String> zooKeeper() {
    List<String> settings = new ArrayList<>();
    for (String key : List.of("hbase.zookeeper.quorum", "hbase.zookeeper.property.clientPort")) {
      settings.add(key + "=" + server.configuration().get(key));
    }
    return settings;
  }

  /** Returns the arguments of a program: the prefix of its tables' names, and settings. */
  private static List<String> arguments(List<String> settings) {
    List<String> arguments = new ArrayList<>();
    arguments.add(server.newName("battery").getNameAsString());
    arguments.addAll(settings);
    arguments.add("hbase.client.retries.number=5");
    return arguments;
  }

  private static List<String> expected(String version, String... files) throws Exception {
    List<String> lines = new ArrayList<>(List.of("version: " + version));
    for (String file : files) {
      lines.addAll(expected(file));
    }
    return lines;
  }

  private static List<String> expected(String file) throws Exception {
    try (var in = ClientVersionsTest.class.getResourceAsStream("/clients/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
