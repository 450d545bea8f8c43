package dev.cairn.server.master.chore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.ddl.SnapshotProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.SnapshotSettings;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots whose time to live is over go, and nothing else. */
class SnapshotCleanupTest {
  private static final Duration INTERVAL = SnapshotSettings.DEFAULTS.cleanupInterval();

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final SnapshotDirectory snapshots = new SnapshotDirectory(cluster.storage);

  @BeforeEach
  void start() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.run(cluster.createTable());
    take("mortal", 60);
    take("immortal", 0);
  }

  private void take(String name, long ttlSeconds) {
    SnapshotDescription wanted =
        SnapshotDescription.newBuilder()
            .setName(name)
            .setTable(SimulatedCluster.TABLE.toString())
            .setTtl(ttlSeconds)
            .build();
    cluster.run(
        new SnapshotProcedure(
            cluster.active().procedureContext(), SimulatedCluster.TABLE, wanted, "user", () -> {}));
  }

  @Test
  void anExpiredSnapshotIsDeleted() throws IOException {
    assertThat(snapshots.list()).hasSize(2);
    cluster.letTimePass(INTERVAL.plusSeconds(1));
    assertThat(snapshots.list())
        .extracting(SnapshotDescription::getName)
        .containsExactly("immortal");
  }

  @Test
  void noneIsDeletedWhileTheSwitchIsOff() throws IOException {
    cluster
        .active()
        .switches()
        .set(Switch.SNAPSHOT_CLEANUP, false, Completion.of(() -> {}, cause -> {}));
    cluster.letTimePass(INTERVAL.multipliedBy(2));
    assertThat(snapshots.list()).hasSize(2);
  }
}
