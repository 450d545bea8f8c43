package dev.cairn.launcher.cluster;

import dev.cairn.launcher.cluster.ClusterPlan.Node;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.server.StatusCommand;
import dev.cairn.launcher.site.CommandContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code cairn cluster}. */
@Command(
    name = "cluster",
    description =
        "Runs a whole cluster on this machine: HDFS, ZooKeeper, masters and region servers. Each is"
            + " a process of its own, which other commands kill, freeze or restart by name.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class ClusterCommand implements Runnable {
  private static final int DATA_NODES = 3;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The folder of the cluster (default: cluster/ beside bin/).")
  private Path folder;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command after cluster");
  }

  @Command(
      name = "start",
      description =
          "Creates a cluster, or starts the processes that do not run;"
              + " returns when clients are served.",
      mixinStandardHelpOptions = true)
  void start(
      @Option(
              names = "--masters",
              paramLabel = "N",
              description = "Number of masters of a new cluster (default: 1).")
          Integer masters,
      @Option(
              names = "--servers",
              paramLabel = "N",
              description = "Number of region servers of a new cluster (default: 3).")
          Integer servers,
      @Option(
              names = "--datanodes",
              paramLabel = "N",
              description = "Number of DataNodes of a new cluster (default: 3).")
          Integer dataNodes,
      @Option(
              names = "--rootdir",
              paramLabel = "URL",
              description = "hbase.rootdir of a new cluster, which then gets no HDFS of its own.")
          String rootDir,
      @Option(
              names = "-D",
              paramLabel = "KEY=VALUE",
              description = "A key of hbase-site.xml, for a new cluster.")
          Map<String, String> settings)
      throws IOException, InterruptedException {
    ClusterFolder place = new ClusterFolder(path());
    LocalCluster cluster;
    if (place.exists()) {
      if (masters != null || servers != null || dataNodes != null || rootDir != null) {
        throw new LauncherException(
            "there already is a cluster in "
                + place.path()
                + ", and its processes cannot change; remove the folder to create another one");
      }
      if (settings != null) {
        throw new LauncherException(
            "-D is for a new cluster; change "
                + place.path().resolve("conf/hbase-site.xml")
                + " and restart the processes");
      }
      cluster = open();
    } else {
      int stores = rootDir != null ? 0 : dataNodes == null ? DATA_NODES : dataNodes;
      if (rootDir == null && stores < 1) {
        throw new LauncherException("a cluster needs at least one DataNode, or --rootdir");
      }
      ClusterPlan plan =
          ClusterPlan.of(
              new ClusterPlan.Counts(
                  masters == null ? 1 : masters, servers == null ? 3 : servers, stores),
              Optional.ofNullable(rootDir),
              settings == null ? Map.of() : new TreeMap<>(settings));
      cluster = LocalCluster.create(path(), plan, commands());
    }
    PrintWriter out = out();
    cluster.start(
        line -> {
          out.println(line);
          out.flush();
        });
    describe(cluster, out);
  }

  @Command(
      name = "stop",
      description = "Stops all processes cleanly.",
      mixinStandardHelpOptions = true)
  void stop() throws IOException, InterruptedException {
    List<Node> killed = open().stopAll();
    out()
        .println(
            killed.isEmpty()
                ? "The cluster has stopped."
                : "The cluster has stopped. These processes did not end and were killed: "
                    + killed.stream().map(Node::name).collect(Collectors.joining(", ")));
    out().flush();
  }

  @Command(
      name = "status",
      description = "Shows the processes, their ports and their health.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:a process of the cluster runs", "1:an error", "3:none runs"})
  int status() throws IOException {
    LocalCluster cluster = open();
    PrintWriter out = out();
    List<LocalCluster.NodeState> states = cluster.states();
    for (LocalCluster.NodeState state : states) {
      String process = state.pid().map(pid -> "process " + pid).orElse("not running");
      String health = state.health().map(status -> ", health " + status.word()).orElse("");
      out.printf(
          "  %-10s %-16s port %d%s%s%n",
          state.node().name(),
          process,
          state.node().port(),
          state.frozen() ? ", frozen" : "",
          health);
    }
    describe(cluster, out);
    return states.stream().anyMatch(state -> state.pid().isPresent())
        ? StatusCommand.RUNNING
        : StatusCommand.STOPPED;
  }

  @Command(
      name = "kill",
      description = "Kills a process (SIGKILL).",
      mixinStandardHelpOptions = true)
  void kill(@Parameters(paramLabel = "NAME", description = "Its name in status.") String name)
      throws IOException, InterruptedException {
    open().kill(name);
  }

  @Command(
      name = "freeze",
      description = "Suspends a process (SIGSTOP).",
      mixinStandardHelpOptions = true)
  void freeze(@Parameters(paramLabel = "NAME", description = "Its name in status.") String name)
      throws IOException, InterruptedException {
    open().freeze(name);
  }

  @Command(
      name = "thaw",
      description = "Resumes a frozen process (SIGCONT).",
      mixinStandardHelpOptions = true)
  void thaw(@Parameters(paramLabel = "NAME", description = "Its name in status.") String name)
      throws IOException, InterruptedException {
    open().thaw(name);
  }

  @Command(
      name = "restart",
      description = "Stops a process cleanly, if it runs, and starts it.",
      mixinStandardHelpOptions = true)
  void restart(@Parameters(paramLabel = "NAME", description = "Its name in status.") String name)
      throws IOException, InterruptedException {
    open().restart(name);
  }

  private static void describe(LocalCluster cluster, PrintWriter out) {
    ClusterPlan plan = cluster.plan();
    Descriptions.line(
        "ZooKeeper", "127.0.0.1:" + plan.nodes(NodeKind.ZOOKEEPER).get(0).port(), out);
    Descriptions.line("hbase.rootdir", plan.rootDirUrl(), out);
    for (Node node : plan.nodes()) {
      if (node.kind() == NodeKind.MASTER) {
        Descriptions.line(node.name(), "http://127.0.0.1:" + node.webPort() + "/", out);
      }
    }
    Descriptions.line("logs", cluster.folder().path().resolve("logs"), out);
    Descriptions.line("clients", "export HBASE_CONF_DIR=" + cluster.folder().conf(), out);
    out.flush();
  }

  private LocalCluster open() throws IOException {
    return LocalCluster.open(path(), commands());
  }

  private Path path() {
    return folder != null ? folder.toAbsolutePath() : home().resolve("cluster");
  }

  private InstalledCommands commands() {
    cairn.logErrorsOnly(); // this process uses Hadoop's client to prepare HDFS
    return new InstalledCommands(home(), Path.of(System.getProperty("java.home"), "bin", "java"));
  }

  private Path home() {
    return cairn
        .installation()
        .home()
        .orElseThrow(() -> new LauncherException("only bin/cairn can start a cluster"));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
