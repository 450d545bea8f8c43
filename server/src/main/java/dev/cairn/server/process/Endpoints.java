package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ServerRole;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The addresses of a process.
 *
 * @param servers host and RPC port of each server in the process, as advertised to clients
 * @param zooKeeper address of ZooKeeper: {@code host:port}, or several of them
 * @param webs the addresses of the web pages, by the server whose settings name the port; all show
 *     the pages of all servers of the process
 */
public record Endpoints(
    Map<ServerRole, ServerName> servers,
    String zooKeeper,
    Map<ServerRole, InetSocketAddress> webs) {
  /** Returns the address of the web pages, preferably the master's; empty if they are off. */
  public Optional<InetSocketAddress> web() {
    return Stream.of(ServerRole.values())
        .flatMap(role -> Stream.ofNullable(webs.get(role)))
        .findFirst();
  }

  /**
   * Returns the address of the pages of a server: at its own port or, if that is off, at another
   * one.
   */
  public Optional<InetSocketAddress> web(ServerRole role) {
    return Optional.ofNullable(webs.get(role)).or(this::web);
  }

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
