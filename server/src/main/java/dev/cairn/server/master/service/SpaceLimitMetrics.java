package dev.cairn.server.master.service;

import dev.cairn.server.master.quota.SpaceObserver;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricRecord;
import java.util.Collection;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;

/**
 * The limits on space at one moment.
 *
 * @param limits the tables and namespaces that have one
 * @param tablesOver the tables that exceed theirs
 * @param namespacesOver the namespaces that exceed theirs
 * @param sizes the regions whose sizes are known
 * @param times how long the comparisons took
 * @param snapshotTimes how long the measurements of snapshots took
 */
record SpaceLimitMetrics(
    long limits,
    long tablesOver,
    long namespacesOver,
    long sizes,
    Histogram times,
    Histogram snapshotTimes) {
  /** Returns the metrics of the observer's findings. Called by the loop's owner. */
  static SpaceLimitMetrics of(SpaceObserver space) {
    return new SpaceLimitMetrics(
        space.tableStates().size() + space.namespaceStates().size(),
        exceeded(space.tableStates().values()),
        exceeded(space.namespaceStates().values()),
        space.knownRegions(),
        space.times(),
        space.snapshotTimes());
  }

  private static long exceeded(Collection<SpaceQuotaSnapshot> states) {
    return states.stream().filter(state -> state.getQuotaStatus().getInViolation()).count();
  }

  void addTo(MetricRecord.Builder to) {
    to.add(
            Metric.gauge("numSpaceQuotas", "Tables and namespaces with a limit on space.")
                .as("space_limits"),
            limits)
        .add(
            Metric.gauge("numTablesInQuotaViolation", "Tables that exceed their limit.")
                .as("exceeding_tables"),
            tablesOver)
        .add(
            Metric.gauge("numNamespaceInQuotaViolation", "Namespaces that exceed their limit.")
                .as("exceeding_namespaces"),
            namespacesOver)
        .add(
            Metric.gauge("numRegionSizeReports", "Regions whose sizes are known.")
                .as("measured_regions"),
            sizes)
        .add(
            Metric.time("QuotaObserverChoreTime", "Duration of comparisons with the limits.")
                .as("comparison"),
            times)
        .add(
            Metric.time("SnapshotQuotaObserverChoreTime", "Duration of measurements of snapshots.")
                .as("snapshot_measurement"),
            snapshotTimes);
  }
}
