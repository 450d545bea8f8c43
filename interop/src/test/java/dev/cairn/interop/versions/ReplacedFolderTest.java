package dev.cairn.interop.versions;

import dev.cairn.launcher.cluster.FreePorts;
import dev.cairn.testing.CairnServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of all versions go on while the server's folder, or ZooKeeper's in it, is emptied,
 * restored or replaced. Each keeps one connection.
 */
@Timeout(900)
class ReplacedFolderTest {
  private static final TableName TABLE = TableName.valueOf("lasting");
  private static final String MASTER_PORT = "hbase.master.port";
  private static final String REGION_SERVER_PORT = "hbase.regionserver.port";
  private static final String ZOOKEEPER_PORT = "hbase.zookeeper.property.clientPort";

  @TempDir Path directory;

  private final List<LastingClient> clients = new ArrayList<>();
  private final List<String> ports =
      new FreePorts().take(3).stream().map(port -> Integer.toString(port)).toList();
  private CairnServer server;

  @AfterEach
  void closeAll() throws IOException {
    clients.forEach(LastingClient::close);
    if (server != null) {
      server.close();
    }
  }

  @Test
  void anEarlierAndTheUsualClient() throws Exception {
    start(data());
    createTable();
    client("1.4", "hbase1", zooKeeper());
    client("2.6", "hbase2", zooKeeper());
    liveThroughReplacements();
  }

  @Test
  @Tag("long")
  void clientsOfAllAges() throws Exception {
    start(data());
    createTable();
    for (String version : List.of("1.2", "1.4")) {
      client(version, "hbase1", zooKeeper());
    }
    for (String version : List.of("2.2", "2.4", "2.5", "2.6")) {
      client(version, "hbase2", zooKeeper());
    }
    client("2.6", "hbase2", servers());
    client("3.0", "hbase2", servers());
    String quorum = "127.0.0.1:" + ports.get(2);
    clients.add(
        LastingClient.start(
            "asynchbase",
            new ClientProgram(
                List.of("asynchbase", "hbase1", "shared"),
                List.of("lastingasync"),
                "LastingAsyncHBase"),
            directory,
            List.of(TABLE.getNameAsString(), quorum)));
    liveThroughReplacements();
  }

  private void liveThroughReplacements() throws Exception {
    everyoneServed("begin");
    Path zooKeeper = data().resolve("zookeeper");

    stop();
    Path allOfThen = copy(data(), "allOfThen");
    Path zooKeeperOfThen = copy(zooKeeper, "zooKeeperOfThen");
    start(data());
    everyoneServed("same");

    stop();
    delete(zooKeeper);
    start(data());
    everyoneServed("zooKeeperEmptied");

    stop();
    delete(zooKeeper);
    copy(zooKeeperOfThen, "data/zookeeper");
    start(data());
    everyoneServed("zooKeeperRestored");

    stop();
    damage(zooKeeper);
    start(data());
    everyoneServed("zooKeeperDamaged");

    stop();
    delete(data());
    copy(allOfThen, "data");
    start(data());
    everyoneServed("allRestored");

    stop();
    delete(data());
    start(data());
    createTable();
    everyoneServed("allEmptied");

    stop();
    start(directory.resolve("other"));
    createTable();
    everyoneServed("allReplaced");

    for (LastingClient client : clients) {
      System.out.println(client + ": " + client.times());
    }
  }

  private void everyoneServed(String row) throws Exception {
    for (LastingClient client : clients) {
      client.ask(row);
    }
    for (LastingClient client : clients) {
      client.awaitAnswer(row);
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  private void start(Path folder) throws IOException {
    server =
        CairnServer.builder()
            .folder(folder)
            .setting(MASTER_PORT, ports.get(0))
            .setting(REGION_SERVER_PORT, ports.get(1))
            .setting(ZOOKEEPER_PORT, ports.get(2))
            .start();
  }

  private void stop() throws IOException {
    server.close();
    server = null;
  }

  private void createTable() throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
    }
  }

  private void client(String version, String libraries, List<String> settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(TABLE.getNameAsString()));
    arguments.addAll(settings);
    clients.add(
        LastingClient.start(
            version + (settings.equals(zooKeeper()) ? "" : " by servers"),
            new ClientProgram(
                List.of(version, libraries, "shared"), List.of("lasting"), "LastingClient"),
            directory,
            arguments));
  }

  private List<String> zooKeeper() {
    return List.of("hbase.zookeeper.quorum=127.0.0.1", ZOOKEEPER_PORT + "=" + ports.get(2));
  }

  /** Returns the settings of a client that asks servers, and not ZooKeeper, where regions are. */
  private List<String> servers() {
    return List.of(
        "hbase.client.registry.impl=org.apache.hadoop.hbase.client.RpcConnectionRegistry",
        "hbase.client.bootstrap.servers=127.0.0.1:" + ports.get(1));
  }

  private Path copy(Path from, String name) throws IOException {
    Path to = directory.resolve(name);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  private static void damage(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(file, new byte[10]);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
