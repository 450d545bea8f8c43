package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ConcurrentTableModificationException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnResponse;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks hooks around what no client asks for, around what a client asks for twice, and around what
 * comes at the same time.
 */
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
    awaitCall("postBalance(balance dry=false rit=true, [])");
    MasterProbe.ACTS.put(
        "preBalance",
        arguments -> {
          throw new AccessDeniedException("no");
        });
    MasterProbe.CALLS.clear();
    awaitCall("preBalance(balance dry=false rit=true)");
    MasterProbe.CALLS.clear();
    awaitCall("preBalance(balance dry=false rit=true)");
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

  private static <R extends Message> CompletableFuture<R> call(
      RpcClient client, String method, Message request, R prototype, Duration timeout) {
    return client.callAsync(
        InetSocketAddress.createUnresolved("127.0.0.1", server.endpoints().master().port()),
        "MasterService",
        method,
        request,
        prototype,
        timeout);
  }

  private static CompletableFuture<CreateTableResponse> create(
      RpcClient client, String name, long nonce, Duration timeout) {
    return call(
        client,
        "CreateTable",
        CreateTableRequest.newBuilder()
            .setTableSchema(ProtobufUtil.toTableSchema(table(name).build()))
            .setNonceGroup(1)
            .setNonce(nonce)
            .build(),
        CreateTableResponse.getDefaultInstance(),
        timeout);
  }

  private static CompletableFuture<CreateTableResponse> create(
      RpcClient client, String name, long nonce) {
    return create(client, name, nonce, Duration.ofMinutes(1));
  }

  private static long countOf(String hook) {
    return MasterProbe.CALLS.stream().filter(call -> call.startsWith(hook + "(")).count();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aRepeatedRequestCallsNoHooks() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    MasterProbe.ACTS.put(
        "preCreateTable",
        arguments -> {
          reached.countDown();
          await(released);
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
  void aRepeatedChangeOfAFamilyHasTheFirstOnesAnswer() throws Exception {
    TableName name = TableName.valueOf("families");
    admin.createTable(table("families").build());
    AddColumnRequest add =
        AddColumnRequest.newBuilder()
            .setTableName(ProtobufUtil.toProtoTableName(name))
            .setColumnFamilies(
                ProtobufUtil.toColumnFamilySchema(ColumnFamilyDescriptorBuilder.of("g")))
            .setNonceGroup(1)
            .setNonce(20)
            .build();
    DeleteColumnRequest delete =
        DeleteColumnRequest.newBuilder()
            .setTableName(ProtobufUtil.toProtoTableName(name))
            .setColumnName(ByteString.copyFromUtf8("g"))
            .setNonceGroup(1)
            .setNonce(21)
            .build();
    Duration timeout = Duration.ofMinutes(1);
    try (RpcEventLoops loops = new RpcEventLoops(1, Thread::new);
        RpcClient client = new RpcClient(loops, "test")) {
      AddColumnResponse none = AddColumnResponse.getDefaultInstance();
      long added = call(client, "AddColumn", add, none, timeout).get().getProcId();
      awaitCall("postCompletedModifyTableAction(families, families{f}, families{f g})");
      assertThat(call(client, "AddColumn", add, none, timeout).get().getProcId()).isEqualTo(added);
      DeleteColumnResponse no = DeleteColumnResponse.getDefaultInstance();
      long deleted = call(client, "DeleteColumn", delete, no, timeout).get().getProcId();
      awaitCall("postCompletedModifyTableAction(families, families{f g}, families{f})");
      assertThat(call(client, "DeleteColumn", delete, no, timeout).get().getProcId())
          .isEqualTo(deleted);
    }
    for (String hook : List.of("preModifyTable", "postModifyTable")) {
      assertThat(MasterProbe.CALLS)
          .containsOnlyOnce(
              hook + "(families, families{f}, families{f g})",
              hook + "(families, families{f g}, families{f})");
    }
  }

  @Test
  void aFamilyThatIsAddedDuringAHookStays() throws Exception {
    TableName name = TableName.valueOf("concurrent");
    admin.createTable(table("concurrent").build());
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    MasterProbe.ACTS.put(
        "preModifyTable",
        arguments -> {
          if (((TableDescriptor) arguments[3]).hasColumnFamily(Bytes.toBytes("late"))) {
            reached.countDown();
            await(released);
          }
        });
    CompletableFuture<Void> late =
        CompletableFuture.runAsync(
            () -> {
              try {
                admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("late"));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(reached.await(2, TimeUnit.MINUTES)).isTrue();
    admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("kept"));
    released.countDown();
    assertThatThrownBy(() -> late.get(2, TimeUnit.MINUTES))
        .hasStackTraceContaining(ConcurrentTableModificationException.class.getName());
    assertThat(admin.getDescriptor(name).getColumnFamilyNames())
        .extracting(Bytes::toString)
        .containsExactly("f", "kept");
  }

  @Test
  void aMethodIsLeftOutIfItsHookTakesLongerThanTheCaller() throws Exception {
    Duration timeout = Duration.ofSeconds(3);
    CountDownLatch reached = new CountDownLatch(1);
    MasterProbe.ACTS.put(
        "preCreateTable",
        arguments -> {
          MasterProbe.ACTS.clear();
          long end = System.nanoTime() + timeout.toNanos();
          reached.countDown();
          Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> System.nanoTime() - end > 0);
        });
    try (RpcEventLoops loops = new RpcEventLoops(1, Thread::new);
        RpcClient client = new RpcClient(loops, "test")) {
      CompletableFuture<CreateTableResponse> first = create(client, "overdue", 30, timeout);
      assertThat(reached.await(2, TimeUnit.MINUTES)).isTrue();
      create(client, "overdue", 30).get(2, TimeUnit.MINUTES);
      assertThat(first).isCompletedExceptionally();
    }
    assertThat(countOf("preCreateTable")).as("the first one has done nothing").isEqualTo(2);
    assertThat(countOf("postCreateTable")).isEqualTo(1);
  }

  @Test
  void aTableThatCannotBeCreatedHasOnlyItsFirstHook() {
    assertThatThrownBy(() -> admin.createTable(table("absent:t").build()))
        .isInstanceOf(NamespaceNotFoundException.class);
    assertThat(countOf("preCreateTableRegionsInfos")).isEqualTo(1);
    assertThat(countOf("preCreateTable")).isZero();
  }

  @Test
  void whatDoesNotExistHasNoHooks() {
    byte[] absent = Bytes.toBytes("0123456789abcdef0123456789abcdef");
    assertThatThrownBy(() -> admin.unassign(absent)).isInstanceOf(UnknownRegionException.class);
    assertThatThrownBy(() -> admin.assign(absent)).isInstanceOf(UnknownRegionException.class);
    assertThatThrownBy(() -> admin.deleteSnapshot("absent"))
        .isInstanceOf(SnapshotDoesNotExistException.class);
    assertThat(countOf("preUnassign") + countOf("preAssign") + countOf("preDeleteSnapshot"))
        .isZero();
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
