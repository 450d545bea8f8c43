package dev.cairn.interop.cluster;

import dev.cairn.interop.process.ClassArchive;
import dev.cairn.interop.process.ServerClassPath;
import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.launcher.cluster.ClusterPlan.Node;
import dev.cairn.launcher.cluster.JavaCommands;
import dev.cairn.launcher.cluster.LocalCluster;
import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.awaitility.Awaitility;

/**
 * A cluster for tests: HDFS or a shared local folder, ZooKeeper, masters and region servers, each a
 * process of its own. Their names are {@code nn}, {@code dn1}, {@code zk}, {@code master1}, {@code
 * rs1} and so on. Closing it kills all of them, and fails if a log has an error that the faults
 * here do not explain (see {@link ExplainedErrors}). One thread.
 */
public final class ClusterProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long LOOK_MILLIS = 20;

  private final LocalCluster cluster;
  private final ExplainedErrors errors = new ExplainedErrors(LocalDateTime::now);

  private ClusterProcesses(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts a cluster with an HDFS of its own and waits until it serves.
   *
   * @param folder for all of its files
   * @param settings further settings of {@code hbase-site.xml}
   */
  public static ClusterProcesses onHdfs(
      Path folder, ClusterPlan.Counts counts, Map<String, String> settings)
      throws IOException, InterruptedException {
    return prepare(folder, ClusterPlan.of(counts, Optional.empty(), settings)).start();
  }

  /** Starts a cluster whose processes share a local folder, and waits until it serves. */
  public static ClusterProcesses onLocalFolder(
      Path folder, int masters, int servers, Map<String, String> settings)
      throws IOException, InterruptedException {
    return prepare(
            folder,
            ClusterPlan.of(
                new ClusterPlan.Counts(masters, servers, 0),
                Optional.of(folder.resolve("root").toUri().toString()),
                settings))
        .start();
  }

  /** Prepares a cluster, and starts nothing. */
  public static ClusterProcesses prepare(Path folder, ClusterPlan plan) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> options = new ArrayList<>(ServerClassPath.JAVA_OPTIONS);
    options.addAll(ClassArchive.CAIRN.options());
    return new ClusterProcesses(
        LocalCluster.create(
            folder,
            plan,
            new ArchivedHdfs(new JavaCommands(java, ServerClassPath.get(), options))));
  }

  /** Starts all processes that do not run, and waits until clients are served. */
  public ClusterProcesses start() throws IOException, InterruptedException {
    boolean started = false;
    try {
      cluster.start(line -> {});
      started = true;
      return this;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Returns the cluster itself. */
  public LocalCluster local() {
    return cluster;
  }

  /** Ends a process at once, with SIGKILL. */
  public void kill(String name) throws InterruptedException {
    errors.inject(name, ExplainedErrors.Fault.killed(kind(name)));
    cluster.kill(name);
  }

  /** Stops a process as it stands, with SIGSTOP. */
  public void freeze(String name) throws IOException, InterruptedException {
    errors.inject(name, ExplainedErrors.Fault.frozen(kind(name)));
    cluster.freeze(name);
  }

  /** Records that a DataNode has lost a block, which explains errors. */
  void loseBlock(String name) {
    errors.inject(name, Set.of(ExplainedErrors.Fault.LOST_BLOCK));
  }

  private NodeKind kind(String name) {
    return cluster.plan().node(name).kind();
  }

  /** Lets a frozen process go on. */
  public void thaw(String name) throws IOException, InterruptedException {
    cluster.thaw(name);
  }

  /** Starts a process that does not run, and does not wait until it serves. */
  public void launch(String name) throws IOException {
    cluster.launch(name);
  }

  /** Tells whether a process runs. */
  public boolean isRunning(String name) {
    return cluster.states().stream()
        .anyMatch(state -> state.node().name().equals(name) && state.pid().isPresent());
  }

  /** Waits until a master leads, and every region server that runs works with it. */
  public void awaitServing() throws InterruptedException {
    cluster.awaitServing(PATIENCE);
  }

  /** Returns the name of the master that leads. */
  public String activeMaster() {
    return cluster.servingMaster().map(Node::name).orElseThrow();
  }

  /** Returns the name of the process that listens on a port. */
  public String nameOf(int port) {
    return cluster.plan().nodes().stream()
        .filter(node -> node.port() == port)
        .map(Node::name)
        .findFirst()
        .orElseThrow();
  }

  /** Returns all that a process wrote to standard output and standard error. */
  public String output(String name) throws IOException {
    return Files.readString(cluster.folder().log(cluster.plan().node(name)));
  }

  /** Waits until {@code condition} holds; what it throws counts as not yet. */
  public void await(String what, Callable<Boolean> condition) throws Exception {
    Awaitility.await(what)
        .pollInSameThread()
        .dontCatchUncaughtExceptions() // of other threads
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(LOOK_MILLIS))
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(condition);
  }

  /** Returns the configuration of a client that goes on trying while servers are away. */
  public Configuration client() {
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", "127.0.0.1");
    client.setInt(
        "hbase.zookeeper.property.clientPort",
        cluster.plan().nodes(NodeKind.ZOOKEEPER).get(0).port());
    client.setInt("hbase.client.retries.number", 1000);
    client.setInt("hbase.client.pause", 20);
    client.setInt("hbase.rpc.timeout", 10_000);
    client.setInt("hbase.client.operation.timeout", 120_000);
    client.setInt("hbase.client.meta.operation.timeout", 120_000);
    client.setInt("hbase.ipc.client.failed.servers.expiry", 50);
    return client;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    cluster.killAll();
    errors.check(cluster.folder().path().resolve("logs"));
  }
}
