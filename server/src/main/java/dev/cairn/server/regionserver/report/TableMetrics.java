package dev.cairn.server.regionserver.report;

import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.schema.TableName;
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
import java.util.Map;
import java.util.TreeMap;

/** The sums over the open regions of each table. Thread-safe. */
final class TableMetrics implements MetricSource {
  private static final Metric REGIONS =
      Metric.gauge("regionCount", "Open regions of the table.").as("regions");
  private static final Metric STORES =
      Metric.gauge("storeCount", "Families of the table's open regions.").as("stores");
  private static final Metric FILES =
      Metric.gauge("storeFileCount", "Store files of the table's open regions.").as("store_files");
  private static final Metric MAX_FILES =
      Metric.gauge("maxStoreFileCount", "Store files of the family with most.")
          .as("store_files_max");
  private static final Metric BYTES =
      Metric.gauge("storeFileSize", Unit.BYTES, "Length of the table's store files.");
  private static final Metric SIZE =
      Metric.gauge("tableSize", Unit.BYTES, "Length of the store files, and memstores.");
  private static final Metric AVERAGE =
      Metric.gauge("averageRegionSize", Unit.BYTES, "Mean length of a region's files.");
  private static final Metric MEMORY =
      Metric.gauge("memStoreSize", Unit.BYTES, "Memory of the table's memstores.");
  private static final Metric READS =
      Metric.gauge("readRequestCount", "Rows that were asked for since the regions opened here.")
          .as("read_requests");
  private static final Metric WRITES =
      Metric.gauge("writeRequestCount", "Mutations since the regions opened here.")
          .as("write_requests");
  private static final Metric TOTAL =
      Metric.gauge("totalRequestCount", "Reads and writes together.").as("requests");

  /** The sums of one table. */
  private static final class Sums {
    private long regions;
    private long stores;
    private long files;
    private long maxFiles;
    private long bytes;
    private long memory;
    private long reads;
    private long writes;
  }

  private final OnlineRegions regions;
  private final RecordName record;

  TableMetrics(OnlineRegions regions, List<Label> labels) {
    this.regions = regions;
    this.record = RecordName.of(RegionServerMetrics.SERVER, "Tables", "table").with(labels);
  }

  @Override
  public RecordName name() {
    return record;
  }

  @Override
  public void collect(MetricRecord.Builder to) {
    Map<TableName, Sums> tables = new TreeMap<>();
    for (HostedRegion region : regions.open()) {
      RegionStatistics statistics = region.figures().statistics();
      Sums sums = tables.computeIfAbsent(region.info().table(), table -> new Sums());
      sums.regions++;
      sums.stores += statistics.stores();
      sums.files += statistics.storeFiles();
      sums.maxFiles = Math.max(sums.maxFiles, statistics.maxStoreFiles());
      sums.bytes += statistics.storeFileBytes();
      sums.memory += statistics.memStoreBytes();
      sums.reads += region.readRequestCount();
      sums.writes += region.writeRequestCount();
    }
    to.add(Metric.gauge("numTables", "Tables with open regions.").as("count"), tables.size());
    tables.forEach((table, sums) -> add(Scope.table(table), sums, to));
  }

  private static void add(Scope scope, Sums sums, MetricRecord.Builder to) {
    to.add(REGIONS, scope, sums.regions)
        .add(STORES, scope, sums.stores)
        .add(FILES, scope, sums.files)
        .add(MAX_FILES, scope, sums.maxFiles)
        .add(BYTES, scope, sums.bytes)
        .add(SIZE, scope, sums.bytes + sums.memory)
        .add(AVERAGE, scope, sums.bytes / sums.regions)
        .add(MEMORY, scope, sums.memory)
        .add(READS, scope, sums.reads)
        .add(WRITES, scope, sums.writes)
        .add(TOTAL, scope, sums.reads + sums.writes);
  }
}
