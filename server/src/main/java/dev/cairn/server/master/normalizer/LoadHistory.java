package dev.cairn.server.master.normalizer;

import dev.cairn.server.loadsplit.LoadTotals;
import dev.cairn.server.loadsplit.RegionRates;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Computes the load of regions per second between two runs of the normalizer. Not thread-safe. */
final class LoadHistory {
  private record Look(long requests, LoadTotals totals, long millis) {}

  /** By the name of the region. */
  private final Map<ByteString, Look> last = new HashMap<>();

  /**
   * Returns the load per second since the last call for the region; empty at the first call, and if
   * the region was reopened since.
   *
   * @param nowMillis the time, milliseconds
   */
  Optional<RegionRates> next(RegionLoad load, long nowMillis) {
    Look now =
        new Look(
            load.getReadRequestsCount() + load.getWriteRequestsCount(),
            LoadTotals.read(load),
            nowMillis);
    Look before = last.put(load.getRegionSpecifier().getValue(), now);
    if (before == null
        || before.millis() >= nowMillis
        || before.requests() > now.requests()
        || before.totals().nanos() > now.totals().nanos()) {
      return Optional.empty();
    }
    double seconds = (nowMillis - before.millis()) / 1000.0;
    return Optional.of(
        new RegionRates(
            (now.requests() - before.requests()) / seconds,
            (now.totals().bytes() - before.totals().bytes()) / seconds,
            (now.totals().nanos() - before.totals().nanos()) / seconds));
  }

  /** Forgets all regions but these. */
  void retain(Set<ByteString> regions) {
    last.keySet().retainAll(regions);
  }
}
