package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.replica.ReplicaLink;
import dev.cairn.server.regionserver.replica.ReplicaMessage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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
  public boolean isOutdated(RegionInfo region, Supplier<List<Location>> located) {
    return link.isOutdated(region, located);
  }

  @Override
  public Optional<ServerName> locateRegion(RegionInfo region) throws IOException {
    return link.locateRegion(region);
  }

  @Override
  public long send(ServerName server, List<ReplicaMessage> messages) {
    try {
      return link.send(server, messages);
    } catch (IOException e) {
      return 0; // The next change of the region's files is told again.
    }
  }

  @Override
  public void greet(ServerName server, List<RegionInfo> replicas) throws IOException {
    link.greet(server, replicas);
  }

  @Override
  public void askForFlushes(ServerName server, List<RegionInfo> replicas) throws IOException {
    link.askForFlushes(server, replicas);
  }
}
