package dev.cairn.shell.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;

/** Returns the load of servers and regions as figures by name, in the order of HBase's shell. */
final class LoadFigures {
  private LoadFigures() {}

  /** Returns figures on one line, as text output shows them. */
  static String text(Map<String, Object> figures) {
    return figures.entrySet().stream()
        .map(figure -> figure.getKey() + "=" + figure.getValue())
        .collect(Collectors.joining(", "));
  }

  private static long sum(ServerMetrics server, ToLongFunction<RegionMetrics> figure) {
    return server.getRegionMetrics().values().stream().mapToLong(figure).sum();
  }

  private static long megabytes(Size size) {
    return (long) size.get(Size.Unit.MEGABYTE);
  }

  private static long kilobytes(Size size) {
    return (long) size.get(Size.Unit.KILOBYTE);
  }

  /** Returns the load of a server: the sums over its regions. */
  static Map<String, Object> of(ServerMetrics server) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("requestsPerSecond", (double) server.getRequestCountPerSecond());
    figures.put("numberOfOnlineRegions", server.getRegionMetrics().size());
    figures.put("usedHeapMB", megabytes(server.getUsedHeapSize()));
    figures.put("maxHeapMB", megabytes(server.getMaxHeapSize()));
    figures.put("numberOfStores", sum(server, RegionMetrics::getStoreCount));
    figures.put("numberOfStorefiles", sum(server, RegionMetrics::getStoreFileCount));
    figures.put(
        "storefileUncompressedSizeMB",
        sum(server, r -> megabytes(r.getUncompressedStoreFileSize())));
    figures.put("storefileSizeMB", sum(server, r -> megabytes(r.getStoreFileSize())));
    figures.put("memstoreSizeMB", sum(server, r -> megabytes(r.getMemStoreSize())));
    figures.put("storefileIndexSizeKB", sum(server, r -> kilobytes(r.getStoreFileIndexSize())));
    figures.put("readRequestsCount", sum(server, RegionMetrics::getReadRequestCount));
    figures.put(
        "filteredReadRequestsCount", sum(server, RegionMetrics::getFilteredReadRequestCount));
    figures.put("writeRequestsCount", sum(server, RegionMetrics::getWriteRequestCount));
    figures.put("rootIndexSizeKB", sum(server, r -> kilobytes(r.getStoreFileRootLevelIndexSize())));
    figures.put(
        "totalStaticIndexSizeKB",
        sum(server, r -> kilobytes(r.getStoreFileUncompressedDataIndexSize())));
    figures.put("totalStaticBloomSizeKB", sum(server, r -> kilobytes(r.getBloomFilterSize())));
    long all = sum(server, RegionMetrics::getCompactingCellCount);
    long done = sum(server, RegionMetrics::getCompactedCellCount);
    figures.put("totalCompactingKVs", all);
    figures.put("currentCompactedKVs", done);
    figures.put("compactionProgressPct", progress(done, all));
    figures.put("coprocessors", List.copyOf(server.getCoprocessorNames()));
    return figures;
  }

  private static float progress(long done, long all) {
    return (float) done / all;
  }

  /** Returns the load of a region. */
  static Map<String, Object> of(RegionMetrics region) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("numberOfStores", region.getStoreCount());
    figures.put("numberOfStorefiles", region.getStoreFileCount());
    figures.put("storeRefCount", region.getStoreRefCount());
    figures.put("storefileUncompressedSizeMB", megabytes(region.getUncompressedStoreFileSize()));
    figures.put("lastMajorCompactionTimestamp", region.getLastMajorCompactionTimestamp());
    figures.put("storefileSizeMB", megabytes(region.getStoreFileSize()));
    figures.put("memstoreSizeMB", megabytes(region.getMemStoreSize()));
    figures.put("readRequestsCount", region.getReadRequestCount());
    figures.put("writeRequestsCount", region.getWriteRequestCount());
    figures.put("rootIndexSizeKB", kilobytes(region.getStoreFileRootLevelIndexSize()));
    figures.put(
        "totalStaticIndexSizeKB", kilobytes(region.getStoreFileUncompressedDataIndexSize()));
    figures.put("totalStaticBloomSizeKB", kilobytes(region.getBloomFilterSize()));
    figures.put("totalCompactingKVs", region.getCompactingCellCount());
    figures.put("currentCompactedKVs", region.getCompactedCellCount());
    figures.put(
        "compactionProgressPct",
        progress(region.getCompactedCellCount(), region.getCompactingCellCount()));
    figures.put("completeSequenceId", region.getCompletedSequenceId());
    figures.put("dataLocality", region.getDataLocality());
    return figures;
  }
}
