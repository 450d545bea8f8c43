package dev.cairn.shell.command;

import dev.cairn.shell.output.Output;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ServerTask;
import org.apache.hadoop.hbase.Size;

/** The command {@code status}. */
final class StatusCommand {
  private StatusCommand() {}

  static Value run(Session session, Arguments arguments) throws IOException {
    String format = arguments.find(0).isEmpty() ? "summary" : arguments.letters(0, "The format");
    ClusterMetrics cluster = session.admin().getClusterMetrics();
    Output output = session.output();
    switch (format.toLowerCase(Locale.ROOT)) {
      case "summary" -> summary(cluster, output);
      case "simple" -> simple(cluster, output);
      case "detailed" -> detailed(cluster, output);
      case "tasks" -> tasks(cluster, output);
      case "replication" -> throw new ShellException("status 'replication' is not supported yet");
      default ->
          throw new ShellException(
              "The format must be 'summary', 'simple', 'detailed' or 'tasks', not '"
                  + format
                  + "'");
    }
    return Value.NIL;
  }

  private static void summary(ClusterMetrics cluster, Output output) {
    output.line(
        String.format(
            Locale.ROOT,
            "%d active master, %d backup masters, %d servers, %d dead, %.4f average load",
            cluster.getMasterName() == null ? 0 : 1,
            cluster.getBackupMasterNames().size(),
            cluster.getLiveServerMetrics().size(),
            cluster.getDeadServerNames().size(),
            cluster.getAverageLoad()));
  }

  private static String address(ServerName server) {
    return server.getHostname() + ":" + server.getPort() + " " + server.getStartCode();
  }

  private static void masters(ClusterMetrics cluster, Output output) {
    if (cluster.getMasterName() != null) {
      output.line("active master:  " + address(cluster.getMasterName()));
    }
    output.line(cluster.getBackupMasterNames().size() + " backup masters");
    cluster.getBackupMasterNames().forEach(server -> output.line("    " + address(server)));
  }

  private static void dead(ClusterMetrics cluster, Output output) {
    output.line(cluster.getDeadServerNames().size() + " dead servers");
    cluster.getDeadServerNames().forEach(server -> output.line("    " + server));
  }

