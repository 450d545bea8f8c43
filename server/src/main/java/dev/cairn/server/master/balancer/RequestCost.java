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
 * Estimates the processor time that a request takes outside the engine: for the network, the log
 * and garbage collection. Regions report the time in the engine alone, a tenth of the total for a
 * get of a small row. Both together are the load of a server.
 *
 * <p>There is one estimate for the whole cluster: the processor time of all processes, minus that
 * of idle processes and that in the engine, divided by the number of requests. With an estimate for
 * each server, a server would count as loaded while it compiles code or compacts files, and would
 * lose regions.
 *
 * <p>Not thread-safe.
 */
final class RequestCost {
  /** The time in which the estimate follows 63 % of a change. */
  private static final double SMOOTHING_SECONDS = 20;

  /** The processor time of an idle server, nanoseconds per second. */
  private static final double IDLE_NANOS = 10e6;

  /** The maximum estimate: larger values have other causes than requests, such as a compaction. */
  private static final double NANOS_MAX = 200e3;

  private final Map<ServerName, Rates> servers = new HashMap<>();

  /** The last report of a server, and its smoothed rates. */
  private static final class Rates {
    private long millis;
    private long processNanos;
    private Map<ByteString, LoadTotals> totals = Map.of();

    /** The time outside the engine, nanoseconds per second. */
    private double nanos;

    private double requests;
  }

  /** Takes a new report of a server. */
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

  /** Returns the estimate, nanoseconds per request; 0 if servers do not report their time. */
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
