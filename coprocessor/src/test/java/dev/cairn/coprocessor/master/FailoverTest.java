package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Checks that the coprocessors of the master run in the active one, and follow it. */
class FailoverTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);

  private CairnProcess start(EmbeddedZooKeeper zooKeeper, ServerRole role) throws IOException {
    Map<String, String> site = new HashMap<>();
    for (String key :
        new String[] {
          "hbase.master.port",
          "hbase.master.info.port",
          "hbase.regionserver.port",
          "hbase.regionserver.info.port"
        }) {
      site.put(key, "0");
    }
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.zookeeper.quorum", "127.0.0.1:" + zooKeeper.port());
    site.put("hbase.master.wait.on.regionservers.timeout", "0");
    site.put("hbase.master.wait.on.regionservers.interval", "0");
    site.put("hbase.coprocessor.master.classes", MasterProbe.class.getName());
    return CairnProcess.start(
        new SiteConfig(site),
        LiveConfig::withoutFile,
        storage,
        Optional.empty(),
        Clock.SYSTEM,
        notice -> {},
        Set.of(role));
  }

  private static Connection connect(EmbeddedZooKeeper zooKeeper) throws IOException {
    Configuration settings = HBaseConfiguration.create();
    settings.set("hbase.zookeeper.quorum", "127.0.0.1");
    settings.setInt("hbase.zookeeper.property.clientPort", zooKeeper.port());
    return ConnectionFactory.createConnection(settings);
  }

  @Test
  void theNextMasterCallsTheHooksAndRepeatsThoseOfAStep() throws Exception {
    MasterProbe.CALLS.clear();
    MasterProbe.ACTS.clear();
    try (EmbeddedZooKeeper zooKeeper =
            EmbeddedZooKeeper.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                0,
                Clock.SYSTEM,
                failure -> {});
        CairnProcess regionServer = start(zooKeeper, ServerRole.REGION_SERVER);
        CairnProcess first = start(zooKeeper, ServerRole.MASTER);
        Connection connection = connect(zooKeeper);
        Admin admin = connection.getAdmin()) {
      Awaitility.await()
          .atMost(2, TimeUnit.MINUTES)
          .until(() -> MasterProbe.CALLS.contains("postStartMaster()"));
      try (CairnProcess backup = start(zooKeeper, ServerRole.MASTER)) {
        assertThat(MasterProbe.CALLS).containsOnlyOnce("start");
        CountDownLatch reached = new CountDownLatch(1);
        MasterProbe.ACTS.put(
            "preCreateTableAction",
            arguments -> {
              if (reached.getCount() > 0) {
                reached.countDown();
                throw holdUntilInterrupted();
              }
            });
        Future<Void> created =
            admin.createTableAsync(
                TableDescriptorBuilder.newBuilder(TABLE)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .build());
        assertThat(reached.await(2, TimeUnit.MINUTES)).isTrue();
        first.abort("a test");
        first.awaitStopped();
        created.get(3, TimeUnit.MINUTES);
        assertThat(admin.isTableEnabled(TABLE)).isTrue();
        assertThat(MasterProbe.CALLS.stream().filter("start"::equals)).hasSize(2);
        assertThat(
                MasterProbe.CALLS.stream()
                    .filter(call -> call.startsWith("preCreateTableAction(t{f}")))
            .hasSize(2);
        assertThat(MasterProbe.CALLS.stream().filter(call -> call.startsWith("preCreateTable(")))
            .as("a repeated call has no hooks")
            .hasSize(1);
        first.close();
        assertThat(MasterProbe.CALLS.stream().filter("stop"::equals)).hasSize(1);
        assertThat(backup.failure()).isEmpty();
      }
      assertThat(regionServer.failure()).isEmpty();
    }
  }

  private static IOException holdUntilInterrupted() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new IOException("interrupted");
  }
}
