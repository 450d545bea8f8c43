package dev.cairn.server.master.balancer;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.loadsplit.LoadTotals;
import dev.cairn.server.loadsplit.ProcessTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Estimates the processor time that a request takes beside the engine: in the network, for the log,
 * for garbage. Regions report the time in the engine alone, which is a tenth of all for a get of a
 * small row, so the load of a server in relation to its processors follows from both.
 *
 * <p>The estimate is one for the whole cluster: the processor time of all processes, less that of
 * idle ones and that in the engine, by all requests. One for each server would make a server look
 * loaded while it compiles code or compacts files, and its regions would be moved for that. Not
 * thread-safe.
 */
final class RequestCost {
  /** The time in which the estimate makes up 63 % of a change. */
  private static final double SMOOTHING_SECONDS = 20;

  /** The processor time of an idle server, nanoseconds per second. */
  private static final double IDLE_NANOS = 10e6;

  /** A larger estimate is due to something else than requests, such as a compaction. */
  private static final double NANOS_MAX = 200e3;

  private final Map<ServerName, Rates> servers = new HashMap<>();

  /** What a server has reported. */
  private static final class Rates {
    private long millis;
    private long processNanos;
    private Map<ByteString, LoadTotals> totals = Map.of();

    /** Beside the engine; nanoseconds per second. */
    private double nanos;

    private double requests;
  }

  /** Takes a server's report, which has not come before. */
  void report(ServerName server, ServerLoad load) {
    long processNanos = ProcessTime.read(load).orElse(0);
    if (processNanos == 0) {
      servers.remove(server);
      return;
    }
    Map<ByteString, LoadTotals> totals = new HashMap<>();
    for (RegionLoad region : load.getRegionLoadsList()) {
      totals.put(region.getRegionSpecifier().getValue(), LoadTotals.read(region));
    }
    Rates rates = servers.computeIfAbsent(server, name -> new Rates());
    double seconds = (load.getReportEndTime() - rates.millis) / 1000.0;
    if (rates.millis > 0 && seconds > 0 && processNanos >= rates.processNanos) {
      double part = 1 - Math.exp(-seconds / SMOOTHING_SECONDS);
      double engineNanos = 0;
      double requests = 0;
      for (Map.Entry<ByteString, LoadTotals> region : totals.entrySet()) {
        LoadTotals before = rates.totals.getOrDefault(region.getKey(), LoadTotals.NONE);
        engineNanos += Math.max(0, region.getValue().nanos() - before.nanos());
        requests += Math.max(0, region.getValue().requests() - before.requests());
      }
      double nanos = (processNanos - rates.processNanos - engineNanos) / seconds - IDLE_NANOS;
      rates.nanos += part * (nanos - rates.nanos);
      rates.requests += part * (requests / seconds - rates.requests);
    }
    rates.millis = load.getReportEndTime();
    rates.processNanos = processNanos;
    rates.totals = totals;
  }

  /** Returns the estimate, nanoseconds for each request; 0 if servers do not tell their time. */
  double nanos() {
    double nanos = 0;
    double requests = 0;
    for (Rates rates : servers.values()) {
      nanos += rates.nanos;
      requests += rates.requests;
    }
    return requests <= 0 ? 0 : Math.max(0, Math.min(NANOS_MAX, nanos / requests));
  }

  /** Forgets all servers but these. */
  void retain(Collection<ServerName> present) {
    servers.keySet().retainAll(present);
  }
}
