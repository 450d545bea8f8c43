package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/**
 * One region's row in {@code hbase:meta}.
 *
 * @param region the region
 * @param state the state that the master last wanted or knew
 * @param server the server of {@code state}; empty if there was none yet
 * @param openSequence the sequence number of its last opening; -1 if it was never opened
 * @param mergeParents the regions from which it was merged, while it may need their files
 * @param replicas the replicas that the row has columns of, by ascending number
 */
public record RegionRow(
    RegionInfo region,
    State state,
    Optional<ServerName> server,
    long openSequence,
    List<RegionInfo> mergeParents,
    List<Replica> replicas) {
  /**
   * A replica of the region.
   *
   * @param id its number, from 1
   * @param state the state that the master last wanted or knew
   * @param server the server of {@code state}; empty if there was none yet
   * @param openSequence the sequence number of its last opening; -1 if it was never opened
   */
  public record Replica(int id, State state, Optional<ServerName> server, long openSequence) {}
}
