package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.launcher.cluster.InstalledCommands;
import dev.cairn.launcher.cluster.LocalCluster;
import dev.cairn.tools.rolling.RollingRestart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replaces another version of Cairn by this one and goes back, one process after the other, while a
 * client with default settings writes and reads. {@code -Dcairn.release=PATH} names the other
 * version: its archive, or a folder with {@code bin/} and {@code lib/}.
 */
@Timeout(1200)
@Tag("long")
class UpgradeTest {
  private static final TableName TABLE = TableName.valueOf("upgraded");
  private static final String RELEASE = System.getProperty("cairn.release", "");

  @TempDir private Path folder;

  @Test
  void anUpgradeAndADowngradeShowNoError() throws Exception {
    assumeTrue(!RELEASE.isEmpty(), "-Dcairn.release names no other version");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    InstalledCommands release = new InstalledCommands(unpacked(Path.of(RELEASE)), java);
    Path place = folder.resolve("cluster");
    ClusterPlan plan =
        ClusterPlan.of(
            new ClusterPlan.Counts(2, 3, 0),
            Optional.of(folder.resolve("root").toUri().toString()),
            Map.of());
    try (ClusterProcesses cluster = ClusterProcesses.prepare(place, plan)) {
      LocalCluster old = LocalCluster.open(place, release);
      old.start(System.out::println);
      try (Connection connection = ConnectionFactory.createConnection(cluster.client())) {
        Admin admin = connection.getAdmin();
        cluster.await("a backup master stands by", () -> admin.getBackupMasters().size() == 1);
        DefaultClient.createTable(admin, TABLE);
        DefaultClient load = DefaultClient.start(cluster, TABLE);

        // Masters of the newer version drain servers, so they come first and go last.
        replace(admin, cluster, cluster.local(), true);
        replace(admin, cluster, cluster.local(), false);
        admin.flush(TABLE);
        replace(admin, cluster, old, false);
        replace(admin, cluster, old, true);

        int rows = load.stop();
        assertThat(rows).isPositive();
        System.out.println(rows + " rows were written and read meanwhile");
      }
    }
  }

  /** Replaces all masters, or all region servers. */
  private void replace(Admin admin, ClusterProcesses names, LocalCluster version, boolean masters)
      throws IOException, InterruptedException {
    new RollingRestart(
            admin,
            (process, isMaster) -> version.restart(names.nameOf(process.getPort())),
            new RollingRestart.Settings(
                masters,
                !masters,
                name -> true,
                true,
                Duration.ofSeconds(120),
                Duration.ofSeconds(60),
                folder.resolve("state")),
            System.out::println)
        .run();
  }

  private Path unpacked(Path release) throws IOException, InterruptedException {
    if (Files.isDirectory(release)) {
      return release.toAbsolutePath();
    }
    Path to = Files.createDirectory(folder.resolve("release"));
    int status =
        new ProcessBuilder("tar", "-xzf", release.toAbsolutePath().toString(), "-C", to.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).as("tar").isZero();
    try (Stream<Path> found = Files.list(to)) {
      return found.findFirst().orElseThrow();
    }
  }
}
