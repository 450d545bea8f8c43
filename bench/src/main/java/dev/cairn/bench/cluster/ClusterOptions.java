package dev.cairn.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import picocli.CommandLine.Option;

/** The options of a measurement for its cluster: one that it starts, or one that runs already. */
public final class ClusterOptions {
  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "Region servers of the cluster that is started (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--datanodes",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "DataNodes of the cluster that is started; 0 for servers that share a local folder"
              + " (default: ${DEFAULT-VALUE}).")
  private int dataNodes;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Settings of the cluster that is started.")
  private Map<String, String> settings = Map.of();

  @Option(
      names = "--config",
      paramLabel = "DIR",
      description = "The folder with the hbase-site.xml of a running cluster.")
  private Optional<Path> configuration;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Parent of the cluster's temporary folder (default: ${DEFAULT-VALUE}).")
  private Path directory;

  /**
   * Creates the options.
   *
   * @param servers the default number of region servers
   */
  public ClusterOptions(int servers) {
    this.servers = servers;
  }

  /** Tells whether the cluster runs already. */
  public boolean isGiven() {
    return configuration.isPresent();
  }

  /** Creates a temporary folder for a measurement. */
  public Path folder(String name) throws IOException {
    return Files.createTempDirectory(directory, "cairn-bench-" + name);
  }

  /**
   * Starts the cluster, unless it runs already.
   *
   * @param folder the folder of the measurement
   * @param masters the masters of a cluster that is started
   * @param more settings of a cluster that is started; {@code -D} overrides them
   * @param pids the processes of a running cluster that may be killed, by port
   */
  public ClusterProcesses open(
      Path folder, int masters, Map<String, String> more, Map<Integer, Long> pids)
      throws IOException, InterruptedException {
    if (configuration.isPresent()) {
      return new GivenProcesses(configuration.get(), pids);
    }
    Map<String, String> all = new TreeMap<>(more);
    all.putAll(settings);
    return LocalProcesses.start(folder, masters, servers, dataNodes, all);
  }

  /** Returns the settings of a client of the cluster. */
  public static Configuration client(ClusterProcesses processes) {
    Configuration client = HBaseConfiguration.create();
    client.addResource(
        new org.apache.hadoop.fs.Path(processes.configuration().resolve("hbase-site.xml").toUri()));
    return client;
  }
}
