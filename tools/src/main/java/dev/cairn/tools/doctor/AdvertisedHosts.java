package dev.cairn.tools.doctor;

import dev.cairn.server.config.AdvertisedHost;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.HostNames;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.doctor.OtherHostsCheck.Listener;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;

/**
 * The hosts and ports that a standalone server advertises to clients.
 *
 * @param lines the facts, for people
 * @param listeners the listeners and their addresses
 */
public record AdvertisedHosts(List<String> lines, List<Listener> listeners) {
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(1);

  /** The addresses that the server listens on, with its embedded ZooKeeper. */
  public record Bound(String master, String regionServer, String zooKeeper) {}

  /**
   * Returns the hosts of a server that serves.
   *
   * @param master host and RPC port of the master
   * @param regionServer host and RPC port of the region server
   * @param zooKeeper the quorum
   * @param web the URL of the web page, if there is one
   */
  public static AdvertisedHosts ofServer(
      Bound bound, String master, String regionServer, String zooKeeper, Optional<String> web) {
    List<String> lines = new ArrayList<>();
    lines.add("ZooKeeper, for hbase.zookeeper.quorum: " + zooKeeper + ".");
    lines.add("Master: " + master + ".");
    lines.add("Region server: " + regionServer + ".");
    web.ifPresent(url -> lines.add("Web page: " + url));
    return new AdvertisedHosts(lines, listeners(bound, host(master), host(regionServer)));
  }

  /**
   * Returns the hosts that a server with the settings {@code config} would advertise.
   *
   * @throws ConfigException if the value of a key cannot be a host
   */
  public static AdvertisedHosts expected(Bound bound, SiteConfig config) {
    String master = advertised(config, ServerRole.MASTER, bound.master);
    String regionServer = advertised(config, ServerRole.REGION_SERVER, bound.regionServer);
    return new AdvertisedHosts(
        List.of(
            "A server with these settings would tell clients the host "
                + master
                + (regionServer.equals(master) ? "." : " (master), " + regionServer + ".")),
        listeners(bound, master, regionServer));
  }

  /** Adds a finding for each line. */
  public void report(Diagnosis diagnosis) {
    lines.forEach(line -> diagnosis.ok(Area.TOLD, line));
  }

  private static List<Listener> listeners(Bound bound, String master, String regionServer) {
    return List.of(
        new Listener(
            "ZooKeeper", bound.zooKeeper, "", "hbase.zookeeper.property.clientPortAddress"),
        new Listener("master", bound.master, master, "hbase.master.ipc.address"),
        new Listener(
            "region server", bound.regionServer, regionServer, "hbase.regionserver.ipc.address"));
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
