package dev.cairn.launcher.client;

import dev.cairn.launcher.process.Addresses;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** Makes the configuration that Apache's client takes. */
public final class ClientConfiguration {
  private static final String REGISTRY = "hbase.client.registry.impl";
  static final String BOOTSTRAP = "hbase.client.bootstrap.servers";

  /** The port after the last host; it applies to all hosts without a port. */
  private static final Pattern PORT = Pattern.compile(":([0-9]+)$");

  private ClientConfiguration() {}

  /** Returns the client's defaults, changed by {@code texts} as in {@code hbase-site.xml}. */
  public static Configuration of(Map<String, String> texts) {
    Configuration configuration = HBaseConfiguration.addHbaseResources(new Configuration());
    texts.forEach(configuration::set);
    return configuration;
  }

  /** Returns the same for one server that is known to serve at {@code addresses}. */
  public static Configuration of(Map<String, String> texts, Addresses addresses) {
    return toward(addresses, of(texts), texts);
  }

  /** Changes a configuration of {@code texts} to name one server, and returns it. */
  static Configuration toward(
      Addresses addresses, Configuration configuration, Map<String, String> texts) {
    // The client takes ports in the list of hosts, and the other key for hosts without one.
    String zooKeeper = addresses.zooKeeper();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, zooKeeper);
    configuration.set(
        HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.substring(zooKeeper.lastIndexOf(':') + 1));
    if (!texts.containsKey(REGISTRY)) {
      // The master has the same information as ZooKeeper, and a client without ZooKeeper starts
      // sooner.
      configuration.set(REGISTRY, "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
      configuration.set(BOOTSTRAP, addresses.master());
    }
    return configuration;
  }

  /**
   * Returns the configuration of another cluster's client.
   *
   * @param texts as in {@code hbase-site.xml}; settings that locate a cluster are ignored
   * @param settings replace {@code texts}
   * @param cluster {@code HOST,HOST}, {@code HOST:PORT}, {@code HOST,HOST:PORT:/ZNODE}
   */
  static Configuration ofCluster(
      Map<String, String> texts, Map<String, String> settings, String cluster) {
    Configuration configuration = of(texts);
    configuration.unset(REGISTRY);
    configuration.unset(BOOTSTRAP);
    settings.forEach(configuration::set);
    String quorum = cluster;
    int znode = quorum.indexOf(":/");
    if (znode >= 0) {
      configuration.set(HConstants.ZOOKEEPER_ZNODE_PARENT, quorum.substring(znode + 1));
      quorum = quorum.substring(0, znode);
    }
    Matcher port = PORT.matcher(quorum);
    if (port.find()) {
      configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, port.group(1));
    }
    configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum);
    return configuration;
  }
}
