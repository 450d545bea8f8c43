package dev.cairn.server.master.group;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.KnownServers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;

/** The servers with the numbers of regions that they will have after planned moves. */
final class CountedServers implements KnownServers {
  private final KnownServers now;
  private final Map<ServerName, Integer> coming = new HashMap<>();

  CountedServers(KnownServers now) {
    this.now = now;
  }

  /** Counts a region that is to move. */
  void move(Optional<ServerName> from, ServerName to) {
    from.ifPresent(server -> coming.merge(server, -1, Integer::sum));
    coming.merge(to, 1, Integer::sum);
  }

  @Override
  public List<ServerName> ready() {
    return now.ready();
  }

  @Override
  public boolean isReady(ServerName server) {
    return now.isReady(server);
  }

  @Override
  public int regionCount(ServerName server) {
    return now.regionCount(server) + coming.getOrDefault(server, 0);
  }

  @Override
  public Stream<RegionInfo> regions(ServerName server, TableName table) {
    return now.regions(server, table);
  }

  @Override
  public Stream<ServerName> othersOf(RegionInfo region) {
    return now.othersOf(region);
  }

  @Override
  public long replayedSequence(ServerName server, RegionInfo replica) {
    return now.replayedSequence(server, replica);
  }

  @Override
  public Optional<ServerLoad> load(ServerName server) {
    return now.load(server);
  }

  @Override
  public OptionalDouble locality(ServerName server, RegionInfo region) {
    return now.locality(server, region);
  }
}
