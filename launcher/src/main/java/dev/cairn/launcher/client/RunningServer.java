package dev.cairn.launcher.client;

import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The server that the settings name, as a client finds it.
 *
 * @param configuration the client's configuration
 * @param description which one it is, for people
 */
public record RunningServer(Configuration configuration, String description) {
  private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "::1");
  private static final int PROBE_MILLIS = 1000;

  /** The client's keys that name the server. */
  private static final Set<String> NAMING =
      Set.of(
          HConstants.ZOOKEEPER_QUORUM,
          HConstants.ZOOKEEPER_CLIENT_PORT,
          HConstants.ZOOKEEPER_ZNODE_PARENT,
          ClientConfiguration.BOOTSTRAP);

  /**
   * Returns the client's configuration for the server that {@code settings} or the site's settings
   * name.
   *
   * @param settings keys of {@code hbase-site.xml} that replace those of the site
   * @throws LauncherException if it should run on this machine, but does not
   */
  public static Configuration configuration(CommandContext cairn, Map<String, String> settings) {
    if (settings.keySet().stream().anyMatch(NAMING::contains)) {
      Map<String, String> texts = new TreeMap<>(cairn.siteConfig().texts());
      texts.putAll(settings);
      return ClientConfiguration.of(texts);
    }
    Configuration configuration =
        find(cairn)
            .orElseThrow(
                () ->
                    new LauncherException(
                        "no server runs with these settings; bin/cairn start starts one"))
            .configuration();
    settings.forEach(configuration::set);
    return configuration;
  }

  /**
   * Returns the server; empty if it is to run on this machine and does not. Of one elsewhere it is
   * not known whether it runs.
   */
  public static Optional<RunningServer> find(CommandContext cairn) {
    SiteConfig config = cairn.siteConfig();
    Map<String, String> texts = config.texts();
    Configuration configuration = ClientConfiguration.of(texts);
    if (!isLocal(configuration) || ProcessSettings.usesOtherZooKeeper(config)) {
      return Optional.of(
          new RunningServer(
              configuration, "the server at " + configuration.get(HConstants.ZOOKEEPER_QUORUM)));
    }
    Optional<Addresses> serving = ServerControl.of(cairn).serving();
    if (serving.isPresent()) {
      return Optional.of(
          new RunningServer(
              ClientConfiguration.toward(serving.get(), configuration, texts),
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
