package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks hooks around what no client asks for, and around what a client asks for twice. */
class UnaskedCallsTest {
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    MasterProbe.ACTS.clear();
    server =
        CairnServer.builder()
            .setting("hbase.coprocessor.master.classes", MasterProbe.class.getName())
            .setting("hbase.balancer.period", "500")
            .setting("hbase.regionserver.msginterval", "200")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    MasterProbe.ACTS.clear();
    admin.close();
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() {
    MasterProbe.ACTS.clear();
    MasterProbe.CALLS.clear();
  }

  private static TableDescriptorBuilder table(String name) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  private static void awaitCall(String call) {
    Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> MasterProbe.CALLS.contains(call));
  }

  @Tag("long") // the master waits for reports of the region servers
  @Test
  void theBalancersOwnRunsCallHooks() {
    awaitCall("postBalance(balance dry=false rit=false, [])");
    MasterProbe.ACTS.put(
        "preBalance",
        arguments -> {
          throw new AccessDeniedException("no");
        });
    MasterProbe.CALLS.clear();
    awaitCall("preBalance(balance dry=false rit=false)");
    MasterProbe.CALLS.clear();
    awaitCall("preBalance(balance dry=false rit=false)");
    assertThat(MasterProbe.CALLS).noneMatch(call -> call.startsWith("postBalance"));
  }

  @Tag("long") // the master waits for reports of the region servers
  @Test
  void theNormalizersRequestsCallHooks() throws IOException {
    admin.createTable(
        table("normalized")
            .setNormalizationEnabled(true)
            .setValue("hbase.normalizer.merge.min_region_age.days", "0")
            .setValue("hbase.normalizer.merge.min_region_size.mb", "0")
            .build(),
        new byte[][] {Bytes.toBytes("b"), Bytes.toBytes("c"), Bytes.toBytes("d")});
    MasterProbe.ACTS.put(
        "preMergeRegions",
        arguments -> {
          throw new AccessDeniedException("no");
        });
    Awaitility.await()
        .atMost(2, TimeUnit.MINUTES)
        .until(
            () -> {
              admin.normalize();
              return MasterProbe.CALLS.stream().anyMatch(call -> call.startsWith("preMergeR"));
            });
    List<RegionInfo> regions = admin.getRegions(TableName.valueOf("normalized"));
    assertThat(regions).hasSize(4);
    MasterProbe.ACTS.clear();
    Awaitility.await()
        .atMost(2, TimeUnit.MINUTES)
        .until(
            () -> {
              admin.normalize();
              return admin.getRegions(TableName.valueOf("normalized")).size() == 1;
            });
    assertThat(MasterProbe.CALLS)
        .anyMatch(call -> call.startsWith("postMergeRegions("))
        .anyMatch(call -> call.startsWith("postCompletedMergeRegionsAction("));
  }

  private static CompletableFuture<CreateTableResponse> create(
      RpcClient client, String name, long nonce) {
    return client.callAsync(
        InetSocketAddress.createUnresolved("127.0.0.1", server.endpoints().master().port()),
        "MasterService",
        "CreateTable",
        CreateTableRequest.newBuilder()
            .setTableSchema(ProtobufUtil.toTableSchema(table(name).build()))
            .setNonceGroup(1)
            .setNonce(nonce)
            .build(),
        CreateTableResponse.getDefaultInstance(),
        Duration.ofMinutes(1));
  }

  private static long countOf(String hook) {
    return MasterProbe.CALLS.stream().filter(call -> call.startsWith(hook + "(")).count();
  }

  @Test
  void aRepeatedRequestCallsNoHooks() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    MasterProbe.ACTS.put(
        "preCreateTable",
        arguments -> {
          reached.countDown();
          try {
            released.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    try (RpcEventLoops loops = new RpcEventLoops(1, Thread::new);
        RpcClient client = new RpcClient(loops, "test")) {
      CompletableFuture<CreateTableResponse> first = create(client, "repeated", 7);
      assertThat(reached.await(2, TimeUnit.MINUTES)).isTrue();
      CompletableFuture<CreateTableResponse> second = create(client, "repeated", 7);
      released.countDown();
      long id = first.get(2, TimeUnit.MINUTES).getProcId();
      assertThat(second.get(2, TimeUnit.MINUTES).getProcId()).isEqualTo(id);
      assertThat(create(client, "repeated", 7).get(2, TimeUnit.MINUTES).getProcId()).isEqualTo(id);
      assertThat(countOf("preCreateTable")).isEqualTo(1);
      assertThat(countOf("postCreateTable")).isEqualTo(1);
      MasterProbe.ACTS.clear();
      assertThatThrownBy(() -> create(client, "repeated", 8).get(2, TimeUnit.MINUTES))
          .hasMessageContaining("TableExistsException");
      assertThat(countOf("preCreateTable")).isEqualTo(2);
    }
  }

  @Test
  void aHookMayCallTheMaster() throws IOException {
    MasterProbe.ACTS.put(
        "preCreateTable",
        arguments -> {
          MasterProbe.ACTS.clear();
          admin.createTable(table("inner").build());
        });
    admin.createTable(table("outer").build());
    assertThat(admin.tableExists(TableName.valueOf("inner"))).isTrue();
    assertThat(admin.tableExists(TableName.valueOf("outer"))).isTrue();
  }
}
