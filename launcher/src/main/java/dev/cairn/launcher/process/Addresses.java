package dev.cairn.launcher.process;

import java.util.Objects;
import java.util.Optional;

/**
 * The addresses of a server, as shown to people and written into its status.
 *
 * @param master host and RPC port of the master, as advertised to clients
 * @param regionServer host and RPC port of the region server, as advertised to clients
 * @param zooKeeper host and port of ZooKeeper, or several of them with commas between
 * @param web the URL of the web page, if there is one
 * @param regionServerWeb the URL of the same page at the region server's own port, if it has one
 * @param health the URL of the server's health report as JSON, from this machine; empty without a
 *     web page
 */
public record Addresses(
    String master,
    String regionServer,
    String zooKeeper,
    Optional<String> web,
    Optional<String> regionServerWeb,
    Optional<String> health) {
  /** Checks that nothing is missing. */
  public Addresses {
    Objects.requireNonNull(master);
    Objects.requireNonNull(regionServer);
    Objects.requireNonNull(zooKeeper);
    Objects.requireNonNull(web);
    Objects.requireNonNull(regionServerWeb);
    Objects.requireNonNull(health);
  }
}
