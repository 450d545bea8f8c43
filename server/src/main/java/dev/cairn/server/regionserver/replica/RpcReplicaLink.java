package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.RegionLookup;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Reaches the servers of replicas and of regions with {@code AdminService.Replay}. */
public final class RpcReplicaLink implements ReplicaLink {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RpcCaller client;
  private final Supplier<ClusterState> cluster;
  private final RegionLookup lookup;

  /**
   * Creates it.
   *
   * @param cluster returns the newest known state of the cluster
   */
  public RpcReplicaLink(RpcCaller client, Supplier<ClusterState> cluster) {
    this.client = client;
    this.cluster = cluster;
    this.lookup = new RegionLookup(() -> cluster.get().metaLocation(), this::callClientService);
  }

  private <R extends Message> R callClientService(
      ServerName server, String method, Message request, R responsePrototype) throws IOException {
    return client.call(
        server.address(), "ClientService", method, request, responsePrototype, TIMEOUT);
  }

  @Override
  public List<Location> locate(RegionInfo region) throws IOException {
    if (region.isMeta()) {
      return ofMeta();
    }
    List<Location> locations = new ArrayList<>();
    for (RegionRow.Replica replica :
        lookup.find(region).map(RegionRow::replicas).orElse(List.of())) {
      if (replica.server().isPresent()
          && (replica.state() == State.OPEN || replica.state() == State.OPENING)) {
        locations.add(new Location(region.replica(replica.id()), replica.server().get()));
      }
    }
    return locations;
  }

  private List<Location> ofMeta() {
    return cluster.get().metaReplicas().entrySet().stream()
        .map(entry -> new Location(RegionInfo.META.replica(entry.getKey()), entry.getValue()))
        .toList();
  }

  @Override
  public boolean isOutdated(RegionInfo region, Supplier<List<Location>> located) {
    return region.isMeta() && !located.get().equals(ofMeta());
  }

  @Override
  public Optional<ServerName> locateRegion(RegionInfo region) throws IOException {
    if (region.isMeta()) {
      return cluster.get().metaLocation();
    }
    return lookup.find(region).flatMap(RegionRow::server);
  }

  @Override
  public long send(ServerName server, List<ReplicaMessage> messages) throws IOException {
    ReplicateWALEntryRequest request = ReplayRequests.messages(messages);
    replay(server, request);
    return request.getSerializedSize();
  }

  @Override
  public void greet(ServerName server, List<RegionInfo> replicas) throws IOException {
    replay(server, ReplayRequests.greetings(replicas));
  }

  @Override
  public void askForFlushes(ServerName server, List<RegionInfo> replicas) throws IOException {
    replay(server, ReplayRequests.flushes(replicas));
  }

  private void replay(ServerName server, ReplicateWALEntryRequest request) throws IOException {
    client.call(
        server.address(),
        "AdminService",
        "Replay",
        request,
        ReplicateWALEntryResponse.getDefaultInstance(),
        TIMEOUT);
  }
}
