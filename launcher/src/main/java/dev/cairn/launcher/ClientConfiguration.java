package dev.cairn.launcher;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** Makes the configuration that Apache's client takes. */
public final class ClientConfiguration {
  private static final String REGISTRY = "hbase.client.registry.impl";

  private ClientConfiguration() {}

  /** Returns the client's defaults, changed by {@code texts} as in {@code hbase-site.xml}. */
  public static Configuration of(Map<String, String> texts) {
    Configuration configuration = HBaseConfiguration.create();
    texts.forEach(configuration::set);
    return configuration;
  }

  /** Returns the same for one server that is known to serve at {@code addresses}. */
  public static Configuration of(Map<String, String> texts, Addresses addresses) {
    Configuration configuration = of(texts);
    // The client takes ports in the list of hosts, and the other key for hosts without one.
    String zooKeeper = addresses.zooKeeper();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, zooKeeper);
    configuration.set(
        HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.substring(zooKeeper.lastIndexOf(':') + 1));
    if (!texts.containsKey(REGISTRY)) {
      // The master tells what ZooKeeper would, and a client without ZooKeeper starts sooner.
      configuration.set(REGISTRY, "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
      configuration.set("hbase.client.bootstrap.servers", addresses.master());
    }
    return configuration;
  }
}
