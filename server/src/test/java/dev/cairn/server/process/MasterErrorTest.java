package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.rpc.LoggedLines;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A master that meets an {@link Error} ends, instead of waiting for an action that never ends. */
@Timeout(240)
class MasterErrorTest {
  private static final TableName TABLE = TableName.valueOf("doomed");
  private static final String REASON =
      "The master failed in an action of the lane files: java.lang.StackOverflowError: a test";

  @RegisterExtension private final RoleProcesses cluster = new RoleProcesses(Map.of());
  @RegisterExtension private final LoggedLines log = new LoggedLines(Termination.class);

  @Test
  void aBackupCarriesOnAfterAnErrorInAnAction() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess first = cluster.start(ServerRole.MASTER, new BrokenStorage());
        Connection connection = cluster.connect();
        Admin admin = connection.getAdmin()) {
      RoleProcesses.awaitHealthy(first);
      try (CairnProcess backup = cluster.start(ServerRole.MASTER)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build());

        assertThat(admin.isTableEnabled(TABLE)).isTrue();
        RoleProcesses.awaitHealthy(backup);
        assertThat(first.awaitStopped()).as("was asked to").isFalse();
        assertThat(first.failure()).hasValue(REASON);
        assertThat(first.mayStartAgain()).isFalse();
        assertThat(log.all()).contains("ERROR The process ends by itself: " + REASON);
      }
      assertThat(regionServer.failure()).isEmpty();
    }
  }

  /** A storage that fails with an {@link Error} for one table. */
  private final class BrokenStorage extends ForwardingStorage {
    BrokenStorage() {
      super(cluster.storage());
    }

    @Override
    protected void before(StorageOperation operation, String path) {
      if (path.contains("/" + TABLE.getNameAsString())) {
        throw new StackOverflowError("a test");
      }
    }
  }
}
