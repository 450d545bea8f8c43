package dev.cairn.launcher.sqlline;

import dev.cairn.launcher.output.LauncherException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** Makes URLs of Phoenix's JDBC driver: {@code jdbc:phoenix:HOST,HOST:PORT:/ZNODE}. */
final class PhoenixUrl {
  private static final String PREFIX = "jdbc:phoenix";

  private PhoenixUrl() {}

  /**
   * Returns the URL of the cluster that a client's configuration names.
   *
   * @throws LauncherException if its ZooKeeper servers have different ports
   */
  static String of(Configuration configuration) {
    String defaultPort =
        configuration.getTrimmed(
            HConstants.ZOOKEEPER_CLIENT_PORT,
            Integer.toString(HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT));
    List<String> hosts = new ArrayList<>();
    Set<String> ports = new HashSet<>();
    for (String server :
        configuration.getTrimmedStrings(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST)) {
      int colon = server.lastIndexOf(':');
      hosts.add(colon < 0 ? server : server.substring(0, colon));
      ports.add(colon < 0 ? defaultPort : server.substring(colon + 1));
    }
    if (ports.size() > 1) {
      throw new LauncherException(
          HConstants.ZOOKEEPER_QUORUM
              + " has servers with different ports, "
              + ports.stream().sorted().collect(Collectors.joining(", "))
              + ", for which Phoenix's URL has no place");
    }
    return PREFIX
        + ":"
        + String.join(",", hosts)
        + ":"
        + ports.iterator().next()
        + ":"
        + configuration.getTrimmed(
            HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT);
  }

  /** Returns the URL for {@code HOST,HOST:PORT:/ZNODE}; returns a URL unchanged. */
  static String of(String cluster) {
    return cluster.startsWith(PREFIX) ? cluster : PREFIX + ":" + cluster;
  }
}
