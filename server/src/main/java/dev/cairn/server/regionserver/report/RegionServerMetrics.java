package dev.cairn.server.regionserver.report;

import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.HistogramSnapshot;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.Rate;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.TableTimes.Event;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.maintenance.Splits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The metrics of a region server's regions, work and operations. Thread-safe. */
public final class RegionServerMetrics {
  static final String SERVER = "RegionServer";

  private final ServerName name;
  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final Splits splits;
  private final Compactions compactions;
  private final Flushes flushes;
  private final MemStorePressure pressure;
  private final Localities localities;
  private final OperationTimes times;
  private final Clock clock;
  private final long slowNanos;
  private final Rate readRate;
  private final Rate writeRate;

  /**
   * Creates it.
   *
   * @param slowMillis the time above which an operation is slow
   */
  public RegionServerMetrics(
      ServerName name,
      OnlineRegions regions,
      OpenScanners scanners,
      Splits splits,
      Compactions compactions,
      Flushes flushes,
      MemStorePressure pressure,
      Localities localities,
      OperationTimes times,
      Clock clock,
      long slowMillis) {
    this.name = name;
    this.regions = regions;
    this.scanners = scanners;
    this.splits = splits;
    this.pressure = pressure;
    this.compactions = compactions;
    this.flushes = flushes;
    this.localities = localities;
    this.times = times;
    this.clock = clock;
    this.slowNanos = TimeUnit.MILLISECONDS.toNanos(slowMillis);
    this.readRate = new Rate(clock.nanoTime());
    this.writeRate = new Rate(clock.nanoTime());
  }

  /** Returns the present sources. */
  public List<MetricSource> sources() {
    List<Label> server = List.of(new Label("server", name.hostAndPort()));
    List<MetricSource> sources = new ArrayList<>();
    sources.add(
        MetricSource.of(
            RecordName.of(SERVER, "Server", "regionserver").with(server), this::server));
    sources.add(new RegionMetrics(regions, localities, clock, server));
    sources.add(new TableMetrics(regions, server));
    times.tables().forEach((table, own) -> sources.add(TableRequestMetrics.of(table, own, server)));
    return sources;
  }

  private void server(MetricRecord.Builder to) {
    to.tag("serverName", name.toString());
    sizes(to);
    work(to);
    requests(to);
    operations(to);
  }

  private void sizes(MetricRecord.Builder to) {
    Collection<HostedRegion> open = regions.open();
    long stores = 0;
    long files = 0;
    long maxFiles = 0;
    long bytes = 0;
    long memory = 0;
    long blocked = 0;
    Localities.Share ofRegions = Localities.Share.NONE;
    Localities.Share ofReplicas = Localities.Share.NONE;
    for (HostedRegion region : open) {
      RegionStatistics now = region.figures().statistics();
      stores += now.stores();
      files += now.storeFiles();
      maxFiles = Math.max(maxFiles, now.maxStoreFiles());
      bytes += now.storeFileBytes();
      memory += now.memStoreBytes();
      blocked += region.splits().blockedWrites();
      Localities.Share share = localities.of(region.files());
      if (region.isReplica()) {
        ofReplicas = ofReplicas.plus(share);
      } else {
        ofRegions = ofRegions.plus(share);
      }
    }
    to.add(Metric.gauge("regionCount", "Open regions.").as("regions"), open.size())
        .add(Metric.gauge("storeCount", "Families of the open regions.").as("stores"), stores)
        .add(Metric.gauge("storeFileCount", "Store files.").as("store_files"), files)
        .add(
            Metric.gauge("maxStoreFileCount", "Store files of the family with most.")
                .as("store_files_max"),
            maxFiles)
        .add(Metric.gauge("storeFileSize", Unit.BYTES, "Length of all store files."), bytes)
        .add(
            Metric.gauge("averageRegionSize", Unit.BYTES, "Mean length of a region's files."),
            open.isEmpty() ? 0 : bytes / open.size())
        .add(Metric.gauge("memStoreSize", Unit.BYTES, "Memory of all memstores."), memory)
        .add(
            Metric.gauge("memStoreHeapSize", Unit.BYTES, "Memory of all memstores in the heap."),
            memory)
        .add(
            Metric.gauge("memStoreOffHeapSize", Unit.BYTES, "Memory of memstores off the heap."), 0)
        .add(
            Metric.gauge(
                    "blockedRequestCount", "Writes to open regions, refused by full memstores.")
                .as("blocked_requests"),
            blocked)
        .addDecimal(
            Metric.gauge(
                    "percentFilesLocal",
                    Unit.PERCENT,
                    "Bytes of store files on this machine's disks.")
                .as("files_local"),
            ofRegions.plus(ofReplicas).ratio() * 100.0)
        .addDecimal(
            Metric.gauge(
                    "percentFilesLocalPrimaryRegions",
                    Unit.PERCENT,
                    "The same, without replicas of regions.")
                .as("files_local_primary"),
            ofRegions.ratio() * 100.0)
        .addDecimal(
            Metric.gauge(
                    "percentFilesLocalSecondaryRegions",
                    Unit.PERCENT,
                    "The same, of replicas of regions.")
                .as("files_local_secondary"),
            ofReplicas.ratio() * 100.0);
  }

