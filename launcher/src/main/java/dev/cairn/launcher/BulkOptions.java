package dev.cairn.launcher;

import dev.cairn.launcher.bulk.Meter;
import dev.cairn.launcher.bulk.TableSource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import picocli.CommandLine.Option;

/** The options that all commands on whole tables share. */
final class BulkOptions {
  private static final int THREADS_LEAST = 4;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many regions or files at a time (default: one per processor, at least 4).")
  private int threads = Math.max(THREADS_LEAST, Runtime.getRuntime().availableProcessors());

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A setting of the client or of Hadoop's file systems.")
  private Map<String, String> settings = Map.of();

  int threads() {
    if (threads < 1) {
      throw new LauncherException("--threads must be at least 1, not " + threads);
    }
    return threads;
  }

  /** Connects to the server of the settings. */
  Connection connect(CairnCommand cairn) throws IOException {
    return ConnectionFactory.createConnection(RunningServer.configuration(cairn, settings));
  }

  /** As {@link #connect(CairnCommand)}, and sends the tags of cells. */
  Connection connectWithTags(CairnCommand cairn) throws IOException {
    Configuration configuration = RunningServer.configuration(cairn, settings);
    configuration.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }

  /**
   * Connects to another cluster.
   *
   * @param cluster its quorum: {@code HOST,HOST}, {@code HOST:PORT} or {@code
   *     HOST,HOST:PORT:/ZNODE}
   */
  Connection connect(CairnCommand cairn, String cluster) throws IOException {
    return ConnectionFactory.createConnection(
        ClientConfiguration.ofCluster(cairn.siteConfig().texts(), settings, cluster));
  }

  /** Returns a table whose name a user wrote. */
  static TableSource table(Connection connection, String name) {
    try {
      return new TableSource(connection, TableName.valueOf(name));
    } catch (IllegalArgumentException e) {
      throw new LauncherException("table " + name + ": " + Failures.reason(e), e);
    }
  }

  /** Returns a meter, which shows a bar if the output is a terminal. */
  static Meter meter(CairnCommand cairn) {
    return new Meter(cairn.terminal() ? Optional.of(System.err) : Optional.empty());
  }

  /**
   * Returns a Hadoop path. A path without a scheme is local, whatever the default file system is.
   */
  static Path path(String text) throws IOException {
    try {
      return LocalPaths.isForeign(text)
          ? new Path(text)
          : new Path(java.nio.file.Path.of(LocalPaths.plain(text)).toAbsolutePath().toUri());
    } catch (IllegalArgumentException e) {
      throw new IOException("<" + text + "> is no path: " + e.getMessage(), e);
    }
  }

  /** Opens the file system of a path, with the settings of the configuration folder. */
  FileSystem fileSystem(CairnCommand cairn, Path path) throws IOException {
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

  /** Tells the user how to continue if the process is interrupted before this is closed. */
  static final class Interruption implements AutoCloseable {
    private final Thread hook =
        new Thread(
            () -> System.err.println("\ncairn: stopped. Run the same command again to continue"));

    Interruption() {
      Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // the process ends: the hook runs
      }
    }
  }
}
