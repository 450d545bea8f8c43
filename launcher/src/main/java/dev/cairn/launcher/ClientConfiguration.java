package dev.cairn.launcher;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** Makes the configuration that Apache's client takes. */
public final class ClientConfiguration {
  private ClientConfiguration() {}

  /** Returns the client's defaults, changed by {@code texts} as in {@code hbase-site.xml}. */
  public static Configuration of(Map<String, String> texts) {
    Configuration configuration = HBaseConfiguration.create();
    texts.forEach(configuration::set);
    return configuration;
  }

  /** Returns the same for one server that is known to serve at {@code endpoints}. */
  public static Configuration of(Map<String, String> texts, Endpoints endpoints) {
    Configuration configuration = of(texts);
    int colon = endpoints.zooKeeper().lastIndexOf(':');
    configuration.set(HConstants.ZOOKEEPER_QUORUM, endpoints.zooKeeper().substring(0, colon));
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, endpoints.zooKeeper().substring(colon + 1));
    return configuration;
  }
}
