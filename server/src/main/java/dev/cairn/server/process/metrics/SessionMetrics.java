package dev.cairn.server.process.metrics;

import dev.cairn.server.coordination.SessionLease;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;

/** Reports the metrics of a server's session with ZooKeeper. Stateless. */
public final class SessionMetrics {
  private SessionMetrics() {}

  public static void addTo(MetricRecord.Builder to, SessionLease session) {
    to.add(
            Metric.gauge(
                "zookeeperSessionTimeout", Unit.MILLIS, "The timeout of the ZooKeeper session."),
            session.timeout().toMillis())
        .add(
            Metric.gauge("zookeeperSessionAge", Unit.MILLIS, "Age of the ZooKeeper session."),
            session.ageMillis())
        .add(
            Metric.gauge(
                "zookeeperSilence", Unit.MILLIS, "Age of the last answered request to ZooKeeper."),
            session.silentMillis())
        .add(
            Metric.gauge("zookeeperConnected", "1 if there is a connection to ZooKeeper, else 0."),
            session.isConnected() ? 1 : 0)
        .add(
            Metric.gauge(
                "zookeeperSessionOver",
                "1 while the ZooKeeper session may be over, and the server therefore does not"
                    + " answer; else 0."),
            session.isOver() ? 1 : 0)
        .add(
            Metric.counter("zookeeperConnectionLosses", "Lost connections to ZooKeeper."),
            session.losses());
  }
}
