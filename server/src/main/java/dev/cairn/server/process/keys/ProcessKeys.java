package dev.cairn.server.process.keys;

import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.group.GroupSettings;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

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

  static final ConfigKey<Boolean> COPROCESSORS =
      ConfigKey.flag(
          "hbase.coprocessor.enabled",
          true,
          "Whether coprocessors run. Cairn cannot run them: while this and"
              + " hbase.coprocessor.user.enabled are true, it refuses calls of tables that name"
              + " coprocessors with hooks.");

  static final ConfigKey<Boolean> USER_COPROCESSORS =
      ConfigKey.flag(
          "hbase.coprocessor.user.enabled",
          true,
          "Whether the coprocessors that tables name run. If false, such tables are served"
              + " without them.");

  private static final ConfigKey<String> REGION_COPROCESSORS =
      ConfigKey.text(
          "hbase.coprocessor.region.classes",
          "",
          "Coprocessors of every region: class names, separated by commas. Only classes that"
              + " do not change reads and writes are accepted. Of their endpoints, only"
              + " MultiRowMutationEndpoint is served, whether named or not.");

  private static final ConfigKey<String> USER_REGION_COPROCESSORS =
      ConfigKey.text(
          "hbase.coprocessor.user.region.classes",
          "",
          "Coprocessors of the regions of user tables, with the rules of"
              + " hbase.coprocessor.region.classes.");

  private static final ConfigKey<String> MASTER_COPROCESSORS =
      ConfigKey.text(
          "hbase.coprocessor.master.classes",
          "",
          "Coprocessors of the master. MasterQuotasObserver and RSGroupAdminEndpoint are"
              + " accepted; Cairn has their functions built in. The second turns groups of region"
              + " servers on.");

  private static final ConfigKey<String> SERVER_COPROCESSORS =
      ConfigKey.text(
          "hbase.coprocessor.regionserver.classes",
          "",
          "Coprocessors of the region server; none is accepted.");

  private static final ConfigKey<String> WAL_COPROCESSORS =
      ConfigKey.text(
          "hbase.coprocessor.wal.classes", "", "Coprocessors of the log; none is accepted.");

  private static final String QUOTAS_OBSERVER =
      "org.apache.hadoop.hbase.quotas.MasterQuotasObserver";

  private ProcessKeys() {}

  /**
   * Checks that no coprocessor is configured whose absence would change answers.
   *
   * @throws ConfigException naming the key and the class
   */
  static void checkCoprocessors(SiteConfig config) {
    if (!config.get(COPROCESSORS)) {
      return;
    }
    check(config, REGION_COPROCESSORS, TableSupport::isWithoutHooks);
    if (config.get(USER_COPROCESSORS)) {
      check(config, USER_REGION_COPROCESSORS, TableSupport::isWithoutHooks);
    }
    check(
        config,
        MASTER_COPROCESSORS,
        name -> name.equals(QUOTAS_OBSERVER) || name.equals(GroupSettings.ENDPOINT));
    check(config, SERVER_COPROCESSORS, TableSupport::isWithoutHooks);
    check(config, WAL_COPROCESSORS, className -> false);
  }

  private static void check(
      SiteConfig config, ConfigKey<String> key, Predicate<String> isHarmless) {
    for (String part : config.get(key).split(",")) {
      // A class may be followed by a priority and a path.
      String className = part.split("\\|")[0].trim();
      boolean judged = className.isEmpty() || SecurityRules.guardsAccess(className);
      if (!judged && !isHarmless.test(className)) {
        throw new ConfigException(
            key.name()
                + " names "
                + className
                + ", which Cairn does not run; remove it, or set hbase.coprocessor.enabled to"
                + " false");
      }
    }
  }

  /** Tells whether the site turns groups of region servers on. */
  public static boolean hasGroups(SiteConfig config) {
    return config.get(COPROCESSORS)
        && Arrays.stream(config.get(MASTER_COPROCESSORS).split(","))
            .map(part -> part.split("\\|")[0].trim())
            .anyMatch(GroupSettings.ENDPOINT::equals);
  }

  /** Tells whether the coprocessors that tables name run. */
  public static boolean runsCoprocessors(SiteConfig config) {
    return config.get(COPROCESSORS) && config.get(USER_COPROCESSORS);
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
        START_MILLIS,
        COPROCESSORS,
        USER_COPROCESSORS,
        REGION_COPROCESSORS,
        USER_REGION_COPROCESSORS,
        MASTER_COPROCESSORS,
        SERVER_COPROCESSORS,
        WAL_COPROCESSORS);
  }
}
