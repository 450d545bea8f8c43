package dev.cairn.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options of a measurement that starts clusters whose servers share a local folder. */
public final class LocalOptions {
  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Settings of the cluster.")
  private Map<String, String> settings = Map.of();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Parent of the cluster's temporary folder (default: ${DEFAULT-VALUE}).")
  private Path directory;

  /** Creates a temporary folder for a measurement. */
  public Path folder(String name) throws IOException {
    return Files.createTempDirectory(directory, "cairn-bench-" + name);
  }

  /**
   * Starts a cluster with one master.
   *
   * @param folder the folder of the measurement
   * @param more settings of the cluster; {@code -D} overrides them
   */
  public LocalProcesses start(Path folder, int servers, Map<String, String> more)
      throws IOException, InterruptedException {
    return start(folder, servers, more, List.of());
  }

  /**
   * Starts a cluster with one master.
   *
   * @param folder the folder of the measurement
   * @param more settings of the cluster; {@code -D} overrides them
   * @param classes jars and folders with classes that the servers can load
   */
  public LocalProcesses start(
      Path folder, int servers, Map<String, String> more, List<Path> classes)
      throws IOException, InterruptedException {
    Map<String, String> all = new TreeMap<>(more);
    all.putAll(settings);
    return LocalProcesses.start(folder, 1, servers, 0, all, classes);
  }
}
