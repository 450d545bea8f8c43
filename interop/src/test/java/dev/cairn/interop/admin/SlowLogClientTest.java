package dev.cairn.interop.admin;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.LogQueryFilter;
import org.apache.hadoop.hbase.client.OnlineLogRecord;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slow and large calls are kept by the server and returned to Apache's client. */
class SlowLogClientTest {
  private static final byte[] FAMILY = toBytes("f");
  private static final byte[] QUALIFIER = toBytes("q");
  private static final int LARGE_BYTES = 5000;
  private static final TableName SMALL = TableName.valueOf("small");
  private static final TableName LARGE = TableName.valueOf("large");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static Set<ServerName> servers;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.regionserver.slowlog.buffer.enabled", "true")
            .setting("hbase.ipc.warn.response.time", "-1")
            .setting("hbase.ipc.warn.response.size", Integer.toString(LARGE_BYTES))
            .setting("hbase.ipc.warn.response.time.scan", "0")
            .setting("hbase.slowlog.scan.payload.enabled", "true")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
    servers = new HashSet<>(admin.getRegionServers());
    for (TableName name : List.of(SMALL, LARGE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    put(SMALL, "a", 10);
    put(LARGE, "a", LARGE_BYTES + 1);
    put(LARGE, "b", LARGE_BYTES + 1);
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  @BeforeEach
  void forgetAll() throws IOException {
    assertThat(admin.clearSlowLogResponses(servers)).containsExactly(true);
  }

  private static void put(TableName name, String row, int bytes) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(toBytes(row)).addColumn(FAMILY, QUALIFIER, new byte[bytes]));
    }
  }

  private static void get(TableName name, String row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.get(new Get(toBytes(row)));
    }
  }

  private static List<OnlineLogRecord> entries(String type, int limit, Map<String, Object> filter)
      throws IOException {
    return admin.getLogEntries(servers, type, ServerType.REGION_SERVER, limit, filter).stream()
        .map(OnlineLogRecord.class::cast)
        .filter(record -> record.getRegionName().contains(","))
        .toList();
  }

  private static List<OnlineLogRecord> large(Map<String, Object> filter) throws IOException {
    return entries("LARGE_LOG", 100, filter);
  }

  @Test
  void aLargeResponseIsKeptWithItsCall() throws IOException {
    get(SMALL, "a");
    get(LARGE, "a");
    Eventually.holds(() -> !large(Map.of()).isEmpty(), "the call is recorded");
    assertThat(large(Map.of())).hasSize(1);
    OnlineLogRecord record = large(Map.of()).get(0);
    assertThat(record.getMethodName()).isEqualTo("Get");
    assertThat(record.getServerClass()).isEqualTo("HRegionServer");
    assertThat(record.getRegionName()).startsWith(LARGE + ",,");
    assertThat(record.getParam()).isEqualTo("region= " + record.getRegionName() + ", row= a");
    assertThat(record.getUserName()).isEqualTo(System.getProperty("user.name"));
    assertThat(record.getClientAddress()).startsWith("127.0.0.1:");
    assertThat(record.getResponseSize()).isGreaterThan(LARGE_BYTES);
    assertThat(record.getStartTime()).isPositive();
    assertThat(entries("SLOW_LOG", 100, Map.of())).isEmpty();
  }

  @Test
  void aBatchIsKeptWithTheNumberOfItsGets() throws IOException {
    try (Table table = connection.getTable(LARGE)) {
      table.get(List.of(new Get(toBytes("a")), new Get(toBytes("b"))));
    }
    Eventually.holds(() -> !large(Map.of()).isEmpty(), "the call is recorded");
    OnlineLogRecord record = large(Map.of()).get(0);
    assertThat(record.getMethodName()).isEqualTo("Multi");
    assertThat(record.getMultiGetsCount()).isEqualTo(2);
    assertThat(record.getMultiMutationsCount()).isZero();
  }

  @Test
  void aLaterCallOfAScanIsKeptWithItsRegion() throws IOException {
    try (Table table = connection.getTable(LARGE);
        ResultScanner rows = table.getScanner(new Scan().setCaching(1).setMaxResultSize(1))) {
      assertThat(rows).hasSize(2);
    }
    Eventually.holds(
        () -> large(Map.of()).size() >= 2, "each call of the scan with a row is recorded");
    assertThat(large(Map.of()))
        .allMatch(record -> record.getRegionName().startsWith(LARGE + ",,"))
        .allMatch(record -> record.getMethodName().equals("Scan"))
        .anyMatch(record -> record.getScan().isPresent());
  }

  @Test
  void filtersAndLimitsSelectCalls() throws IOException {
    get(LARGE, "a");
    Eventually.holds(() -> large(Map.of()).size() == 1, "the first call is recorded");
    get(LARGE, "b");
    Eventually.holds(() -> large(Map.of()).size() == 2, "both calls are recorded");
    String region = large(Map.of()).get(0).getRegionName();
    String client = large(Map.of()).get(0).getClientAddress();
    assertThat(entries("LARGE_LOG", 1, Map.of()))
        .singleElement()
        .satisfies(latest -> assertThat(latest.getParam()).endsWith("row= b"));
    assertThat(large(Map.of("tableName", "large"))).hasSize(2);
    assertThat(large(Map.of("tableName", "small"))).isEmpty();
    assertThat(large(Map.of("regionName", region))).hasSize(2);
    assertThat(large(Map.of("clientAddress", client))).hasSize(2);
    assertThat(large(Map.of("clientAddress", "127.0.0.1"))).hasSize(2);
    assertThat(large(Map.of("clientAddress", "10.1.1.1"))).isEmpty();
    assertThat(large(Map.of("userName", System.getProperty("user.name")))).hasSize(2);
    assertThat(large(Map.of("userName", "nobody", "tableName", "large"))).hasSize(2);
    assertThat(large(Map.of("userName", "nobody", "tableName", "large", "filterByOperator", "AND")))
        .isEmpty();
  }

  @Test
  @SuppressWarnings("deprecation") // older programs call them
  void olderMethodsOfTheClientReturnTheSame() throws Exception {
    get(LARGE, "a");
    Eventually.holds(() -> !large(Map.of()).isEmpty(), "the call is recorded");
    LogQueryFilter filter = new LogQueryFilter();
    filter.setType(LogQueryFilter.Type.LARGE_LOG);
    filter.setTableName("large");
    assertThat(admin.getSlowLogResponses(servers, filter)).isEqualTo(List.copyOf(large(Map.of())));
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(server.configuration()).get(1, TimeUnit.MINUTES)) {
      assertThat(async.getAdmin().getSlowLogResponses(servers, filter).get(1, TimeUnit.MINUTES))
          .isEqualTo(List.copyOf(large(Map.of())));
      assertThat(async.getAdmin().clearSlowLogResponses(servers).get(1, TimeUnit.MINUTES))
          .containsExactly(true);
      assertThat(large(Map.of())).isEmpty();
    }
  }

  @Test
  void methodsOfClientsBefore24ReturnTheSame() throws IOException {
    get(LARGE, "a");
    Eventually.holds(() -> !large(Map.of()).isEmpty(), "the call is recorded");
    SlowLogResponseRequest request =
        SlowLogResponseRequest.newBuilder().setTableName("large").setLimit(10).build();
    assertThat(
            ProtobufUtil.call(() -> service().getLargeLogResponses(null, request))
                .getSlowLogPayloadsList())
        .singleElement()
        .satisfies(call -> assertThat(call.getMethodName()).isEqualTo("Get"));
    assertThat(
            ProtobufUtil.call(() -> service().getSlowLogResponses(null, request))
                .getSlowLogPayloadsList())
        .isEmpty();
  }

  private static AdminService.BlockingInterface service() throws IOException {
    return ((ClusterConnection) connection).getAdmin(servers.iterator().next());
  }

  @Test
  void slowCallsAreKept() {
    Eventually.holds(
        () -> {
          try (Table table = connection.getTable(LARGE);
              ResultScanner rows = table.getScanner(new Scan())) {
            assertThat(rows).hasSize(2);
          }
          return !entries("SLOW_LOG", 100, Map.of("tableName", "large")).isEmpty();
        },
        "a scan takes a millisecond");
  }

  @Test
  void aRequestForAnotherLogIsRefused() {
    LogRequest request =
        LogRequest.newBuilder()
            .setLogClassName("java.lang.Runtime")
            .setLogMessage(ByteString.EMPTY)
            .build();
    assertThatThrownBy(() -> ProtobufUtil.call(() -> service().getLogEntries(null, request)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("has no log for requests of the class java.lang.Runtime");
  }

  @Test
  void withoutABufferNothingIsClean() throws IOException {
    try (CairnServer plain = CairnServer.start();
        Connection other = plain.connect();
        Admin otherAdmin = other.getAdmin()) {
      Set<ServerName> others = new HashSet<>(otherAdmin.getRegionServers());
      assertThat(otherAdmin.clearSlowLogResponses(others)).containsExactly(false);
      assertThat(
              otherAdmin.getLogEntries(others, "SLOW_LOG", ServerType.REGION_SERVER, 10, Map.of()))
          .isEmpty();
    }
  }
}
