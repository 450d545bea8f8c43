package dev.cairn.launcher.inspect;

import dev.cairn.launcher.process.Addresses;
import dev.cairn.server.config.AdvertisedHost;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.HostNames;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.doctor.OtherHostsCheck.Listener;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * The hosts and ports that a server with the site's settings advertises to clients.
 *
 * @param lines the facts, for people
 * @param listeners the listeners and their addresses
 */
record ToldHosts(List<String> lines, List<Listener> listeners) {
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(1);

  /** Returns the hosts that a server at {@code addresses} advertises. */
  static ToldHosts of(SiteConfig config, Addresses addresses) {
    List<String> lines = new ArrayList<>();
    lines.add("ZooKeeper, for hbase.zookeeper.quorum: " + addresses.zooKeeper() + ".");
    lines.add("Master: " + addresses.master() + ".");
    lines.add("Region server: " + addresses.regionServer() + ".");
    addresses.web().ifPresent(url -> lines.add("Web page: " + url));
    return new ToldHosts(
        lines, listeners(config, host(addresses.master()), host(addresses.regionServer())));
  }

  /**
   * Returns the hosts that a server with the settings {@code config} would advertise.
   *
   * @throws ConfigException if the value of a key cannot be a host
   */
  static ToldHosts expected(SiteConfig config) {
    BindAddresses bound = BindAddresses.of(config);
    String master = advertised(config, ServerRole.MASTER, bound.master());
    String regionServer = advertised(config, ServerRole.REGION_SERVER, bound.regionServer());
    return new ToldHosts(
        List.of(
            "A server with these settings would tell clients the host "
                + master
                + (regionServer.equals(master) ? "." : " (master), " + regionServer + ".")),
        listeners(config, master, regionServer));
  }

  private static List<Listener> listeners(SiteConfig config, String master, String regionServer) {
    BindAddresses bound = BindAddresses.of(config);
    List<Listener> listeners = new ArrayList<>();
    if (!ProcessSettings.usesOtherZooKeeper(config)) {
      listeners.add(
          new Listener(
              "ZooKeeper", bound.zooKeeper(), "", "hbase.zookeeper.property.clientPortAddress"));
    }
    listeners.add(new Listener("master", bound.master(), master, "hbase.master.ipc.address"));
    listeners.add(
        new Listener(
            "region server", bound.regionServer(), regionServer, "hbase.regionserver.ipc.address"));
    return listeners;
  }

  private static String advertised(SiteConfig config, ServerRole role, String bound) {
    try {
      return new AdvertisedHost(HostNames.system(), ForkJoinPool.commonPool(), LOOKUP_PATIENCE)
          .find(config, role, InetAddress.getByName(bound));
    } catch (UnknownHostException e) {
      throw new ConfigException("The address " + bound + " to listen on is unknown here", e);
    }
  }

  /** Returns the host of {@code host:port}, without brackets. */
  private static String host(String address) {
    String host = address.substring(0, address.lastIndexOf(':'));
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
