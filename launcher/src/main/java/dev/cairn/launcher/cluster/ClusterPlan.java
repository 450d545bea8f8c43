package dev.cairn.launcher.cluster;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The processes of a cluster and their ports. Stored in a file, so that a cluster has the same
 * ports after a restart. Immutable.
 *
 * @param rootDir {@code hbase.rootdir} if the cluster has no HDFS of its own
 * @param settings further settings of {@code hbase-site.xml}
 * @param nodes the processes in the order in which they start
 */
public record ClusterPlan(
    Optional<String> rootDir, Map<String, String> settings, List<Node> nodes) {
  private static final String ROOT_DIR = "rootdir";
  private static final String SETTING = "set.";
  private static final String NODE = "node.";

  /** Copies the collections. */
  public ClusterPlan {
    settings = Map.copyOf(settings);
    nodes = List.copyOf(nodes);
  }

  /**
   * The number of processes of each kind.
   *
   * @param masters at least 1
   * @param servers at least 1
   * @param dataNodes 0 for a cluster without an HDFS of its own
   */
  public record Counts(int masters, int servers, int dataNodes) {
    /** Checks the numbers. */
    public Counts {
      if (masters < 1 || servers < 1 || dataNodes < 0) {
        throw new LauncherException(
            "a cluster needs at least one master and one region server, not "
                + masters
                + " and "
                + servers);
      }
    }

    private int of(NodeKind kind) {
      return switch (kind) {
        case NAME_NODE -> Math.min(1, dataNodes);
        case DATA_NODE -> dataNodes;
        case ZOOKEEPER -> 1;
        case MASTER -> masters;
        case REGION_SERVER -> servers;
      };
    }
  }

  /**
   * Plans a cluster on ports that are free now.
   *
   * @param rootDir {@code hbase.rootdir}, if {@code counts} has no DataNodes
   * @param settings further settings of {@code hbase-site.xml}
   */
  public static ClusterPlan of(
      Counts counts, Optional<String> rootDir, Map<String, String> settings) {
    List<Node> nodes = new ArrayList<>();
    FreePorts free = new FreePorts();
    for (NodeKind kind : NodeKind.values()) {
      for (int number = 1; number <= counts.of(kind); number++) {
        nodes.add(new Node(kind, kind.name(number), free.take(kind.ports())));
      }
    }
    return new ClusterPlan(rootDir, settings, nodes);
  }

  /** Returns the processes of a kind. */
  public List<Node> nodes(NodeKind kind) {
    return nodes.stream().filter(node -> node.kind() == kind).toList();
  }

  /**
   * Returns the process with the name {@code name}.
   *
   * @throws LauncherException if there is none; the message names all processes
   */
  public Node node(String name) {
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new LauncherException(
                    "the cluster has no process "
                        + name
                        + "; it has "
                        + nodes.stream().map(Node::name).collect(Collectors.joining(", "))));
  }

  /** Returns the URL of the root directory. */
  public String rootDirUrl() {
    return rootDir.orElseGet(() -> defaultFileSystem() + "/hbase");
  }

  /** Returns the URL of the cluster's own HDFS. */
  String defaultFileSystem() {
    return "hdfs://127.0.0.1:" + nodes(NodeKind.NAME_NODE).get(0).port();
  }

  /** Writes this to a file. */
  void write(Path file) throws IOException {
    Properties properties = new Properties();
    rootDir.ifPresent(text -> properties.setProperty(ROOT_DIR, text));
    settings.forEach((key, value) -> properties.setProperty(SETTING + key, value));
    int index = 0;
    for (Node node : nodes) {
      properties.setProperty(
          NODE + "%03d".formatted(index++),
          node.kind()
              + " "
              + node.name()
              + " "
              + node.ports().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    StringWriter text = new StringWriter();
    properties.store(text, null);
    ClusterFolder.write(file, text.toString());
  }

  /** Reads what {@link #write} wrote. */
  static ClusterPlan read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    Map<String, String> settings = new TreeMap<>();
    Map<String, Node> nodes = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      String value = properties.getProperty(key);
      if (key.startsWith(SETTING)) {
        settings.put(key.substring(SETTING.length()), value);
      } else if (key.startsWith(NODE)) {
        nodes.put(key, node(value.split(" ")));
      }
    }
    return new ClusterPlan(
        Optional.ofNullable(properties.getProperty(ROOT_DIR)),
        settings,
        List.copyOf(nodes.values()));
  }

  private static Node node(String[] words) {
    return new Node(
        NodeKind.valueOf(words[0]),
        words[1],
        Arrays.stream(words[2].split(",")).map(Integer::valueOf).toList());
  }

  /**
   * One process of a cluster, running or not.
   *
   * @param name unique in the cluster: {@code nn}, {@code dn1}, {@code zk}, {@code master1}, {@code
   *     rs1}
   * @param ports the ports on which it listens, on the loopback address. The first is for clients;
   *     the last is for the web page, if there is one
   */
  public record Node(NodeKind kind, String name, List<Integer> ports) {
    /** Copies the ports. */
    public Node {
      ports = List.copyOf(ports);
    }

    /** Returns the port for clients. */
    public int port() {
      return ports.get(0);
    }

    /** Returns the port of the web page. */
    public int webPort() {
      return ports.get(ports.size() - 1);
    }
  }
}
