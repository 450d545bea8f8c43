package dev.cairn.server.master.normalizer;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Computes the requests per second of regions between two runs of the normalizer. One thread. */
final class RequestRates {
  private record Count(long requests, long millis) {}

  /** By the name of the region. */
  private final Map<ByteString, Count> last = new HashMap<>();

  /**
   * Returns the requests per second since the last call for the region; 0 at the first call, and if
   * the region was reopened since.
   *
   * @param nowMillis the time, milliseconds
   */
  double next(RegionLoad load, long nowMillis) {
    Count now = new Count(load.getReadRequestsCount() + load.getWriteRequestsCount(), nowMillis);
    Count before = last.put(load.getRegionSpecifier().getValue(), now);
    if (before == null || before.requests() > now.requests() || before.millis() >= nowMillis) {
      return 0;
    }
    return (now.requests() - before.requests()) * 1000.0 / (nowMillis - before.millis());
  }

  /** Forgets all regions but these. */
  void retain(Set<ByteString> regions) {
    last.keySet().retainAll(regions);
  }
}
