package dev.cairn.server.process.keys;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.HostKeys;
import dev.cairn.server.config.SiteConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The addresses on which a process listens.
 *
 * <p>HBase's own key for a listener comes first, then {@code cairn.bind.address}. If neither is
 * set, a process listens on the loopback address alone, because there is no access control. If the
 * site sets a bind address other than the loopback, sets the host name that clients connect to, or
 * is distributed, the process listens on all addresses, as HBase does.
 *
 * @param master the address of the master's RPC server
 * @param regionServer the address of the region server's RPC server
 * @param web the address of the web page of a master, or of a process with all servers
 * @param regionServerWeb the address of the web page of a region server in a process of its own
 * @param zooKeeper the address of the embedded ZooKeeper, if the process runs one
 */
public record BindAddresses(
    String master, String regionServer, String web, String regionServerWeb, String zooKeeper) {
  /** {@code cairn.bind.address}. */
  public static final ConfigKey<String> ALL =
      ConfigKey.text(
          "cairn.bind.address",
          "",
          "Bind address of all listeners without a bind address key of their own; 0.0.0.0"
              + " means all addresses. There is no access control. Default: 127.0.0.1, this"
              + " machine only. If the site sets hbase.cluster.distributed, or a bind address"
              + " or host name other than the loopback's, the default is 0.0.0.0.");

  public static final ConfigKey<String> MASTER =
      ConfigKey.text(
          "hbase.master.ipc.address",
          "",
          "Bind address of the master. Default: see cairn.bind.address.");

  public static final ConfigKey<String> REGION_SERVER =
      ConfigKey.text(
          "hbase.regionserver.ipc.address",
          "",
          "Bind address of the region server. Default: see cairn.bind.address.");

  public static final ConfigKey<String> WEB =
      ConfigKey.text(
          "hbase.master.info.bindAddress",
          "",
          "Bind address of the master's web page. Default: see cairn.bind.address.");

  static final ConfigKey<String> ZOOKEEPER =
      ConfigKey.text(
          "hbase.zookeeper.property.clientPortAddress",
          "",
          "Bind address of the embedded ZooKeeper. Default: see cairn.bind.address.");

  private static final String EVERYWHERE = "0.0.0.0";
  private static final String LOOPBACK = "127.0.0.1";

  public static final ConfigKey<String> REGION_SERVER_WEB =
      ConfigKey.text(
          "hbase.regionserver.info.bindAddress",
          "",
          "Bind address of a region server's web page. Default: see cairn.bind.address.");

  /** Returns the addresses for {@code config}. */
  public static BindAddresses of(SiteConfig config) {
    String others = forOthers(config);
    return new BindAddresses(
        address(config, MASTER, others),
        address(config, REGION_SERVER, others),
        address(config, WEB, others),
        address(config, REGION_SERVER_WEB, others),
        address(config, ZOOKEEPER, others));
  }

  /** Returns the address of listeners that have no key of their own. */
  public static String forOthers(SiteConfig config) {
    String all = textOf(config, ALL.name());
    if (!all.isEmpty()) {
      return all;
    }
    return isForRemoteClients(config) ? EVERYWHERE : LOOPBACK;
  }

  /** Tells whether only this machine can reach {@code address}. Resolves names. */
  public static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Tells whether {@code host} is a name or an address of the loopback interface. */
  private static boolean isOwnMachine(String host) {
    String plain = host.toLowerCase(Locale.ROOT);
    boolean isAddress = plain.contains(":") || plain.matches("[0-9.]+");
    return plain.equals("localhost") || isAddress && isLoopback(plain);
  }

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> keys() {
    return List.of(ALL, MASTER, REGION_SERVER, WEB, REGION_SERVER_WEB, ZOOKEEPER);
  }

  private static boolean isForRemoteClients(SiteConfig config) {
    boolean named =
        HostKeys.all().stream()
            .map(key -> textOf(config, key.name()))
            .anyMatch(host -> !host.isEmpty() && !isOwnMachine(host));
    boolean bound =
        Stream.of(
                MASTER.name(),
                REGION_SERVER.name(),
                WEB.name(),
                ZOOKEEPER.name(),
                REGION_SERVER_WEB.name())
            .map(key -> textOf(config, key))
            .anyMatch(address -> !address.isEmpty() && !isLoopback(address));
    return named || bound || config.get(ProcessKeys.DISTRIBUTED);
  }

  private static String address(SiteConfig config, ConfigKey<String> key, String otherwise) {
    String own = textOf(config, key.name());
    return own.isEmpty() ? otherwise : own;
  }

  private static String textOf(SiteConfig config, String key) {
    return config.texts().getOrDefault(key, "").strip();
  }
}
