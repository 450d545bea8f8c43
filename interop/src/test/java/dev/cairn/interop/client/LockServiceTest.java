package dev.cairn.interop.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.PerClientRandomNonceGenerator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.locking.EntityLock;
import org.apache.hadoop.hbase.client.locking.LockServiceClient;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatResponse.LockStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks of clients, which keep procedures out. */
class LockServiceTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final int TIMEOUT_MILLIS = 60_000;

  private Configuration configuration;
  private RpcClient rpc;
  private LockService.BlockingInterface service;

  @BeforeEach
  void connect() throws IOException {
    configuration = SERVER.configuration();
    rpc = RpcClientFactory.createClient(configuration, HConstants.CLUSTER_ID_DEFAULT);
    service =
        LockService.newBlockingStub(
            rpc.createBlockingRpcChannel(
                SERVER.admin().getClusterMetrics().getMasterName(),
                User.getCurrent(),
                TIMEOUT_MILLIS));
  }

  @AfterEach
  void disconnect() {
    rpc.close();
  }

  private LockServiceClient client() {
    return new LockServiceClient(configuration, service, PerClientRandomNonceGenerator.get());
  }

  @Test
  void aTableIsNotChangedWhileAClientHoldsItsLock() throws Exception {
    try (TestTable table = SERVER.create("locked", "f")) {
      // The client's own method for tables locks a namespace with the table's name.
      long lock =
          service
              .requestLock(
                  null,
                  LockRequest.newBuilder()
                      .setLockType(LockType.EXCLUSIVE)
                      .setTableName(ProtobufUtil.toProtoTableName(table.name()))
                      .setDescription("a test")
                      .build())
              .getProcId();
      assertThat(heartbeat(lock, true)).isEqualTo(LockStatus.LOCKED);
      waitsUntil(table.name(), () -> heartbeat(lock, false));
    }
  }

  @Test
  void aTableIsNotChangedWhileAClientHoldsTheLockOnItsNamespace() throws Exception {
    String namespace = SERVER.newName("locked").getNameAsString();
    TableName table = TableName.valueOf(namespace, "t");
    Admin admin = SERVER.admin();
    admin.createNamespace(NamespaceDescriptor.create(namespace).build());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
    EntityLock lock = client().namespaceLock(namespace, "a test", new NeverAborted());
    lock.requestLock();
    lock.await();
    assertThat(lock.isLocked()).isTrue();
    EntityLock second = client().namespaceLock(namespace, "a test", new NeverAborted());
    second.requestLock();
    assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(admin.getLocks()).contains(namespace);
    second.unlock();

    waitsUntil(table, lock::unlock);
    admin.disableTable(table);
    admin.deleteTable(table);
    admin.deleteNamespace(namespace);
  }

  /** Ends a lock. */
  private interface Release {
    void run() throws Exception;
  }

  /** Checks that a table is not disabled before a lock ends. */
  private static void waitsUntil(TableName table, Release release) throws Exception {
    CompletableFuture<Void> disabled = CompletableFuture.runAsync(() -> disable(table));
    try (TestTable other = SERVER.create("unlocked", "f")) { // the same change, in the meantime
      SERVER.admin().disableTable(other.name());
      SERVER.admin().enableTable(other.name());
    }
    assertThat(SERVER.admin().isTableEnabled(table)).isTrue();
    assertThat(disabled).isNotDone();

    release.run();
    disabled.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    assertThat(SERVER.admin().isTableDisabled(table)).isTrue();
    SERVER.admin().enableTable(table);
  }

  private static void disable(TableName table) {
    try {
      SERVER.admin().disableTable(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LockStatus heartbeat(long lock, boolean keepAlive) throws Exception {
    return service
        .lockHeartbeat(
            null, LockHeartbeatRequest.newBuilder().setProcId(lock).setKeepAlive(keepAlive).build())
        .getLockStatus();
  }

  private static final class NeverAborted implements Abortable {
    @Override
    public void abort(String why, Throwable cause) {
      throw new AssertionError(why, cause);
    }

    @Override
    public boolean isAborted() {
      return false;
    }
  }
}
