package org.apache.hadoop.hbase;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts, stops, kills and suspends the processes of a cluster that {@code bin/cairn cluster} has
 * made on this machine. The key {@code hbase.it.clustermanager.class} names this class. It is in
 * this package because the interface is visible only here.
 *
 * <p>All processes have the same host, so the port tells which one is meant. HBase's tests name a
 * DataNode by its host alone: a random one is killed then, and the one that does not run is
 * started.
 */
public class LocalClusterManager extends Configured implements ClusterManager {
  /** The path of {@code bin/cairn}. */
  static final String COMMAND = "cairn.integration.command";

  /** The cluster's folder. */
  static final String FOLDER = "cairn.integration.folder";

  private static final Logger LOG = LoggerFactory.getLogger(LocalClusterManager.class);

  private static final Map<ServiceType, String> KINDS =
      Map.of(
          ServiceType.HADOOP_NAMENODE, "NAME_NODE",
          ServiceType.HADOOP_DATANODE, "DATA_NODE",
          ServiceType.ZOOKEEPER_SERVER, "ZOOKEEPER",
          ServiceType.HBASE_MASTER, "MASTER",
          ServiceType.HBASE_REGIONSERVER, "REGION_SERVER");

  /** A process of the cluster. */
  private record Node(String kind, String name, List<Integer> ports) {}

  @Override
  public void start(ServiceType service, String hostname, int port) throws IOException {
    run("restart", choose(service, port, false));
  }

  @Override
  public void stop(ServiceType service, String hostname, int port) throws IOException {
    // The cluster's command has no clean stop for one process.
    signal(choose(service, port, true), "TERM");
  }

  @Override
  public void restart(ServiceType service, String hostname, int port) throws IOException {
    run("restart", choose(service, port, true));
  }

  @Override
  public void kill(ServiceType service, String hostname, int port) throws IOException {
    run("kill", choose(service, port, true));
  }

  @Override
  public void suspend(ServiceType service, String hostname, int port) throws IOException {
    run("freeze", choose(service, port, true));
  }

  @Override
  public void resume(ServiceType service, String hostname, int port) throws IOException {
    run("thaw", choose(service, port, true));
  }

  @Override
  public boolean isRunning(ServiceType service, String hostname, int port) throws IOException {
    List<Node> candidates = candidates(service, port);
    // Of several DataNodes without a port, one that is down counts as the one that is meant.
    for (Node node : candidates) {
      Optional<ProcessHandle> process = process(node);
      if (process.isEmpty() || isSuspended(process.get())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tells whether a process is suspended. The monkey waits until a process that it suspends does
   * not run; if that takes too long, it never resumes it.
   */
  private static boolean isSuspended(ProcessHandle process) throws IOException {
    Process ps =
        new ProcessBuilder("ps", "-o", "state=", "-p", String.valueOf(process.pid())).start();
    try (Reader state = ps.inputReader()) {
      return state.read() == 'T';
    }
  }

  private Node choose(ServiceType service, int port, boolean running) throws IOException {
    List<Node> candidates = candidates(service, port);
    List<Node> fitting =
        candidates.stream().filter(node -> process(node).isPresent() == running).toList();
    List<Node> from = fitting.isEmpty() ? candidates : fitting;
    return from.get(ThreadLocalRandom.current().nextInt(from.size()));
  }

  private List<Node> candidates(ServiceType service, int port) throws IOException {
    String kind = KINDS.get(service);
    List<Node> found =
        nodes().stream()
            .filter(node -> node.kind().equals(kind))
            .filter(node -> port <= 0 || node.ports().contains(port) || isAlone(service))
            .toList();
    if (found.isEmpty()) {
      throw new IOException("The cluster has no " + service + " at port " + port);
    }
    return found;
  }

  private static boolean isAlone(ServiceType service) {
    return service == ServiceType.HADOOP_NAMENODE || service == ServiceType.ZOOKEEPER_SERVER;
  }

  private List<Node> nodes() throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(folder().resolve("cluster.properties"))) {
      properties.load(reader);
    }
    List<Node> nodes = new ArrayList<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith("node.")) {
        String[] words = properties.getProperty(key).split(" ");
        nodes.add(
            new Node(
                words[0],
                words[1],
                Arrays.stream(words[2].split(",")).map(Integer::valueOf).toList()));
      }
    }
    return nodes;
  }

  private Optional<ProcessHandle> process(Node node) {
    try {
      String text = Files.readString(folder().resolve("run").resolve(node.name() + ".pid"));
      return ProcessHandle.of(Long.parseLong(text.split(" ")[0])).filter(ProcessHandle::isAlive);
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private void signal(Node node, String signal) throws IOException {
    Optional<ProcessHandle> process = process(node);
    if (process.isPresent()) {
      execute(List.of("kill", "-" + signal, String.valueOf(process.get().pid())));
    }
  }

  private void run(String verb, Node node) throws IOException {
    execute(
        List.of(setting(COMMAND), "cluster", "--folder", folder().toString(), verb, node.name()));
  }

  private void execute(List<String> command) throws IOException {
    LOG.info("{}", command.stream().collect(Collectors.joining(" ")));
    File output = File.createTempFile("command", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output)
              .redirectInput(new File("/dev/null"))
              .start();
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s ended with %d: %s",
                command,
                status,
                Files.readString(output.toPath())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted in " + command, e);
    } finally {
      Files.deleteIfExists(output.toPath());
    }
  }

  private Path folder() {
    return Path.of(setting(FOLDER));
  }

  private String setting(String key) {
    Configuration conf = getConf();
    String value = conf.get(key, System.getProperty(key));
    if (value == null) {
      throw new IllegalStateException("The key " + key + " is not set");
    }
    return value;
  }
}
