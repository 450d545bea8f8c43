package dev.cairn.server.process;

import static dev.cairn.server.process.RoleProcesses.awaitHealthy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.rpc.FreePorts;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A master and a region server serve clients from processes of their own, as from one. */
@Timeout(120)
class SeparateRolesTest {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};

  @RegisterExtension private final RoleProcesses cluster = new RoleProcesses(Map.of());

  @Test
  void aMasterAndARegionServerOfTwoProcessesServeAClient() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER);
        CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        Connection connection = cluster.connect()) {
      Table table = createTable(connection, "t");
      put(table, "row", "value");

      assertThat(get(table, "row")).isEqualTo("value");
      awaitHealthy(master);
      awaitHealthy(regionServer);
    }
  }

  @Test
  void aRegionServerMayStartBeforeItsMaster() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER)) {
      assertThat(regionServer.health().status()).isEqualTo(HealthStatus.FAIL);
      try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void rowsAreServedWhileTheMasterIsAwayAndTablesAreCreatedOnceItIsBack() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        Connection connection = cluster.connect()) {
      Table table;
      try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
        table = createTable(connection, "t");
        put(table, "before", "1");
        awaitHealthy(master);
      }
      put(table, "meanwhile", "2");
      assertThat(get(table, "before")).isEqualTo("1");

      try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
        put(createTable(connection, "u"), "after", "3");
        assertThat(get(table, "meanwhile")).isEqualTo("2");
        awaitHealthy(master);
      }
      awaitHealthy(regionServer);
    }
  }

  @Test
  void rowsAreServedAgainOnceTheRegionServerIsBack() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect()) {
      Table table;
      try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER)) {
        table = createTable(connection, "t");
        put(table, "row", "value");
        awaitHealthy(regionServer);
      }
      try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER)) {
        assertThat(get(table, "row")).isEqualTo("value");
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void rowsOfAKilledRegionServerAreServedByTheNextOne() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect()) {
      CairnProcess killed = cluster.start(ServerRole.REGION_SERVER);
      Table table = createTable(connection, "t");
      put(table, "row", "value");
      killed.abort("a test asked for it");

      try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER)) {
        assertThat(get(table, "row")).isEqualTo("value");
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void aRegionServerWhoseZnodeIsDeletedEndsAndMayStartAgain() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect();
        CairnProcess unregistered = cluster.start(ServerRole.REGION_SERVER)) {
      Table table = createTable(connection, "t");
      put(table, "row", "value");
      cluster.deleteZnodes();

      assertThat(unregistered.awaitStopped()).isFalse();
      assertThat(unregistered.mayStartAgain()).isTrue();
      try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER)) {
        assertThat(get(table, "row")).isEqualTo("value");
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void aSecondMasterStandsByAndLeadsOnceTheFirstHasEnded() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess first = cluster.start(ServerRole.MASTER);
        CairnProcess second = cluster.start(ServerRole.MASTER)) {
      awaitHealthy(second);
      assertThat(second.health().text()).contains(CairnProcess.STANDBY);

      first.close();
      Waiting.reaches(() -> !second.health().text().contains(CairnProcess.STANDBY));
      awaitHealthy(second);
      awaitHealthy(regionServer);
    }
  }

  @Test
  void stoppingTheMasterStopsTheActiveOneAlone() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess first = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect()) {
      awaitHealthy(first);
      try (CairnProcess second = cluster.start(ServerRole.MASTER)) {
        awaitHealthy(second);
        connection.getAdmin().stopMaster();

        assertThat(first.awaitStopped()).isTrue();
        Waiting.reaches(() -> !second.health().text().contains(CairnProcess.STANDBY));
        awaitHealthy(second);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void aServerTellsWhereARegionWentThatWasMoved() throws Exception {
    try (CairnProcess first = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess second = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect()) {
      Table table = createTable(connection, "t");
      put(table, "row", "value");
      awaitHealthy(master);
      HRegionLocation before = location(connection, table);
      boolean isFirst = before.getServerName().getPort() == first.endpoints().regionServer().port();
      ServerName target = serverName(isFirst ? second : first);

      connection.getAdmin().move(before.getRegion().getEncodedNameAsBytes(), target);
      Waiting.reaches(() -> location(connection, table).getServerName().equals(target));

      assertThatThrownBy(() -> getAt(connection, before))
          .isInstanceOfSatisfying(
              RegionMovedException.class,
              moved -> {
                assertThat(moved.getServerName()).isEqualTo(target);
                assertThat(moved.getLocationSeqNum()).isGreaterThanOrEqualTo(before.getSeqNum());
              });
      assertThat(get(table, "row")).isEqualTo("value");
    }
  }

  /** Asks the server of an earlier location, as a client does that does not know better. */
  private static void getAt(Connection connection, HRegionLocation location) throws IOException {
    try {
      ((ClusterConnection) connection)
          .getClient(location.getServerName())
          .get(
              null,
              RequestConverter.buildGetRequest(
                  location.getRegion().getRegionName(), new Get("row".getBytes())));
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }

  private static HRegionLocation location(Connection connection, Table table) {
    try {
      return connection.getRegionLocator(table.getName()).getRegionLocation(new byte[0], true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerName serverName(CairnProcess process) {
    return ServerName.valueOf(process.endpoints().regionServer().toString());
  }

  @Test
  void aShutdownEndsAllProcesses() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess first = cluster.start(ServerRole.MASTER);
        CairnProcess second = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect()) {
      awaitHealthy(first);
      connection.getAdmin().shutdown();

      assertThat(regionServer.awaitStopped()).isTrue();
      assertThat(second.awaitStopped()).isTrue();
      assertThat(first.awaitStopped()).isTrue();
    }
  }

  @Test
  void aRootDirectoryOfAnotherClusterIsRefused() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      awaitHealthy(master);
      Storage other = new MemoryStorage(Clock.SYSTEM);

      assertThatThrownBy(() -> cluster.start(ServerRole.REGION_SERVER, other))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "is of no cluster yet (it contains nothing), but ZooKeeper knows the cluster");
      assertThat(other.list("")).isEmpty();
      awaitHealthy(regionServer);
    }
  }

  @Test
  void aProcessTellsWhereItsOwnServerIs() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
      int port = master.endpoints().master().port();
      assertThat(master.endpoints().servers()).containsOnlyKeys(ServerRole.MASTER);
      assertThat(FreePorts.canListen(port)).isFalse();
      assertThatThrownBy(() -> master.endpoints().regionServer())
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("The process has no region server");
    }
  }

  private static Table createTable(Connection connection, String name) throws IOException {
    TableName table = TableName.valueOf(name);
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
    return connection.getTable(table);
  }

  private static void put(Table table, String row, String value) throws IOException {
    table.put(new Put(row.getBytes()).addColumn(FAMILY, QUALIFIER, value.getBytes()));
  }

  private static String get(Table table, String row) throws IOException {
    return new String(table.get(new Get(row.getBytes())).getValue(FAMILY, QUALIFIER));
  }
}
