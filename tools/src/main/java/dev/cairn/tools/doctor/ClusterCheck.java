package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.overview.ClusterOverview;
import dev.cairn.tools.overview.OverviewReader;
import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * Checks all servers of a cluster, as a client on this host sees them.
 *
 * @param client the configuration of a client of the cluster
 * @param masterInfoPort the port of the web pages of backup masters
 * @param skewMaxMillis the largest clock skew without a problem
 * @param patience limits the time of each connection
 * @param reason tells why something failed, in one line
 */
public record ClusterCheck(
    Configuration client,
    int masterInfoPort,
    long skewMaxMillis,
    Patience patience,
    Function<Throwable, String> reason) {
  /** Adds the findings. */
  public void run(Diagnosis diagnosis) {
    new ClientCheck(client, patience, reason).run(diagnosis);
    try {
      ClusterOverview cluster =
          new OverviewReader(client, masterInfoPort, skewMaxMillis, patience.longest()).read();
      diagnosis.ok(Area.SERVER, cluster.nodes().size() + " servers of the cluster are alive.");
      for (String problem : cluster.problems()) {
        diagnosis.problem(
            Area.SERVER, problem, "cluster", "bin/cairn status shows all of its servers.");
      }
    } catch (IOException e) {
      diagnosis.problem(
          Area.SERVER,
          "No master of the cluster answers: " + reason.apply(e),
          client.get(HConstants.ZOOKEEPER_QUORUM),
          "Start a master (bin/cairn start master), or read its log.");
    }
  }
}
