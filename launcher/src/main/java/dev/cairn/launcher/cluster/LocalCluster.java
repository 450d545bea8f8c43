package dev.cairn.launcher.cluster;

import dev.cairn.launcher.cluster.ClusterPlan.Node;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Starts, kills, freezes and restarts the processes of a whole cluster on the loopback address, by
 * name. The processes outlive this object; another object finds them through the cluster's folder.
 * For one thread.
 */
public final class LocalCluster {
  private static final String NAME_NODE_MAIN = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE_MAIN = "org.apache.hadoop.hdfs.server.datanode.DataNode";
  private static final Duration START_PATIENCE = Duration.ofSeconds(120);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 50;

  private final ClusterFolder folder;
  private final ClusterPlan plan;
  private final NodeCommands commands;

  private LocalCluster(ClusterFolder folder, ClusterPlan plan, NodeCommands commands) {
    this.folder = folder;
    this.plan = plan;
    this.commands = commands;
  }

  /**
   * The state of a process.
   *
   * @param pid empty if it does not run
   * @param health empty if it has no health report, or does not answer
   */
  public record NodeState(
      Node node, Optional<Long> pid, boolean frozen, Optional<HealthStatus> health) {}

  /** Writes the folder of a new cluster, or new settings for an existing one. Starts no process. */
  public static LocalCluster create(Path path, ClusterPlan plan, NodeCommands commands)
      throws IOException {
    ClusterFolder folder = new ClusterFolder(path.toAbsolutePath());
    folder.write(plan);
    return new LocalCluster(folder, plan, commands);
  }

  /**
   * Returns the cluster of a folder.
   *
   * @throws LauncherException if there is none
   */
  public static LocalCluster open(Path path, NodeCommands commands) throws IOException {
    ClusterFolder folder = new ClusterFolder(path.toAbsolutePath());
    if (!folder.exists()) {
      throw new LauncherException(
          "there is no cluster in " + path + ": bin/cairn cluster start creates one");
    }
    return new LocalCluster(folder, ClusterPlan.read(folder.plan()), commands);
  }

  /** Returns its processes and ports. */
  public ClusterPlan plan() {
    return plan;
  }

  /** Returns the folder with its files. */
  public ClusterFolder folder() {
    return folder;
  }

  /**
   * Starts all processes that do not run, and waits until the cluster serves clients.
   *
   * @param notice receives a line for each group of processes that starts
   */
  public void start(Consumer<String> notice) throws IOException, InterruptedException {
    startHdfs(notice);
    Node zooKeeper = plan.nodes(NodeKind.ZOOKEEPER).get(0);
    if (launchMissing(List.of(zooKeeper), notice)) {
      await(() -> WebQuery.listens(zooKeeper.port()), "ZooKeeper", List.of(zooKeeper));
    }
    List<Node> servers = plan.nodes().stream().filter(node -> node.kind().isServer()).toList();
    launchMissing(servers, notice);
    awaitServing(START_PATIENCE);
  }

  private void startHdfs(Consumer<String> notice) throws IOException, InterruptedException {
    List<Node> dataNodes = plan.nodes(NodeKind.DATA_NODE);
    if (dataNodes.isEmpty()) {
      return;
    }
    Node nameNode = plan.nodes(NodeKind.NAME_NODE).get(0);
    if (!Files.exists(folder.data(nameNode).resolve("current"))) {
      format(nameNode);
    }
    List<Node> all = new ArrayList<>(List.of(nameNode));
    all.addAll(dataNodes);
    if (launchMissing(all, notice)) {
      await(
          () -> WebQuery.liveDataNodes(nameNode.webPort()) == dataNodes.size(),
          "HDFS with " + dataNodes.size() + " DataNodes",
          all);
    }
    HdfsUsers.createDirectories(plan.rootDirUrl());
  }

  private void format(Node nameNode) throws IOException, InterruptedException {
    Path log = folder.log(nameNode);
    ProcessBuilder builder =
        new ProcessBuilder(
                commands.hdfs(
                    folder.hdfsConf(nameNode), NAME_NODE_MAIN, List.of("-format", "-force")))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(HdfsUsers.superuser());
    if (builder.start().waitFor() != 0) {
      throw new LauncherException("HDFS cannot be formatted; see " + log);
    }
  }

  /** Starts the processes that do not run; tells whether there were any. */
  private boolean launchMissing(List<Node> nodes, Consumer<String> notice) throws IOException {
    List<Node> missing = nodes.stream().filter(node -> process(node).running().isEmpty()).toList();
    for (Node node : missing) {
      launch(node);
    }
    if (!missing.isEmpty()) {
      notice.accept(
          "starting " + missing.stream().map(Node::name).collect(Collectors.joining(", ")));
    }
    return !missing.isEmpty();
  }

  private void launch(Node node) throws IOException {
    Map<String, String> environment = new TreeMap<>(commands.environment());
    if (node.kind().isOfHdfs()) {
      environment.putAll(HdfsUsers.superuser());
    }
    process(node).launch(command(node), environment);
  }

  private List<String> command(Node node) {
    return switch (node.kind()) {
      case NAME_NODE -> commands.hdfs(folder.hdfsConf(node), NAME_NODE_MAIN, List.of());
      case DATA_NODE -> commands.hdfs(folder.hdfsConf(node), DATA_NODE_MAIN, List.of());
      case ZOOKEEPER -> cairn("zookeeper", List.of());
      case MASTER -> server("master", node);
      case REGION_SERVER -> server("regionserver", node);
    };
  }

