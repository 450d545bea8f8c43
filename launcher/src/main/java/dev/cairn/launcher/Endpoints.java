package dev.cairn.launcher;

import java.util.Objects;

/**
 * Where a server can be reached.
 *
 * @param master host and port of the master's RPC, as clients are told
 * @param regionServer host and port of the region server's RPC, as clients are told
 * @param zooKeeper host and port of ZooKeeper
 * @param web address of the web page, a URL
 */
public record Endpoints(String master, String regionServer, String zooKeeper, String web) {
  /** Checks that nothing is missing. */
  public Endpoints {
    Objects.requireNonNull(master);
    Objects.requireNonNull(regionServer);
    Objects.requireNonNull(zooKeeper);
    Objects.requireNonNull(web);
  }
}
