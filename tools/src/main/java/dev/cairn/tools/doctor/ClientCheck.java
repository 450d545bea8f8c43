package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Connects with HBase's client through both of its registries, and reads {@code hbase:meta}.
 *
 * @param site the configuration of a client on this host
 * @param patience limits the time of each connection
 * @param reason tells why something failed, in one line
 */
public record ClientCheck(
    Configuration site, Patience patience, Function<Throwable, String> reason) {
  private static final String REGISTRY = "hbase.client.registry.impl";
  private static final String ZOOKEEPER_REGISTRY =
      "org.apache.hadoop.hbase.client.ZKConnectionRegistry";
  private static final String RPC_REGISTRY = "org.apache.hadoop.hbase.client.RpcConnectionRegistry";
  private static final String BOOTSTRAP = "hbase.client.bootstrap.servers";

  /** HBase's master refuses servers with a larger clock skew. */
  private static final Duration SKEW_MAX = Duration.ofSeconds(30);

  /** HBase's master warns from this clock skew. */
  private static final Duration SKEW_ADVISED = Duration.ofSeconds(10);

  /**
   * The facts that a client learns.
   *
   * @param clusterId the cluster's id
   * @param master host and port of the active master
   * @param meta host and port of the server of {@code hbase:meta}
   * @param readMillis the duration of a read of {@code hbase:meta}
   * @param reportMillis the server's time when it last reported; empty if it has not reported
   */
  private record Answer(
      String clusterId,
      String master,
      String meta,
      double readMillis,
      Optional<Long> reportMillis) {}

  /** Adds the findings. */
  public void run(Diagnosis diagnosis) {
    String quorum = site.get(HConstants.ZOOKEEPER_QUORUM);
    Optional<Answer> answer =
        ask("through ZooKeeper", quorum, registry(ZOOKEEPER_REGISTRY), diagnosis);
    if (answer.isEmpty()) {
      return;
    }
    Answer told = answer.get();
    diagnosis.ok(Area.TOLD, "Cluster id: " + told.clusterId + ".");
    diagnosis.ok(Area.TOLD, "Active master: " + told.master + ".");
    diagnosis.ok(Area.TOLD, "hbase:meta is served by " + told.meta + ".");
    String servers = told.meta.equals(told.master) ? told.meta : told.meta + "," + told.master;
    Configuration direct = registry(RPC_REGISTRY);
    direct.set(BOOTSTRAP, servers);
    ask("without ZooKeeper", BOOTSTRAP + " = " + servers, direct, diagnosis)
        .ifPresent(other -> compare(told, other, diagnosis));
    told.reportMillis.ifPresent(millis -> clock(millis, System.currentTimeMillis(), diagnosis));
  }

  private Configuration registry(String registry) {
    Configuration configuration = new Configuration(site);
    int millis = Math.toIntExact(patience.longest().toMillis());
    configuration.set(REGISTRY, registry);
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
    configuration.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, millis);
    configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
    configuration.setInt("zookeeper.recovery.retry", 0);
    return configuration;
  }

  private Optional<Answer> ask(
      String how, String where, Configuration configuration, Diagnosis diagnosis) {
    try {
      Answer answer = patience.ask(() -> ask(configuration));
      diagnosis.ok(
          Area.CLIENT,
          String.format(
              Locale.ROOT,
              "A client connects %s and reads hbase:meta in %.0f ms.",
              how,
              answer.readMillis));
      return Optional.of(answer);
    } catch (IOException e) {
      diagnosis.problem(
          Area.CLIENT,
          "A client cannot connect " + how + ": " + reason.apply(e),
          where,
          "Check that these addresses reach the server, and read its log.");
      return Optional.empty();
    }
  }

  private static Answer ask(Configuration configuration) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.CLUSTER_ID,
                  ClusterMetrics.Option.MASTER,
                  ClusterMetrics.Option.LIVE_SERVERS));
      HRegionLocation meta =
          connection
              .getRegionLocator(TableName.META_TABLE_NAME)
              .getRegionLocation(HConstants.EMPTY_START_ROW, true);
      long start = System.nanoTime();
      try (Table table = connection.getTable(TableName.META_TABLE_NAME);
          ResultScanner rows = table.getScanner(new Scan().setOneRowLimit())) {
        rows.next();
      }
      double readMillis = (System.nanoTime() - start) / 1e6;
      ServerMetrics server = metrics.getLiveServerMetrics().get(meta.getServerName());
      return new Answer(
          metrics.getClusterId(),
          metrics.getMasterName().getAddress().toString(),
          meta.getServerName().getAddress().toString(),
          readMillis,
          Optional.ofNullable(server)
              .map(ServerMetrics::getReportTimestamp)
              .filter(millis -> millis > 0)); // 0 before the server's first report
    }
  }

  private static void compare(Answer zooKeeper, Answer servers, Diagnosis diagnosis) {
    if (!zooKeeper.clusterId.equals(servers.clusterId)
        || !zooKeeper.master.equals(servers.master)
        || !zooKeeper.meta.equals(servers.meta)) {
      diagnosis.problem(
          Area.CLIENT,
          "ZooKeeper and the servers give different answers: " + zooKeeper + ", " + servers,
          zooKeeper.meta,
          "Another server may have written this ZooKeeper: see zookeeper.znode.parent.");
    }
  }

  /** Adds a comparison of the clocks. The server's time is as old as its last report. */
  static void clock(long serverMillis, long ownMillis, Diagnosis diagnosis) {
    Duration difference = Duration.ofMillis(serverMillis - ownMillis).abs();
    String fact = "The server's clock and this host's differ by " + difference.toSeconds() + " s";
    String remedy = "Let both hosts set their clocks by NTP.";
    if (difference.compareTo(SKEW_MAX) > 0) {
      diagnosis.problem(Area.CLIENT, fact + ".", "clock", remedy);
    } else if (difference.compareTo(SKEW_ADVISED) > 0) {
      diagnosis.advise(Area.CLIENT, fact + ".", "clock", remedy);
    } else {
      diagnosis.ok(Area.CLIENT, "The server's clock agrees with this host's.");
    }
  }
}