  private List<String> server(String role, Node node) {
    return cairn(
        role,
        List.of(
            "-Dhbase." + role + ".port=" + node.port(),
            "-Dhbase." + role + ".info.port=" + node.webPort()));
  }

  private List<String> cairn(String role, List<String> settings) {
    List<String> arguments = new ArrayList<>(List.of("--config", folder.conf().toString(), role));
    arguments.addAll(settings);
    return commands.cairn(arguments);
  }

  /** Starts a process that does not run. Does not wait until it serves. */
  public void launch(String name) throws IOException {
    launch(plan.node(name));
  }

  /** Kills a process (SIGKILL). */
  public void kill(String name) throws InterruptedException {
    process(plan.node(name)).kill();
  }

  /** Suspends a process (SIGSTOP). */
  public void freeze(String name) throws IOException, InterruptedException {
    process(plan.node(name)).freeze();
  }

  /** Resumes a frozen process (SIGCONT). */
  public void thaw(String name) throws IOException, InterruptedException {
    process(plan.node(name)).thaw();
  }

  /** Stops a process cleanly, if it runs. */
  public void stop(String name) throws IOException, InterruptedException {
    process(plan.node(name)).stop(STOP_PATIENCE);
  }

  /** Stops a process cleanly, if it runs, and starts it. Does not wait until it serves. */
  public void restart(String name) throws IOException, InterruptedException {
    stop(name);
    launch(name);
  }

  /** Returns the number of a running process. */
  public long pid(String name) {
    return process(plan.node(name)).requirePid();
  }

  /**
   * Stops all processes cleanly. Stops masters first, because a master would move the regions of a
   * stopped region server to the next one. Stops HDFS last.
   *
   * @return the processes that did not stop in time and were killed
   */
  public List<Node> stopAll() throws IOException, InterruptedException {
    List<Node> killed = new ArrayList<>();
    for (NodeKind kind :
        List.of(
            NodeKind.MASTER,
            NodeKind.REGION_SERVER,
            NodeKind.ZOOKEEPER,
            NodeKind.DATA_NODE,
            NodeKind.NAME_NODE)) {
      for (Node node : plan.nodes(kind)) {
        if (!process(node).stop(STOP_PATIENCE)) {
          killed.add(node);
        }
      }
    }
    return killed;
  }

  /** Kills all processes. */
  public void killAll() throws InterruptedException {
    for (Node node : plan.nodes()) {
      NodeProcess process = process(node);
      if (process.running().isPresent()) {
        process.kill();
      }
    }
  }

  /** Returns the state of each process. */
  public List<NodeState> states() {
    return plan.nodes().stream().map(this::state).toList();
  }

  private NodeState state(Node node) {
    NodeProcess process = process(node);
    Optional<Long> pid = process.running().map(ProcessHandle::pid);
    boolean frozen = process.isFrozen();
    boolean asks = pid.isPresent() && !frozen && node.kind().isServer();
    return new NodeState(
        node,
        pid,
        frozen,
        asks ? WebQuery.health(node.webPort()).map(HealthReport::status) : Optional.empty());
  }

  /** Returns the active master, if it serves clients. */
  public Optional<Node> servingMaster() {
    return plan.nodes(NodeKind.MASTER).stream()
        .filter(node -> process(node).running().isPresent() && !process(node).isFrozen())
        .filter(LocalCluster::serves)
        .findFirst();
  }

  /**
   * Waits until a master is active and all running region servers serve.
   *
   * @throws LauncherException if that takes longer than {@code patience}, or a process ends
   */
  public void awaitServing(Duration patience) throws InterruptedException {
    List<Node> servers =
        plan.nodes().stream()
            .filter(node -> node.kind().isServer())
            .filter(node -> process(node).running().isPresent() && !process(node).isFrozen())
            .toList();
    await(
        () ->
            servingMaster().isPresent()
                && servers.stream()
                    .filter(node -> node.kind() == NodeKind.REGION_SERVER)
                    .allMatch(LocalCluster::serves),
        "the cluster",
        servers,
        patience);
  }

  private static boolean serves(Node node) {
    return WebQuery.health(node.webPort())
        .filter(report -> report.status() != HealthStatus.FAIL)
        .filter(
            report ->
                report.checks().stream()
                    .noneMatch(check -> check.result().message().equals(CairnProcess.STANDBY)))
        .isPresent();
  }

  private void await(BooleanSupplier condition, String what, List<Node> nodes)
      throws InterruptedException {
    await(condition, what, nodes, START_PATIENCE);
  }

  /** Polls, because other processes send no event when they begin to serve. */
  private void await(BooleanSupplier condition, String what, List<Node> nodes, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      for (Node node : nodes) {
        if (process(node).running().isEmpty()) {
          throw new LauncherException(
              node.name() + " has ended: " + lastLine(node) + "; see " + folder.log(node));
        }
      }
      if (System.nanoTime() - end >= 0) {
        throw new LauncherException(
            what
                + " does not serve after "
                + patience.toSeconds()
                + " s; see "
                + folder.log(nodes.get(0)).getParent());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private String lastLine(Node node) {
    try {
      List<String> lines = Files.readAllLines(folder.log(node));
      return lines.isEmpty() ? "it wrote nothing" : lines.get(lines.size() - 1).strip();
    } catch (IOException e) {
      return "its log cannot be read";
    }
  }

  private NodeProcess process(Node node) {
    return new NodeProcess(node.name(), folder.pid(node), folder.log(node));
  }
}
