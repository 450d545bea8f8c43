package dev.cairn.server.regionserver.report;

import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import java.util.List;

/** The metrics of each open region. Thread-safe. */
final class RegionMetrics implements MetricSource {
  private static final Metric STORES =
      Metric.gauge("storeCount", "Families of the region.").as("stores");
  private static final Metric FILES =
      Metric.gauge("storeFileCount", "Store files of the region.").as("store_files");
  private static final Metric BYTES =
      Metric.gauge("storeFileSize", Unit.BYTES, "Length of the region's store files.");
  private static final Metric MEMORY =
      Metric.gauge("memStoreSize", Unit.BYTES, "Memory of the region's memstores.");
  private static final Metric MAJOR_AGE =
      Metric.gauge(
          "lastMajorCompactionAge",
          Unit.MILLIS,
          "Age of the oldest file of a major compaction; 0 if there is none.");
  private static final Metric READS =
      Metric.counter("readRequestCount", "Rows that were asked for since the region opened here.")
          .as("read_requests");
  private static final Metric WRITES =
      Metric.counter("writeRequestCount", "Mutations since the region opened here.")
          .as("write_requests");
  private static final Metric REPLICA =
      Metric.gauge("replicaid", "The replica's number; 0 for the region itself.");
  private static final Metric LOCAL =
      Metric.gauge(
              "percentFilesLocal",
              Unit.PERCENT,
              "Bytes of the region's files on this machine's disks.")
          .as("files_local");

  private final OnlineRegions regions;
  private final Localities localities;
  private final Clock clock;
  private final RecordName record;

  RegionMetrics(OnlineRegions regions, Localities localities, Clock clock, List<Label> labels) {
    this.regions = regions;
    this.localities = localities;
    this.clock = clock;
    this.record = RecordName.of(RegionServerMetrics.SERVER, "Regions", "region").with(labels);
  }

  @Override
  public RecordName name() {
    return record;
  }

  @Override
  public void collect(MetricRecord.Builder to) {
    long now = clock.currentTimeMillis();
    for (HostedRegion region : regions.open()) {
      RegionStatistics statistics = region.figures().statistics();
      Scope scope = Scope.region(region.info().table(), region.encodedName());
      long major = statistics.lastMajorCompactionMillis();
      to.add(STORES, scope, statistics.stores())
          .add(FILES, scope, statistics.storeFiles())
          .add(BYTES, scope, statistics.storeFileBytes())
          .add(MEMORY, scope, statistics.memStoreBytes())
          .add(MAJOR_AGE, scope, major == 0 ? 0 : Math.max(0, now - major))
          .add(READS, scope, region.readRequestCount())
          .add(WRITES, scope, region.writeRequestCount())
          .add(REPLICA, scope, region.info().replicaId())
          .addDecimal(LOCAL, scope, localities.of(region.files()).ratio() * 100.0);
    }
  }
}
