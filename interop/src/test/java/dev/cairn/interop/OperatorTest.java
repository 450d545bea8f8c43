package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Operators' requests, through the client that HBase's shell and HBCK2 use. */
class OperatorTest {
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.start();
    Configuration impatient = server.configuration();
    impatient.setInt("hbase.client.retries.number", 1);
    connection = ConnectionFactory.createConnection(impatient);
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  @Test
  void theMasterDescribesRegionsByBothOfTheirNames() throws Exception {
    RegionInfo region = create("described").get(0);
    assertThat(described(region.getRegionName())).isEqualTo(region);
    assertThat(described(region.getEncodedNameAsBytes())).isEqualTo(region);
    assertThat(described(bytes("hbase:meta,,1")).isMetaRegion()).isTrue();
    assertThat(described(bytes("1588230740")).isMetaRegion()).isTrue();
    assertThatThrownBy(() -> described(bytes("nothing")))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("UnknownRegionException: nothing");
  }

  private static RegionInfo described(byte[] name) throws Exception {
    ServerName master = admin.getClusterMetrics().getMasterName();
    AdminService.BlockingInterface service = ((ClusterConnection) connection).getAdmin(master);
    return ProtobufUtil.toRegionInfo(
        service
            .getRegionInfo(null, RequestConverter.buildGetRegionInfoRequest(name))
            .getRegionInfo());
  }

  @Test
  void hbckClosesAndOpensRegions() throws Exception {
    RegionInfo region = create("reassigned").get(0);
    try (Hbck hbck = connection.getHbck();
        Table table = connection.getTable(region.getTable())) {
      requireFirst(hbck.unassigns(List.of(region.getEncodedName(), "none")));
      Eventually.holds(() -> !isServed(table), "The region is closed");
      assertThat(
              hbck.setRegionStateInMeta(Map.of(region.getEncodedName(), RegionState.State.CLOSED)))
          .containsExactlyEntriesOf(Map.of(region.getEncodedName(), RegionState.State.CLOSED));
      assertThatThrownBy(
              () ->
                  hbck.setRegionStateInMeta(
                      Map.of(region.getEncodedName(), RegionState.State.OPEN)))
          .hasMessageContaining("is CLOSED and cannot be set to OPEN");
      requireFirst(hbck.assigns(List.of(region.getEncodedName(), "none")));
      Eventually.holds(() -> isServed(table), "The region is open");
      assertThatThrownBy(() -> hbck.unassigns(List.of("1588230740")))
          .hasMessageContaining("hbase:meta is not closed");
    }
  }

  /** Checks that there is a procedure for the first region; the second one is not known. */
  private static void requireFirst(List<Long> ids) {
    assertThat(ids).hasSize(2).last().isEqualTo(-1L);
    assertThat(ids.get(0)).isPositive();
  }

  private static boolean isServed(Table table) {
    try {
      return table.get(new Get(bytes("a"))).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void hbckSetsTheStateOfATable() throws Exception {
    TableName table = create("disabled").get(0).getTable();
    try (Hbck hbck = connection.getHbck()) {
      TableState before =
          hbck.setTableStateInMeta(new TableState(table, TableState.State.DISABLED));
      assertThat(before.getState()).isEqualTo(TableState.State.ENABLED);
      assertThat(admin.isTableDisabled(table)).isTrue();
      assertThatThrownBy(
              () -> hbck.setTableStateInMeta(new TableState(table, TableState.State.ENABLING)))
          .hasMessageContaining("can be set to ENABLED or DISABLED");
      admin.enableTable(table);
      assertThat(admin.isTableEnabled(table)).isTrue();
    }
  }

  @Test
  void hbckRestoresRowsOfMetaThatAreLost() throws Exception {
    RegionInfo region = create("healed").get(0);
    try (Hbck hbck = connection.getHbck();
        Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      meta.delete(new Delete(region.getRegionName()));
      hbck.fixMeta();
      assertThat(meta.exists(new Get(region.getRegionName()))).isTrue();
      meta.delete(new Delete(region.getRegionName()));
      assertThat(hbck.runHbckChore()).isTrue();
      assertThat(meta.exists(new Get(region.getRegionName()))).isTrue();
    }
  }

  @Test
  void hbckHearsWhatIsNotNeeded() throws Exception {
    ServerName alive = admin.getRegionServers().iterator().next();
    ServerName gone = ServerName.valueOf(alive.getHostname(), alive.getPort(), 1);
    try (Hbck hbck = connection.getHbck()) {
      assertThat(hbck.scheduleSCPsForUnknownServers()).isEmpty();
      assertThat(hbck.scheduleServerCrashProcedures(List.of(gone)))
          .singleElement()
          .satisfies(id -> assertThat(id).isPositive());
      assertThatThrownBy(() -> hbck.scheduleServerCrashProcedures(List.of(alive)))
          .hasMessageContaining("is alive");
      assertThatThrownBy(() -> hbck.bypassProcedure(List.of(1L), 1, false, false))
          .hasMessageContaining("HBCK2: bypass");
      assertThatThrownBy(
              () -> hbck.setRegionStateInMeta(Map.of("1588230740", RegionState.State.CLOSED)))
          .hasMessageContaining("HBCK2: setRegionState");
    }
  }

  @Test
  void thereAreNoQuotasOfSpaceWhileQuotasAreOff() throws Exception {
    assertThat(admin.getSpaceQuotaTableSizes()).isEmpty();
    assertThat(admin.getCurrentSpaceQuotaSnapshot("default")).isNull();
    assertThat(admin.getRegionServerSpaceQuotaSnapshots(admin.getRegionServers().iterator().next()))
        .isEmpty();
  }

  @Test
  void theBalancersRecordsAreEmpty() throws IOException {
    for (String log : List.of("BALANCER_DECISION", "BALANCER_REJECTION")) {
      assertThat(admin.getLogEntries(Set.of(), log, ServerType.MASTER, 10, Map.of())).isEmpty();
    }
  }

  @Test
  void zooKeeperAnswersFourLetterWords() throws IOException {
    int port = server.configuration().getInt("hbase.zookeeper.property.clientPort", 0);
    assertThat(fourLetterWord(port, "ruok")).isEqualTo("imok");
    assertThat(fourLetterWord(port, "stat")).contains("Zookeeper version", "Mode: standalone");
    assertThat(fourLetterWord(port, "mntr")).contains("zk_version");
  }

  private static String fourLetterWord(int port, String word) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void refusalsNameTheFeatureAndTheCommand() {
    assertThatThrownBy(() -> admin.removeReplicationPeer("1"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Replication is not supported yet (shell: remove_peer;");
  }

  private static List<RegionInfo> create(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build(),
        new byte[][] {bytes("m")});
    return admin.getRegions(table);
  }
}
