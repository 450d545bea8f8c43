package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.remote.OnlineServers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;

/** The live servers with the regions that they have now. Owned by the loop. */
record HostingServers(OnlineServers servers, RegionStates nodes) implements KnownServers {
  @Override
  public List<ServerName> ready() {
    return servers.ready();
  }

  @Override
  public boolean isReady(ServerName server) {
    return servers.isReady(server);
  }

  @Override
  public int regionCount(ServerName server) {
    return nodes.hostedBy(server);
  }

  @Override
  public Stream<RegionInfo> regions(ServerName server, TableName table) {
    return nodes.of(table).stream()
        .flatMap(RegionStateNode::copies)
        .filter(node -> node.isHosted() && node.isAt(server))
        .map(node -> node.region);
  }

  @Override
  public Stream<ServerName> othersOf(RegionInfo region) {
    RegionInfo primary = region.replicaId() == 0 ? region : region.replica(0);
    return nodes
        .find(primary.encodedName())
        .map(RegionStateNode::copies)
        .orElse(Stream.empty())
        .filter(node -> node.region.replicaId() != region.replicaId() && node.isHosted())
        .flatMap(node -> node.server.stream());
  }

  @Override
  public long replayedSequence(ServerName server, RegionInfo replica) {
    return servers
        .load(server, replica.regionName())
        .map(RegionLoad::getCompleteSequenceId)
        .orElse(0L);
  }

  @Override
  public Optional<ServerLoad> load(ServerName server) {
    return servers.load(server);
  }

  @Override
  public OptionalDouble locality(ServerName server, RegionInfo region) {
    return servers
        .load(server, region.regionName())
        .filter(load -> load.getBlocksTotalWeight() > 0)
        .map(load -> OptionalDouble.of(load.getDataLocality()))
        .orElse(OptionalDouble.empty());
  }
}
