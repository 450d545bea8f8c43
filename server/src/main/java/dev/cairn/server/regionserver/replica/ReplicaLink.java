package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The way to the servers of replicas. Thread-safe; calls wait for the network. */
public interface ReplicaLink {
  /** A replica that is open, or about to be opened or closed. */
  record Location(RegionInfo replica, ServerName server) {}

  /**
   * Returns the replicas of a region, as {@code hbase:meta} lists them. Those of {@code hbase:meta}
   * itself are in ZooKeeper.
   */
  List<Location> locate(RegionInfo region) throws IOException;

  /**
   * Tells whether the replicas of a region are known to have left the locations {@code located}.
   * May return false although they have. Does not block.
   */
  default boolean isOutdated(RegionInfo region, Supplier<List<Location>> located) {
    return false;
  }

  /**
   * Returns the server of a region that is no replica, from {@code hbase:meta}; empty if there is
   * none.
   */
  Optional<ServerName> locateRegion(RegionInfo region) throws IOException;

  /**
   * Sends messages to the replicas at a server.
   *
   * @return the length of the request, bytes
   * @throws IOException if the server has not accepted all of them
   */
  long send(ServerName server, List<ReplicaMessage> messages) throws IOException;

  /**
   * Tells a server that replicas of some of its regions have been opened. These replicas lack the
   * changes in the regions' memory.
   *
   * @throws IOException if the server has not accepted all of them
   */
  void greet(ServerName server, List<RegionInfo> replicas) throws IOException;

  /**
   * Asks a server to flush the regions of some replicas, because the replicas hold much memory.
   *
   * @throws IOException if the server has not accepted all of them
   */
  void askForFlushes(ServerName server, List<RegionInfo> replicas) throws IOException;
}
