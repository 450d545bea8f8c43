package dev.cairn.launcher.client;

import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.LocalPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import picocli.CommandLine.Option;

/** The settings of commands that are clients of a server or read Hadoop's file systems. */
public class ClientOptions {
  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A setting of the client or of Hadoop's file systems.")
  private Map<String, String> settings = Map.of();

  /** Connects to the server of the settings. */
  public Connection connect(CommandContext cairn) throws IOException {
    return ConnectionFactory.createConnection(RunningServer.configuration(cairn, settings));
  }

  /** As {@link #connect(CommandContext)}, and sends the tags of cells. */
  public Connection connectWithTags(CommandContext cairn) throws IOException {
    Configuration configuration = RunningServer.configuration(cairn, settings);
    configuration.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }

  /**
   * Connects to another cluster.
   *
   * @param cluster its quorum: {@code HOST,HOST}, {@code HOST:PORT} or {@code
   *     HOST,HOST:PORT:/ZNODE}
   * @throws LauncherException if it does not answer
   */
  public Connection connect(CommandContext cairn, String cluster) throws IOException {
    Connection connection =
        ConnectionFactory.createConnection(
            ClientConfiguration.ofCluster(cairn.siteConfig().texts(), settings, cluster));
    try (RegionLocator meta = connection.getRegionLocator(TableName.META_TABLE_NAME)) {
      meta.getAllRegionLocations();
      return connection;
    } catch (IOException e) {
      connection.close();
      throw new LauncherException(
          "the cluster " + cluster + " does not answer: " + Failures.reason(e), e);
    }
  }

  /**
   * Returns a Hadoop path. A path without a scheme is local, whatever the default file system is.
   */
  public static Path path(String text) throws IOException {
    try {
      return LocalPaths.isForeign(text)
          ? new Path(text)
          : new Path(java.nio.file.Path.of(LocalPaths.plain(text)).toAbsolutePath().toUri());
    } catch (IllegalArgumentException e) {
      throw new IOException("<" + text + "> is no path: " + e.getMessage(), e);
    }
  }

  /** Opens the file system of a path, with the settings of the configuration folder. */
  public FileSystem fileSystem(CommandContext cairn, Path path) throws IOException {
    Configuration configuration = new Configuration();
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
      cairn
          .installation()
          .configFolder()
          .map(folder -> folder.resolve(name))
          .filter(Files::exists)
          .ifPresent(file -> configuration.addResource(new Path(file.toUri())));
    }
    settings.forEach(configuration::set);
    // Otherwise Hadoop closes the file system before this process ends, which looks like a failure.
    configuration.setBoolean("fs.automatic.close", false);
    return path.getFileSystem(configuration);
  }
}
