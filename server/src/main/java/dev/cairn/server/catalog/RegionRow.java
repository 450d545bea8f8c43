package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/**
 * What one row of {@code hbase:meta} says about a region.
 *
 * @param region the region
 * @param state what the master last wanted of it or knew about it
 * @param server the server to which {@code state} refers; empty if there was none yet
 * @param openSequence the sequence number with which it was last opened; -1 if it never was
 * @param mergeParents the regions that it was merged of, as long as it may need their files
 */
public record RegionRow(
    RegionInfo region,
    State state,
    Optional<ServerName> server,
    long openSequence,
    List<RegionInfo> mergeParents) {}