  private void work(MetricRecord.Builder to) {
    int small = compactions.waiting(Compactions.Queue.SHORT);
    int large = compactions.waiting(Compactions.Queue.LONG);
    to.add(
            Metric.gauge("regionServerStartTime", Unit.MILLIS, "When the server started.")
                .as("start_time"),
            name.startCode())
        .add(Metric.gauge("activeScanners", "Open scanners."), scanners.size())
        .add(
            Metric.counter("scannerLeaseExpiredCount", "Scanners whose clients did not come back."),
            scanners.expiredCount())
        .add(
            Metric.gauge("splitQueueLength", "Regions that wait for their split."),
            splits.pending())
        .add(
            Metric.counter("splitRequestCount", "Splits that the server has requested.")
                .as("split_requests"),
            splits.requestCount())
        .add(
            Metric.counter("splitSuccessCount", "Requests for splits that the master has accepted.")
                .as("accepted_splits"),
            splits.acceptedCount())
        .add(Metric.gauge("compactionQueueLength", "Compactions that wait."), small + large)
        .add(Metric.gauge("smallCompactionQueueLength", "Small compactions that wait."), small)
        .add(Metric.gauge("largeCompactionQueueLength", "Large compactions that wait."), large)
        .add(Metric.gauge("flushQueueLength", "Flushes that wait or run."), flushes.pending())
        .add(
            Metric.counter(
                    "updatesBlockedTime",
                    Unit.MILLIS,
                    "Time that writes were refused because all memstores together were full.")
                .as("writes_blocked"),
            TimeUnit.NANOSECONDS.toMillis(pressure.blockedNanos()));
  }

  private void requests(MetricRecord.Builder to) {
    long reads = regions.readRequestCount();
    long writes = regions.writeRequestCount();
    to.add(
            Metric.counter("totalRowActionRequestCount", "Rows that were asked for, and mutations.")
                .as("row_requests"),
            reads + writes)
        .add(
            Metric.counter("readRequestCount", "Rows that were asked for.").as("read_requests"),
            reads)
        .add(Metric.counter("writeRequestCount", "Mutations.").as("write_requests"), writes)
        .addDecimal(
            Metric.gauge(
                    "readRequestRatePerSecond",
                    "Rows that were asked for per second, in the last five seconds or more.")
                .as("read_request_rate"),
            readRate.perSecond(reads, to.nowNanos()))
        .addDecimal(
            Metric.gauge(
                    "writeRequestRatePerSecond",
                    "Mutations per second, in the last five seconds or more.")
                .as("write_request_rate"),
            writeRate.perSecond(writes, to.nowNanos()));
  }

  /** Adds the slow operations; a batch of mutations of one region is one operation. */
  private void slowOperations(MetricRecord.Builder to) {
    slow("Get", to, Operation.GET);
    slow("Put", to, Operation.PUT, Operation.PUT_BATCH);
    slow("Delete", to, Operation.DELETE, Operation.DELETE_BATCH);
    slow("Increment", to, Operation.INCREMENT);
    slow("Append", to, Operation.APPEND);
  }

  private void slow(String name, MetricRecord.Builder to, Operation... operations) {
    long count = 0;
    for (Operation operation : operations) {
      HistogramSnapshot all = times.sum(operation, to.nowNanos()).total();
      count += all.count() - all.countBelow(slowNanos);
    }
    to.add(
        Metric.counter(
                "slow" + name + "Count",
                "Operations that took longer than hbase.ipc.slow.metric.time (to within 3.2 %), by"
                    + " method.")
            .as("slow_operations"),
        Scope.method("", operations[0].label()),
        count);
  }

  /** Adds the times of each operation on all tables together. */
  private void operations(MetricRecord.Builder to) {
    if (!times.isOn()) {
      return;
    }
    slowOperations(to);
    to.add(
            Metric.counter("checkMutatePassedCount", "Conditions of operations that were met.")
                .as("conditions_met"),
            times.sum(Event.CONDITION_MET))
        .add(
            Metric.counter("checkMutateFailedCount", "Conditions that were not met.")
                .as("conditions_not_met"),
            times.sum(Event.CONDITION_NOT_MET))
        .add(
            Metric.counter("rpcFullScanRequestCount", "Scans of all rows of a region.")
                .as("full_scans"),
            times.sum(Event.FULL_SCAN));
    HistogramReading conditional = HistogramReading.NONE;
    for (Operation operation : Operation.values()) {
      HistogramReading sum = times.sum(operation, to.nowNanos());
      if (operation.isConditional()) {
        conditional = conditional.plus(sum);
      }
      to.add(
          Metric.time(
                  operation == Operation.SCAN ? "Time" : "",
                  "Times of operations on all tables, by method.")
              .as("operation"),
          Scope.method(operation.hbaseName(), operation.label()),
          sum);
    }
    to.add(
        Metric.time(Operation.CONDITIONAL, "Times of all conditional operations together.")
            .as("conditional_operation"),
        Scope.ALL,
        conditional);
  }
}
