package dev.cairn.server.process;

import static dev.cairn.server.process.RoleProcesses.awaitHealthy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes whose sessions end while they cannot reach ZooKeeper, or with its data. */
@Timeout(300)
class EndedSessionTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final byte[] ROW = Bytes.utf8("row");

  /** A loaded machine may stop a process for seconds, and the session must last meanwhile. */
  @RegisterExtension
  private final RoleProcesses cluster =
      new RoleProcesses(Map.of("zookeeper.session.timeout", "12000"));

  @Test
  void theyStartAgainAndTheMasterReportsIt() throws Exception {
    try (Coordination observer = cluster.observe();
        CairnProcess master = cluster.start(ServerRole.MASTER);
        CairnProcess server = cluster.start(ServerRole.REGION_SERVER)) {
      createTable();
      cluster.cutFromZooKeeper();
      await(() -> observer.state().regionServers().isEmpty());
      await(() -> observer.state().activeMaster().isEmpty());
      assertThat(master.failure()).isEmpty();
      assertThat(server.failure()).isEmpty();

      cluster.connectToZooKeeper();
      assertThat(master.awaitStopped()).isFalse();
      assertThat(server.awaitStopped()).isFalse();
      assertThat(master.mayStartAgain()).isTrue();
      assertThat(server.mayStartAgain()).isTrue();
      try (CairnProcess nextMaster = cluster.startAgain(master);
          CairnProcess nextServer = cluster.startAgain(server);
          Connection connection = cluster.connect();
          Table table = connection.getTable(TABLE)) {
        assertThat(table.get(new Get(ROW)).getValue(FAMILY, FAMILY)).isEqualTo(FAMILY);
        awaitHealthy(nextMaster);
        awaitHealthy(nextServer);
        ServerName earlier = server.endpoints().regionServer();
        ServerName later = nextServer.endpoints().regionServer();
        await(() -> report(nextMaster).contains(earlier.toString()));
        await(() -> report(nextMaster).contains(master.endpoints().master().toString()));
        assertThat(report(nextMaster))
            .contains("STARTED_AGAIN", "has ended the session", "restarted itself as " + later);
      }
    }
  }

  /** As after the folder of {@code bin/cairn zookeeper} was deleted. */
  @Test
  void theyStartAgainWhenZooKeeperComesBackEmpty() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER);
        CairnProcess server = cluster.start(ServerRole.REGION_SERVER)) {
      createTable();
      cluster.emptyZooKeeper();
      assertThat(master.awaitStopped()).isFalse();
      assertThat(server.awaitStopped()).isFalse();
      assertThat(master.mayStartAgain()).isTrue();
      assertThat(server.mayStartAgain()).isTrue();
      try (CairnProcess nextMaster = cluster.startAgain(master);
          CairnProcess nextServer = cluster.startAgain(server);
          Connection connection = cluster.connect();
          Table table = connection.getTable(TABLE)) {
        assertThat(table.get(new Get(ROW)).getValue(FAMILY, FAMILY)).isEqualTo(FAMILY);
        awaitHealthy(nextMaster);
        awaitHealthy(nextServer);
      }
    }
  }

  private void createTable() throws IOException {
    try (Connection connection = cluster.connect()) {
      connection
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build());
      try (Table table = connection.getTable(TABLE)) {
        table.put(new Put(ROW).addColumn(FAMILY, FAMILY, FAMILY));
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    for (int i = 0; i < 5 && !Waiting.reaches(condition); i++) {
      continue;
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private static String report(CairnProcess master) {
    InetSocketAddress web = master.endpoints().web().orElseThrow();
    try (InputStream page = new URL("http", "127.0.0.1", web.getPort(), "/report").openStream()) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
