package dev.cairn.server.master.balancer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.loadsplit.LoadTotals;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Computes what regions do per second from the reports of their servers. The rates follow a change
 * within some seconds. A region that moves keeps its rates until its new server reports others, so
 * a plan never takes a region that was just moved for an idle one. The processor time of a region
 * is that of its calls in the engine, plus {@link RequestCost} for each call. Not thread-safe.
 */
final class LoadMemory {
  /** The time in which a rate makes up 63 % of a change. */
  private static final double SMOOTHING_SECONDS = 5;

  private static final long GAP_MILLIS_MIN = 1_000;

  /** The servers of which a region's locality is remembered. */
  private static final int LOCALITIES_MAX = 4;

  private final Map<ByteString, Memory> regions = new HashMap<>();
  private final RequestCost requestCost = new RequestCost();
  private final Map<ServerName, Long> firstReports = new HashMap<>();
  private final Map<ServerName, Long> lastReports = new HashMap<>();

  private static final class Memory {
    private RegionFigures figures = RegionFigures.NONE;
    private boolean hasRates;
    private ServerName server;
    private long millis;
    private LoadTotals totals = LoadTotals.NONE;
    private long reads;
    private long writes;
    private Map<ServerName, Double> localities = Map.of();
    private Optional<String> notice = Optional.empty();
  }

  /** Takes a server's report; the same one may come again. */
  void report(ServerName server, ServerLoad load) {
    long millis = load.getReportEndTime();
    if (millis == 0 || millis == lastReports.getOrDefault(server, 0L)) {
      return;
    }
    lastReports.put(server, millis);
    firstReports.putIfAbsent(server, millis);
    requestCost.report(server, load);
    for (RegionLoad region : load.getRegionLoadsList()) {
      report(
          regions.computeIfAbsent(region.getRegionSpecifier().getValue(), name -> new Memory()),
          server,
          region,
          millis);
    }
  }

  private void report(Memory memory, ServerName server, RegionLoad load, long millis) {
    LoadTotals totals = LoadTotals.read(load);
    RegionFigures rates = memory.figures;
    boolean continues =
        server.equals(memory.server)
            && totals.nanos() >= memory.totals.nanos()
            && load.getReadRequestsCount() >= memory.reads
            && load.getWriteRequestsCount() >= memory.writes;
    double seconds = (millis - memory.millis) / 1000.0;
    if (continues && millis - memory.millis >= GAP_MILLIS_MIN) {
      RegionFigures now =
          new RegionFigures(
              (totals.nanos()
                      - memory.totals.nanos()
                      + requestCost.nanos() * (totals.requests() - memory.totals.requests()))
                  / seconds,
              (load.getReadRequestsCount() - memory.reads) / seconds,
              (load.getWriteRequestsCount() - memory.writes) / seconds,
              Math.max(0, totals.bytes() - memory.totals.bytes()) / seconds,
              0,
              0);
      double part = memory.hasRates ? 1 - Math.exp(-seconds / SMOOTHING_SECONDS) : 1;
      rates = rates.times(1 - part).plus(now.times(part));
      memory.hasRates = true;
    }
    if (!continues || millis - memory.millis >= GAP_MILLIS_MIN) {
      memory.server = server;
      memory.millis = millis;
      memory.totals = totals;
      memory.reads = load.getReadRequestsCount();
      memory.writes = load.getWriteRequestsCount();
    }
    memory.figures =
        new RegionFigures(
            rates.nanos(),
            rates.reads(),
            rates.writes(),
            rates.bytes(),
            load.getMemStoreSizeMB(),
            load.getStorefileSizeMB());
    memory.notice = LoadTotals.notice(load);
    if (load.getBlocksTotalWeight() > 0) {
      Map<ServerName, Double> localities = new LinkedHashMap<>(memory.localities);
      localities.remove(server);
      localities.put(server, (double) load.getDataLocality());
      if (localities.size() > LOCALITIES_MAX) {
        localities.remove(localities.keySet().iterator().next());
      }
      memory.localities = Map.copyOf(localities);
    }
  }

  /** Returns what is known of a region. */
  RegionFigures figures(RegionInfo region) {
    Memory memory = regions.get(key(region));
    return memory == null ? RegionFigures.NONE : memory.figures;
  }

  /** Returns the share of a region's files at the servers where it is known. */
  Map<ServerName, Double> localities(RegionInfo region) {
    Memory memory = regions.get(key(region));
    return memory == null ? Map.of() : memory.localities;
  }

  /** Returns why the region's load cannot be divided; empty if its server has not told it. */
  Optional<String> notice(RegionInfo region) {
    Memory memory = regions.get(key(region));
    return memory == null ? Optional.empty() : memory.notice;
  }

  /** Tells whether the rates of all servers are known: each has reported for a while. */
  boolean isComplete(Collection<ServerName> servers, long forMillis) {
    return servers.stream()
        .allMatch(
            server ->
                lastReports.getOrDefault(server, 0L) - firstReports.getOrDefault(server, 0L)
                    >= forMillis);
  }

  /** Regions take the place of others: each is expected to have an equal part of their load. */
  void replaced(List<RegionInfo> parents, List<RegionInfo> heirs) {
    RegionFigures sum = RegionFigures.NONE;
    boolean known = false;
    for (RegionInfo parent : parents) {
      Memory memory = regions.remove(key(parent));
      if (memory != null) {
        sum = sum.plus(memory.figures);
        known |= memory.hasRates;
      }
    }
    for (RegionInfo heir : heirs) {
      Memory memory = new Memory();
      memory.figures = sum.times(1.0 / heirs.size());
      memory.hasRates = known;
      regions.putIfAbsent(key(heir), memory);
    }
  }

  /** Forgets all servers and regions but these. */
  void retain(Collection<ServerName> servers, Collection<RegionInfo> present) {
    firstReports.keySet().retainAll(servers);
    lastReports.keySet().retainAll(servers);
    requestCost.retain(servers);
    if (regions.size() > present.size()) {
      Set<ByteString> names = new HashSet<>();
      present.forEach(region -> names.add(key(region)));
      regions.keySet().retainAll(names);
    }
  }

  private static ByteString key(RegionInfo region) {
    return UnsafeByteOperations.unsafeWrap(region.regionName());
  }
}
