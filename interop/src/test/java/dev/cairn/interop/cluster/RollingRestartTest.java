package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.tools.rolling.RollingRestart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with default settings sees no error while all servers are restarted. */
@Timeout(600)
@Tag("long")
class RollingRestartTest {
  private static final TableName TABLE = TableName.valueOf("rolled");

  @TempDir private Path folder;
  private final List<String> lines = new ArrayList<>();
  private int restartsUntilFailure = Integer.MAX_VALUE;

  private RollingRestart restart(ClusterProcesses cluster, Admin admin, Duration patience) {
    return new RollingRestart(
        admin,
        (process, isMaster) -> {
          if (restartsUntilFailure-- == 0) {
            throw new IOException("The machine is away");
          }
          cluster.local().restart(cluster.nameOf(process.getPort()));
        },
        new RollingRestart.Settings(
            true,
            true,
            name -> true,
            true,
            patience,
            Duration.ofSeconds(60),
            folder.resolve("state")),
        line -> {
          System.out.println(line);
          lines.add(line);
        });
  }

  /** Returns the places of the regions, without start codes. */
  private static Map<String, String> places(Admin admin) throws IOException {
    Map<String, String> places = new HashMap<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionInfo region : admin.getRegions(server)) {
        if (region.getTable().equals(TABLE)) {
          places.put(region.getEncodedName(), server.getAddress().toString());
        }
      }
    }
    return places;
  }

  private static Configuration configuration(
      ClusterProcesses cluster, Map<String, String> settings) {
    Configuration configuration = new Configuration(cluster.client());
    settings.forEach(configuration::set);
    return configuration;
  }

  private static Set<ServerName> processes(Admin admin) throws IOException {
    Set<ServerName> all = new TreeSet<>(admin.getRegionServers());
    all.addAll(admin.getBackupMasters());
    all.add(admin.getMaster());
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allServersAreRestartedAndRegionsReturn(boolean rejectsHosts) throws Exception {
    Map<String, String> settings =
        Map.of("hbase.master.reject.decommissioned.hosts", Boolean.toString(rejectsHosts));
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 2, 3, settings);
        Connection connection =
            ConnectionFactory.createConnection(configuration(cluster, settings))) {
      Admin admin = connection.getAdmin();
      cluster.await("a backup master stands by", () -> admin.getBackupMasters().size() == 1);
      DefaultClient.createTable(admin, TABLE);
      DefaultClient load = DefaultClient.start(cluster, TABLE);
      Set<ServerName> before = processes(admin);
      Map<String, String> places = places(admin);
      assertThat(places).hasSize(9);

      restart(cluster, admin, Duration.ofSeconds(60)).describe();
      assertThat(lines).hasSize(5);
      assertThat(processes(admin)).isEqualTo(before);

      restartsUntilFailure = 3;
      assertThatThrownBy(() -> restart(cluster, admin, Duration.ofSeconds(60)).run())
          .hasMessage("The machine is away");
      restartsUntilFailure = Integer.MAX_VALUE;
      restart(cluster, admin, Duration.ofSeconds(60)).run();
      assertThat(lines).last().isEqualTo("All 5 processes are restarted");
      assertThat(processes(admin)).hasSize(5).doesNotContainAnyElementsOf(before);
      assertThat(places(admin)).isEqualTo(places);
      assertThat(admin.listDecommissionedRegionServers()).isEmpty();
      assertThat(folder.resolve("state")).doesNotExist();
      System.out.println(load.stop() + " rows were written and read meanwhile");

      ServerName killed = admin.getRegionServers().iterator().next();
      cluster.kill(cluster.nameOf(killed.getPort()));
      cluster.await(
          "it is dead", () -> admin.getClusterMetrics().getDeadServerNames().contains(killed));
      assertThatThrownBy(() -> restart(cluster, admin, Duration.ofSeconds(2)).run())
          .isInstanceOf(RollingRestart.StoppedException.class)
          .hasMessageContaining("Region servers are dead: [")
          .hasMessageContaining(killed.getServerName());
    }
  }
}
