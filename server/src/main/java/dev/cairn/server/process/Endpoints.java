package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ServerRole;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Where a process can be reached.
 *
 * @param servers host and port of the RPC of each server in the process, as clients are told
 * @param zooKeeper where ZooKeeper answers: {@code host:port}, or several of them
 * @param web the address of the web page, if there is one
 */
public record Endpoints(
    Map<ServerRole, ServerName> servers, String zooKeeper, Optional<InetSocketAddress> web) {
  /**
   * Returns host and port of the master's RPC.
   *
   * @throws NoSuchElementException if the process has no master
   */
  public ServerName master() {
    return server(ServerRole.MASTER);
  }

  /**
   * Returns host and port of the region server's RPC.
   *
   * @throws NoSuchElementException if the process has no region server
   */
  public ServerName regionServer() {
    return server(ServerRole.REGION_SERVER);
  }

  private ServerName server(ServerRole role) {
    return Optional.ofNullable(servers.get(role))
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "The process has no " + role.title().toLowerCase(Locale.ROOT)));
  }
}
