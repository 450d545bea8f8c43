package dev.cairn.interop.process;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings that change while the server runs, through Apache's client. */
@Timeout(120)
class UpdateConfigurationTest {
  private static final String SIZE = "hbase.ipc.warn.response.size";
  private static final String MIN_FILES = "hbase.hstore.compaction.min";
  private static final String HANDLERS = "hbase.regionserver.handler.count";
  private static final byte[] FAMILY = toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int ROW_BYTES = 5000;

  @TempDir private static Path folder;

  private static ServerProcess server;
  private static Connection connection;
  private static Admin admin;
  private static ServerName name;

  @BeforeAll
  static void start() throws Exception {
    server = new ServerProcess(folder);
    server.set("hbase.regionserver.slowlog.buffer.enabled", "true").set(MIN_FILES, "100").start();
    connection = ConnectionFactory.createConnection(server.impatientClient());
    admin = connection.getAdmin();
    name = admin.getRegionServers().iterator().next();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
    put();
  }

  @AfterAll
  static void stop() throws Exception {
    admin.close();
    connection.close();
    server.close();
  }

  @BeforeEach
  void settingsAsAtTheStart() throws IOException {
    set(Map.of(SIZE, "-1", MIN_FILES, "100", HANDLERS, "30"));
    admin.updateConfiguration(name);
    admin.clearSlowLogResponses(Set.of(name));
  }

  private static void set(Map<String, String> settings) throws IOException {
    settings.forEach(server::set);
    server.writeSite();
  }

  private static void put() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(toBytes("row")).addColumn(FAMILY, toBytes("q"), new byte[ROW_BYTES]));
    }
  }

  /** Tells whether the server takes the response of a get for a large one. */
  private static boolean isLarge() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.get(new Get(toBytes("row")));
    }
    return !admin
        .getLogEntries(
            Set.of(name), "LARGE_LOG", ServerType.REGION_SERVER, 10, Map.of("tableName", "t"))
        .isEmpty();
  }

  private static int storeFiles() throws IOException {
    return admin.getRegionMetrics(name, TABLE).stream()
        .mapToInt(RegionMetrics::getStoreFileCount)
        .sum();
  }

  private static void until(Callable<Boolean> condition) {
    Eventually.holds(condition, "what the settings demand has happened");
  }

  @Test
  void aKeyThatChangesAtRunTimeTakesEffect() throws Exception {
    set(Map.of(SIZE, "1000"));
    admin.updateConfiguration(name);
    until(UpdateConfigurationTest::isLarge);
    assertThat(server.output()).contains("Changed " + SIZE + " from <-1> to <1000>");
  }

  @Test
  void openRegionsTakeNewLimitsOfCompactions() throws Exception {
    for (int i = 0; i < 3; i++) {
      put();
      admin.flush(TABLE);
    }
    assertThat(storeFiles()).isGreaterThanOrEqualTo(3);
    set(Map.of(MIN_FILES, "2"));
    admin.updateConfiguration(name);
    admin.compact(TABLE);
    until(() -> storeFiles() == 1);
  }

  @Test
  void allServersReadTheirSettingsAgain() throws Exception {
    set(Map.of(SIZE, "1001"));
    admin.updateConfiguration();
    assertThat(server.output()).contains("to <1001>");
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(server.impatientClient())
            .get(1, TimeUnit.MINUTES)) {
      set(Map.of(SIZE, "1002"));
      async.getAdmin().updateConfiguration().get(1, TimeUnit.MINUTES);
      assertThat(server.output()).contains("from <1001> to <1002>");
      set(Map.of(SIZE, "1003"));
      async.getAdmin().updateConfiguration(name).get(1, TimeUnit.MINUTES);
      assertThat(server.output()).contains("from <1002> to <1003>");
    }
    ServerName master = admin.getMaster();
    set(Map.of(SIZE, "1004"));
    admin.updateConfiguration(master);
    assertThat(server.output()).contains("from <1003> to <1004>");
  }

  @Test
  void otherKeysAreNamedInTheLog() throws Exception {
    set(Map.of(HANDLERS, "7"));
    admin.updateConfiguration(name);
    assertThat(server.output())
        .contains(
            HANDLERS
                + " from <30> to <7> cannot change at run time: it takes effect at the next start");
  }

  @Test
  void anImpossibleValueChangesNothing() throws Exception {
    set(Map.of(SIZE, "1000", MIN_FILES, "many"));
    assertThatThrownBy(() -> admin.updateConfiguration(name))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(
            "No setting has changed: " + MIN_FILES + " must be 0 to 2147483647, not <many>");
    assertThat(isLarge()).isFalse();
  }

  @Test
  void aMalformedFileChangesNothing() throws Exception {
    Files.writeString(server.configFolder().resolve("hbase-site.xml"), "<configuration>\n<prop");
    assertThatThrownBy(() -> admin.updateConfiguration(name))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("No setting has changed: ")
        .hasMessageContaining("hbase-site.xml, line 2");
    assertThat(isLarge()).isFalse();
  }

  @Test
  void aServerWithoutAConfigurationFolderSaysSo() throws Exception {
    try (CairnServer embedded = CairnServer.start();
        Connection other = embedded.connect();
        Admin otherAdmin = other.getAdmin()) {
      ServerName only = otherAdmin.getRegionServers().iterator().next();
      assertThatThrownBy(() -> otherAdmin.updateConfiguration(only))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("started without a configuration folder");
    }
  }
}
