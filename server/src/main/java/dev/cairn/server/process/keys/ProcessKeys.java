package dev.cairn.server.process.keys;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.master.group.GroupSettings;
import java.util.List;

/** The keys for a process's addresses and identity. */
public final class ProcessKeys {
  public static final ConfigKey<Integer> MASTER_PORT =
      ConfigKey.port("hbase.master.port", 16000, "RPC port of the master.");

  public static final ConfigKey<Integer> REGION_SERVER_PORT =
      ConfigKey.port("hbase.regionserver.port", 16020, "RPC port of the region server.");

  public static final ConfigKey<Integer> INFO_PORT =
      ConfigKey.optionalPort("hbase.master.info.port", 16010, "Port of the master's web page.");

  public static final ConfigKey<Integer> REGION_SERVER_INFO_PORT =
      ConfigKey.optionalPort(
          "hbase.regionserver.info.port",
          16030,
          "Port of a region server's web page. A standalone server has the same pages at both"
              + " ports.");

  public static final ConfigKey<Boolean> DISTRIBUTED =
      ConfigKey.flag(
          "hbase.cluster.distributed",
          false,
          "Whether master, region server and ZooKeeper are separate processes, which find each"
              + " other through hbase.zookeeper.quorum. If false, one process runs all three.");

  public static final ConfigKey<String> QUORUM =
      ConfigKey.text(
          "hbase.zookeeper.quorum", "127.0.0.1", "Hosts of ZooKeeper, separated by commas.");

  public static final ConfigKey<Integer> ZOOKEEPER_PORT =
      ConfigKey.port("hbase.zookeeper.property.clientPort", 2181, "Client port of ZooKeeper.");

  public static final ConfigKey<Long> ZOOKEEPER_CLIENTS =
      ConfigKey.number(
          "hbase.zookeeper.property.maxClientCnxns",
          300,
          0,
          Integer.MAX_VALUE,
          "Maximum connections from one address to the embedded ZooKeeper; 0 means no limit.");

  public static final ConfigKey<String> ZNODE_PARENT =
      new ConfigKey<>(
          "zookeeper.znode.parent",
          "/hbase",
          "a path that begins with a slash and does not end with one",
          "Parent of all znodes.",
          text -> text,
          path -> path.matches("(/[^/\\s]+)+"));

  public static final ConfigKey<Long> SESSION_MILLIS =
      ConfigKey.number(
          "zookeeper.session.timeout",
          90_000,
          1_000,
          Integer.MAX_VALUE,
          "Session timeout of servers, in milliseconds; a server that is silent for longer is"
              + " considered dead.");

  public static final ConfigKey<Long> START_MILLIS =
      ConfigKey.number(
          "cairn.start.timeout",
          300_000,
          1_000,
          Integer.MAX_VALUE,
          "Maximum duration of a start, with the recovery of logs, in milliseconds; after it,"
              + " the start fails.");

  private ProcessKeys() {}

  /** Tells whether the site turns groups of region servers on. */
  public static boolean hasGroups(SiteConfig config) {
    return config.get(HookKeys.ENABLED)
        && HookKeys.classes(config, HookKeys.MASTER).stream()
            .anyMatch(one -> one.className().equals(GroupSettings.ENDPOINT));
  }

  static List<ConfigKey<?>> all() {
    return List.of(
        MASTER_PORT,
        REGION_SERVER_PORT,
        INFO_PORT,
        REGION_SERVER_INFO_PORT,
        DISTRIBUTED,
        QUORUM,
        ZOOKEEPER_PORT,
        ZOOKEEPER_CLIENTS,
        ZNODE_PARENT,
        SESSION_MILLIS,
        START_MILLIS);
  }
}
