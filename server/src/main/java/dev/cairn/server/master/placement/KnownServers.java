package dev.cairn.server.master.placement;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;

/** The servers that may get regions, and what the master knows of them. Owned by the loop. */
public interface KnownServers {
  /** Returns the servers that may get regions, ordered by name. */
  List<ServerName> ready();

  /** Tells whether a server may get regions. */
  boolean isReady(ServerName server);

  /** Returns how many regions and replicas a server serves, opens or closes. */
  int regionCount(ServerName server);

  /**
   * Returns the regions and replicas of a table that a server serves, opens or closes; looks at all
   * of them.
   */
  Stream<RegionInfo> regions(ServerName server, TableName table);

  /**
   * Returns the servers of the region's other copies: of its replicas and, for a replica, of the
   * region itself. Includes servers that are about to open or close one.
   */
  Stream<ServerName> othersOf(RegionInfo region);

  /**
   * Returns the sequence number up to which a replica has its region's changes, as its server
   * reported last; 0 if there is no report.
   */
  long replayedSequence(ServerName server, RegionInfo replica);

  /** Returns a server's last report; empty if it is not alive. */
  Optional<ServerLoad> load(ServerName server);

  /**
   * Returns the share of a region's files, 0 to 1, that is stored on a server's machine; empty if
   * no report tells it. Servers report it for the regions that they serve.
   */
  OptionalDouble locality(ServerName server, RegionInfo region);
}
