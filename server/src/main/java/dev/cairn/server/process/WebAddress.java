package dev.cairn.server.process;

import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.http.StatusServer;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.ProcessKeys;
import java.net.InetSocketAddress;

/**
 * The address at which the web pages of a server listen.
 *
 * @param host the address to bind
 * @param port 0 for any free one, negative for none
 * @param keys the keys of both
 */
record WebAddress(String host, int port, StatusServer.Keys keys) {
  /** Returns the address that the settings give to a server. */
  static WebAddress of(SiteConfig config, ServerRole role) {
    BindAddresses bound = BindAddresses.of(config);
    return switch (role) {
      case MASTER ->
          new WebAddress(
              bound.web(),
              config.get(ProcessKeys.INFO_PORT),
              new StatusServer.Keys(ProcessKeys.INFO_PORT.name(), BindAddresses.WEB.name()));
      case REGION_SERVER ->
          new WebAddress(
              bound.regionServerWeb(),
              config.get(ProcessKeys.REGION_SERVER_INFO_PORT),
              new StatusServer.Keys(
                  ProcessKeys.REGION_SERVER_INFO_PORT.name(),
                  BindAddresses.REGION_SERVER_WEB.name()));
    };
  }

  /** Tells whether the pages are switched on. */
  boolean isOn() {
    return port >= 0;
  }

  /** Returns the socket address. */
  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }
}
