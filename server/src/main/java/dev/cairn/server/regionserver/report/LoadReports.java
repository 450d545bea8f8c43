package dev.cairn.server.regionserver.report;

import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.IndexProgress;
import dev.cairn.server.loadsplit.ProcessTime;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Compactions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad.CompactionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.Coprocessor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Describes the load of the server and of its regions. Thread-safe. */
public final class LoadReports {
  private static final long MB = 1024 * 1024;

  private final OnlineRegions regions;
  private final Compactions compactions;
  private final Localities localities;
  private final Clock clock;
  private final Heap heap;
  private final LongSupplier processNanos;
  private final Supplier<Set<String>> coprocessors;
  private final int infoPort;
  private long reportedRequests;
  private long reportedMillis;

  /**
   * Creates it.
   *
   * @param processNanos returns the processor time of the process; 0 if it is not known
   * @param coprocessors returns the names of the coprocessors to report
   */
  public LoadReports(
      OnlineRegions regions,
      Compactions compactions,
      Localities localities,
      Clock clock,
      Heap heap,
      LongSupplier processNanos,
      Supplier<Set<String>> coprocessors,
      int infoPort) {
    this.localities = localities;
    this.regions = regions;
    this.compactions = compactions;
    this.clock = clock;
    this.heap = heap;
    this.processNanos = processNanos;
    this.coprocessors = coprocessors;
    this.infoPort = infoPort;
    this.reportedMillis = clock.currentTimeMillis();
  }

  /**
   * The memory of the process.
   *
   * @param maxBytes the largest size that the heap can have
   * @param usedBytes the used part of it at the moment
   */
  public record Heap(long maxBytes, LongSupplier usedBytes) {}

  /** Returns the port of the web page, 0 if there is none. */
  public int infoPort() {
    return infoPort;
  }

  /** Describes the server, with the requests per second since the last time this was asked. */
  synchronized ServerLoad server() {
    long now = clock.currentTimeMillis();
    long requests = 0;
    ServerLoad.Builder load = ServerLoad.newBuilder();
    for (HostedRegion region : regions.open()) {
      requests += region.readRequestCount() + region.writeRequestCount();
      load.addRegionLoads(region(region));
    }
    coprocessors.get().forEach(one -> load.addCoprocessors(Coprocessor.newBuilder().setName(one)));
    long since = Math.max(0, requests - reportedRequests);
    load.setNumberOfRequests(since * 1000 / Math.max(1, now - reportedMillis))
        .setTotalNumberOfRequests(requests)
        .setUsedHeapMB(toMb(heap.usedBytes().getAsLong()))
        .setMaxHeapMB(toMb(heap.maxBytes()))
        .setReportStartTime(reportedMillis)
        .setReportEndTime(now)
        .setInfoServerPort(infoPort)
        .addAllTasks(compactions.tasks());
    ProcessTime.write(load, processNanos.getAsLong());
    reportedRequests = requests;
    reportedMillis = now;
    return load.build();
  }

  /** Returns why regions refuse every call, by their encoded names. */
  Map<String, String> refused() {
    Map<String, String> reasons = new HashMap<>();
    for (HostedRegion region : regions.open()) {
      region.refusal().ifPresent(reason -> reasons.put(region.encodedName(), reason));
    }
    return reasons;
  }

  /** Describes the regions that {@code wanted} lets pass. */
  public Iterable<RegionLoad> regions(Predicate<HostedRegion> wanted) {
    return regions.open().stream().filter(wanted).map(this::region).toList();
  }

  private RegionLoad region(HostedRegion region) {
    RegionStatistics statistics = region.figures().statistics();
    Optional<Boolean> compaction = compactions.state(region);
    Localities.Share share = localities.of(region.files());
    RegionLoad.Builder load = RegionLoad.newBuilder();
    for (RegionStatistics.FamilyFlushed family : statistics.families()) {
      load.addStoreCompleteSequenceId(
          StoreSequenceId.newBuilder()
              .setFamilyName(UnsafeByteOperations.unsafeWrap(family.family()))
              .setSequenceId(family.flushedSequence()));
    }
    region.load().ifPresent(sampler -> sampler.totals().write(load, sampler.notice()));
    IndexProgress.write(load, region.figures().indexBuilds());
    List<CompactionProgress> running = region.compactions().compactionProgress();
    return load.setTotalCompactingKVs(
            running.stream().mapToLong(CompactionProgress::inputCells).sum())
        .setCurrentCompactedKVs(running.stream().mapToLong(CompactionProgress::readCells).sum())
        .setRegionSpecifier(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(region.name()))
        .setStores(statistics.stores())
        .setStorefiles(statistics.storeFiles())
        .setStorefileSizeMB(toMbUnlessZero(statistics.storeFileBytes()))
        .setStoreUncompressedSizeMB(toMbUnlessZero(statistics.uncompressedBytes()))
        .setRegionSizeMB(toMbUnlessZero(statistics.storeFileBytes()))
        .setMemStoreSizeMB(toMb(statistics.memStoreBytes()))
        .setReadRequestsCount(region.readRequestCount())
        .setWriteRequestsCount(region.writeRequestCount())
        .setCompleteSequenceId(statistics.flushedSequence())
        .setLastMajorCompactionTs(statistics.lastMajorCompactionMillis())
        .setDataLocality(share.ratio())
        .setBlocksLocalWeight(share.local())
        .setBlocksTotalWeight(share.total())
        .setCompactionState(
            compaction.isEmpty()
                ? CompactionState.NONE
                : compaction.get() ? CompactionState.MAJOR : CompactionState.MINOR)
        .build();
  }

  /** As HBase, counts less than a megabyte as one, so that only a region without files has 0. */
  private static int toMbUnlessZero(long bytes) {
    return bytes == 0 ? 0 : Math.max(1, toMb(bytes));
  }

  private static int toMb(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, bytes / MB);
  }
}
