package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.replica.ReplicaLink;
import java.io.IOException;
import java.util.List;

/** Hides failures, so that no notice to a replica's server is repeated. */
record OnceToldReplicas(ReplicaLink link) implements ReplicaLink {
  @Override
  public List<Location> locate(RegionInfo region) {
    try {
      return link.locate(region);
    } catch (IOException e) {
      return List.of();
    }
  }

  @Override
  public void refresh(ServerName server, List<RegionInfo> replicas) {
    try {
      link.refresh(server, replicas);
    } catch (IOException e) {
      // The next change of the region's files is told again.
    }
  }
}