  private static void simple(ClusterMetrics cluster, Output output) {
    masters(cluster, output);
    output.line(cluster.getLiveServerMetrics().size() + " live servers");
    long load = 0;
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      output.line("    " + address(server.getServerName()));
      output.line("        " + load(server));
      load += server.getRequestCountPerSecond();
    }
    dead(cluster, output);
    output.line("Aggregate load: " + load + ", regions: " + cluster.getRegionCount());
  }

  private static void detailed(ClusterMetrics cluster, Output output) {
    output.line("version " + cluster.getHBaseVersion());
    output.line(cluster.getRegionStatesInTransition().size() + " regionsInTransition");
    cluster.getRegionStatesInTransition().forEach(state -> output.line("    " + state));
    masters(cluster, output);
    output.line("master coprocessors: " + cluster.getMasterCoprocessorNames());
    output.line(cluster.getLiveServerMetrics().size() + " live servers");
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      output.line("    " + address(server.getServerName()));
      output.line("        " + load(server));
      for (RegionMetrics region : server.getRegionMetrics().values()) {
        output.line("        \"" + region.getNameAsString() + "\"");
        output.line("            " + load(region));
      }
    }
    dead(cluster, output);
  }

  private static void tasks(ClusterMetrics cluster, Output output) {
    for (ServerMetrics server : new TreeMap<>(cluster.getLiveServerMetrics()).values()) {
      List<ServerTask> tasks = server.getTasks();
      output.line(address(server.getServerName()) + ": " + tasks.size() + " tasks");
      tasks.forEach(
          task ->
              output.line(
                  "    "
                      + task.getState()
                      + " "
                      + task.getDescription()
                      + ": "
                      + task.getStatus()));
    }
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

  private static String load(ServerMetrics server) {
    List<String> parts = new ArrayList<>();
    parts.add("requestsPerSecond=" + (double) server.getRequestCountPerSecond());
    parts.add("numberOfOnlineRegions=" + server.getRegionMetrics().size());
    parts.add("usedHeapMB=" + megabytes(server.getUsedHeapSize()));
    parts.add("maxHeapMB=" + megabytes(server.getMaxHeapSize()));
    parts.add("numberOfStores=" + sum(server, RegionMetrics::getStoreCount));
    parts.add("numberOfStorefiles=" + sum(server, RegionMetrics::getStoreFileCount));
    parts.add(
        "storefileUncompressedSizeMB="
            + sum(server, r -> megabytes(r.getUncompressedStoreFileSize())));
    parts.add("storefileSizeMB=" + sum(server, r -> megabytes(r.getStoreFileSize())));
    parts.add("memstoreSizeMB=" + sum(server, r -> megabytes(r.getMemStoreSize())));
    parts.add("storefileIndexSizeKB=" + sum(server, r -> kilobytes(r.getStoreFileIndexSize())));
    parts.add("readRequestsCount=" + sum(server, RegionMetrics::getReadRequestCount));
    parts.add(
        "filteredReadRequestsCount=" + sum(server, RegionMetrics::getFilteredReadRequestCount));
    parts.add("writeRequestsCount=" + sum(server, RegionMetrics::getWriteRequestCount));
    parts.add("rootIndexSizeKB=" + sum(server, r -> kilobytes(r.getStoreFileRootLevelIndexSize())));
    parts.add(
        "totalStaticIndexSizeKB="
            + sum(server, r -> kilobytes(r.getStoreFileUncompressedDataIndexSize())));
    parts.add("totalStaticBloomSizeKB=" + sum(server, r -> kilobytes(r.getBloomFilterSize())));
    long all = sum(server, RegionMetrics::getCompactingCellCount);
    long done = sum(server, RegionMetrics::getCompactedCellCount);
    parts.add("totalCompactingKVs=" + all);
    parts.add("currentCompactedKVs=" + done);
    parts.add("compactionProgressPct=" + progress(done, all));
    parts.add("coprocessors=" + server.getCoprocessorNames());
    return String.join(", ", parts);
  }

  private static String progress(long done, long all) {
    return all == 0 ? "NaN" : Float.toString((float) done / all);
  }

  private static String load(RegionMetrics region) {
    List<String> parts = new ArrayList<>();
    parts.add("numberOfStores=" + region.getStoreCount());
    parts.add("numberOfStorefiles=" + region.getStoreFileCount());
    parts.add("storeRefCount=" + region.getStoreRefCount());
    parts.add("storefileUncompressedSizeMB=" + megabytes(region.getUncompressedStoreFileSize()));
    parts.add("lastMajorCompactionTimestamp=" + region.getLastMajorCompactionTimestamp());
    parts.add("storefileSizeMB=" + megabytes(region.getStoreFileSize()));
    parts.add("memstoreSizeMB=" + megabytes(region.getMemStoreSize()));
    parts.add("readRequestsCount=" + region.getReadRequestCount());
    parts.add("writeRequestsCount=" + region.getWriteRequestCount());
    parts.add("rootIndexSizeKB=" + kilobytes(region.getStoreFileRootLevelIndexSize()));
    parts.add(
        "totalStaticIndexSizeKB=" + kilobytes(region.getStoreFileUncompressedDataIndexSize()));
    parts.add("totalStaticBloomSizeKB=" + kilobytes(region.getBloomFilterSize()));
    parts.add("totalCompactingKVs=" + region.getCompactingCellCount());
    parts.add("currentCompactedKVs=" + region.getCompactedCellCount());
    parts.add(
        "compactionProgressPct="
            + progress(region.getCompactedCellCount(), region.getCompactingCellCount()));
    parts.add("completeSequenceId=" + region.getCompletedSequenceId());
    parts.add("dataLocality=" + region.getDataLocality());
    return String.join(", ", parts);
  }
}
