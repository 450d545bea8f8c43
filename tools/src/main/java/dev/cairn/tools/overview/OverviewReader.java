package dev.cairn.tools.overview;

import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Role;
import dev.cairn.tools.overview.ClusterOverview.Task;
import dev.cairn.tools.overview.ClusterOverview.Transition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.RegionState;

/** Reads the state of a cluster: from the active master first, then from all servers at once. */
public final class OverviewReader {
  private final Configuration client;
  private final int masterInfoPort;
  private final long skewMaxMillis;
  private final Duration patience;

  /**
   * Creates a reader.
   *
   * @param client the client's configuration for the cluster
   * @param masterInfoPort the port of the web pages of backup masters
   * @param skewMaxMillis the largest clock skew without a problem
   * @param patience the time limit for one server
   */
  public OverviewReader(
      Configuration client, int masterInfoPort, long skewMaxMillis, Duration patience) {
    this.client = new Configuration(client);
    this.masterInfoPort = masterInfoPort;
    this.skewMaxMillis = skewMaxMillis;
    this.patience = patience;
    int millis = Math.toIntExact(patience.toMillis());
    this.client.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    this.client.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
    this.client.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, millis);
    this.client.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
    this.client.setInt("zookeeper.recovery.retry", 0);
  }

  /**
   * Reads the state.
   *
   * @throws IOException if no master answers
   */
  public ClusterOverview read() throws IOException {
    ClusterMetrics metrics = metrics();
    List<NodeProbe> probes = new ArrayList<>();
    probes.add(
        probe(
            Role.ACTIVE_MASTER,
            metrics.getMasterName(),
            metrics.getMasterInfoPort(),
            Optional.empty()));
    for (ServerName backup : metrics.getBackupMasterNames()) {
      probes.add(probe(Role.BACKUP_MASTER, backup, masterInfoPort, Optional.empty()));
    }
    metrics
        .getLiveServerMetrics()
        .forEach(
            (name, server) ->
                probes.add(
                    probe(
                        Role.REGION_SERVER,
                        name,
                        server.getInfoServerPort(),
                        Optional.of(server.getRegionMetrics().size()))));
    return new ClusterOverview(
        String.valueOf(metrics.getClusterId()),
        askAll(probes),
        metrics.getDeadServerNames().stream().map(ServerName::getServerName).toList(),
        tasks(metrics),
        metrics.getRegionStatesInTransition().stream().map(OverviewReader::transition).toList(),
        System.currentTimeMillis(),
        skewMaxMillis);
  }

  private ClusterMetrics metrics() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics();
    }
  }

  private NodeProbe probe(Role role, ServerName name, int infoPort, Optional<Integer> regions) {
    return new NodeProbe(role, name, infoPort, regions, patience);
  }

  private static List<Node> askAll(List<NodeProbe> probes) throws IOException {
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "cairn-status");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Node> nodes = new ArrayList<>();
      for (Future<Node> node : threads.invokeAll(probes)) {
        nodes.add(node.get());
      }
      return nodes;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Task> tasks(ClusterMetrics metrics) {
    return metrics.getMasterTasks() == null
        ? List.of()
        : metrics.getMasterTasks().stream()
            .map(task -> new Task(task.getDescription(), task.getStatus(), task.getStartTime()))
            .toList();
  }

  private static Transition transition(RegionState state) {
    return new Transition(
        state.getRegion().getRegionNameAsString(),
        state.getState().name(),
        Optional.ofNullable(state.getServerName()).map(ServerName::getServerName),
        state.getStamp());
  }
}
