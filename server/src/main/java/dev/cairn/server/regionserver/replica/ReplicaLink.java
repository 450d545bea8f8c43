package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;

/** The way to the servers of replicas. Thread-safe; calls wait for the network. */
public interface ReplicaLink {
  /** A replica that is open, or about to be opened or closed. */
  record Location(RegionInfo replica, ServerName server) {}

  /** Returns the replicas of a region, as {@code hbase:meta} has them. */
  List<Location> locate(RegionInfo region) throws IOException;

  /**
   * Has a server take over the present store files of the regions of its replicas.
   *
   * @throws IOException if the server has not done so for all of them
   */
  void refresh(ServerName server, List<RegionInfo> replicas) throws IOException;
}
