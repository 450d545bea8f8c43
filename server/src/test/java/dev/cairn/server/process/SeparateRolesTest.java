package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.rpc.FreePorts;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master and a region server serve clients from processes of their own, as from one. */
@Timeout(120)
class SeparateRolesTest {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private EmbeddedZooKeeper zooKeeper;

  @BeforeEach
  void startZooKeeper() throws IOException {
    zooKeeper =
        EmbeddedZooKeeper.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            0,
            failure -> {});
  }

  @AfterEach
  void closeZooKeeper() {
    zooKeeper.close();
  }

  @Test
  void aMasterAndARegionServerOfTwoProcessesServeAClient() throws Exception {
    try (CairnProcess master = start(ServerRole.MASTER);
        CairnProcess regionServer = start(ServerRole.REGION_SERVER);
        Connection connection = ConnectionFactory.createConnection(client())) {
      Table table = createTable(connection, "t");
      put(table, "row", "value");

      assertThat(get(table, "row")).isEqualTo("value");
      awaitHealthy(master);
      awaitHealthy(regionServer);
    }
  }

  @Test
  void aRegionServerMayStartBeforeItsMaster() throws Exception {
    try (CairnProcess regionServer = start(ServerRole.REGION_SERVER)) {
      assertThat(regionServer.health().status()).isEqualTo(HealthStatus.FAIL);
      try (CairnProcess master = start(ServerRole.MASTER)) {
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void rowsAreServedWhileTheMasterIsAwayAndTablesAreCreatedOnceItIsBack() throws Exception {
    try (CairnProcess regionServer = start(ServerRole.REGION_SERVER);
        Connection connection = ConnectionFactory.createConnection(client())) {
      Table table;
      try (CairnProcess master = start(ServerRole.MASTER)) {
        table = createTable(connection, "t");
        put(table, "before", "1");
        awaitHealthy(master);
      }
      put(table, "meanwhile", "2");
      assertThat(get(table, "before")).isEqualTo("1");

      try (CairnProcess master = start(ServerRole.MASTER)) {
        put(createTable(connection, "u"), "after", "3");
        assertThat(get(table, "meanwhile")).isEqualTo("2");
        awaitHealthy(master);
      }
      awaitHealthy(regionServer);
    }
  }

  @Test
  void rowsAreServedAgainOnceTheRegionServerIsBack() throws Exception {
    try (CairnProcess master = start(ServerRole.MASTER);
        Connection connection = ConnectionFactory.createConnection(client())) {
      Table table;
      try (CairnProcess regionServer = start(ServerRole.REGION_SERVER)) {
        table = createTable(connection, "t");
        put(table, "row", "value");
        awaitHealthy(regionServer);
      }
      try (CairnProcess regionServer = start(ServerRole.REGION_SERVER)) {
        assertThat(get(table, "row")).isEqualTo("value");
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void rowsOfAKilledRegionServerAreServedByTheNextOne() throws Exception {
    try (CairnProcess master = start(ServerRole.MASTER);
        Connection connection = ConnectionFactory.createConnection(client())) {
      CairnProcess killed = start(ServerRole.REGION_SERVER);
      Table table = createTable(connection, "t");
      put(table, "row", "value");
      killed.abort("a test asked for it");

      try (CairnProcess regionServer = start(ServerRole.REGION_SERVER)) {
        assertThat(get(table, "row")).isEqualTo("value");
        awaitHealthy(master);
        awaitHealthy(regionServer);
      }
    }
  }

  @Test
  void aProcessTellsWhereItsOwnServerIs() throws Exception {
    try (CairnProcess master = start(ServerRole.MASTER)) {
      int port = master.endpoints().master().port();
      assertThat(master.endpoints().servers()).containsOnlyKeys(ServerRole.MASTER);
      assertThat(FreePorts.canListen(port)).isFalse();
      assertThatThrownBy(() -> master.endpoints().regionServer())
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("The process has no region server");
    }
  }

  private CairnProcess start(ServerRole role) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.zookeeper.quorum", "127.0.0.1:" + zooKeeperPort());
    settings.put("hbase.master.port", "0");
    settings.put("hbase.regionserver.port", "0");
    settings.put("hbase.master.info.port", "0");
    settings.put("cairn.bind.address", "127.0.0.1");
    settings.put("cairn.hostname", "127.0.0.1");
    return CairnProcess.start(
        new SiteConfig(settings),
        LiveConfig::withoutFile,
        storage,
        Optional.empty(),
        Clock.SYSTEM,
        notice -> {},
        Set.of(role));
  }

  private Configuration client() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set("hbase.zookeeper.property.clientPort", zooKeeperPort());
    return configuration;
  }

  private String zooKeeperPort() {
    String address = zooKeeper.connectString();
    return address.substring(address.lastIndexOf(':') + 1);
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

  private static void awaitHealthy(CairnProcess process) {
    Waiting.reaches(() -> process.health().status() == HealthStatus.OK);
    assertThat(process.health().problems()).isEmpty();
  }
}
