package dev.cairn.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The server that the settings name, as a client finds it.
 *
 * @param configuration the client's configuration
 * @param description which one it is, for people
 */
record RunningServer(Configuration configuration, String description) {
  private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "::1");
  private static final int PROBE_MILLIS = 1000;

  /**
   * Returns the server; empty if it is to run on this machine and does not. Of one elsewhere it is
   * not known whether it runs.
   */
  static Optional<RunningServer> find(CairnCommand cairn) {
    Map<String, String> texts = cairn.siteConfig().texts();
    Configuration configuration = ClientConfiguration.of(texts);
    if (!isLocal(configuration)) {
      return Optional.of(
          new RunningServer(
              configuration, "the server at " + configuration.get(HConstants.ZOOKEEPER_QUORUM)));
    }
    Optional<Addresses> serving = cairn.serverControl().serving();
    if (serving.isPresent()) {
      return Optional.of(
          new RunningServer(
              ClientConfiguration.of(texts, serving.get()),
              "the server that runs (ZooKeeper " + serving.get().zooKeeper() + ")"));
    }
    int port =
        configuration.getInt(
            HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    return listens(port)
        ? Optional.of(
            new RunningServer(configuration, "the server behind ZooKeeper localhost:" + port))
        : Optional.empty();
  }

  private static boolean isLocal(Configuration configuration) {
    String[] hosts = configuration.getTrimmedStrings(HConstants.ZOOKEEPER_QUORUM, "localhost");
    return hosts.length == 1 && LOCAL_HOSTS.contains(hosts[0].replaceFirst(":[0-9]+$", ""));
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
      return port != 0;
    } catch (IOException e) {
      return false;
    }
  }
}
