package dev.cairn.interop.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.PerClientRandomNonceGenerator;
import org.apache.hadoop.hbase.client.locking.EntityLock;
import org.apache.hadoop.hbase.client.locking.LockServiceClient;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks of HBase's own client, which keep procedures out. */
class LockServiceTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final int TIMEOUT_MILLIS = 60_000;

  @Test
  void aTableIsNotChangedWhileAClientHoldsItsLock() throws Exception {
    Configuration configuration = SERVER.configuration();
    ServerName master = SERVER.admin().getClusterMetrics().getMasterName();
    try (TestTable table = SERVER.create("locked", "f");
        RpcClient rpc =
            RpcClientFactory.createClient(configuration, HConstants.CLUSTER_ID_DEFAULT)) {
      LockServiceClient locks =
          new LockServiceClient(
              configuration,
              LockService.newBlockingStub(
                  rpc.createBlockingRpcChannel(master, User.getCurrent(), TIMEOUT_MILLIS)),
              PerClientRandomNonceGenerator.get());
      EntityLock lock = locks.tableLock(table.name(), true, "a test", new NeverAborted());
      lock.requestLock();
      lock.await();
      assertThat(lock.isLocked()).isTrue();
      EntityLock second = locks.tableLock(table.name(), true, "a test", new NeverAborted());
      second.requestLock();
      assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(SERVER.admin().getLocks()).contains(table.name().getNameAsString());
      second.unlock();

      lock.unlock();
      Future<Void> disabled = SERVER.admin().disableTableAsync(table.name());
      disabled.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(SERVER.admin().isTableDisabled(table.name())).isTrue();
      SERVER.admin().enableTable(table.name());
    }
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
