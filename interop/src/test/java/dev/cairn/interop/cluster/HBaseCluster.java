package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.HBaseCommand;
import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A distributed Apache HBase: one master and one region server, each a process of its own, on the
 * HDFS, the ZooKeeper and the ports of a cluster whose own master and region server do not run
 * meanwhile. One thread.
 */
final class HBaseCluster implements AutoCloseable {
  private static final String MASTER = "org.apache.hadoop.hbase.master.HMaster";
  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer";
  private static final long START_SECONDS_MAX = 300;

  private final HBaseCommand command;
  private final List<Process> processes = new ArrayList<>();

  /**
   * Prepares HBase.
   *
   * @param folder for its settings and its output
   * @param cluster has one master and one region server
   */
  HBaseCluster(Path folder, ClusterProcesses cluster) throws IOException {
    this.command = new HBaseCommand(Files.createDirectories(folder));
    Path conf = cluster.local().folder().conf();
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      Files.copy(conf.resolve(file), folder.resolve(file));
    }
    command.writeSite(site(cluster.local().plan()));
  }

  private Map<String, String> site(ClusterPlan plan) {
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.rootdir", plan.rootDirUrl());
    site.put("hbase.tmp.dir", command.folder().resolve("tmp").toString());
    site.put("hbase.zookeeper.quorum", "127.0.0.1");
    site.put(
        "hbase.zookeeper.property.clientPort",
        String.valueOf(plan.nodes(NodeKind.ZOOKEEPER).get(0).port()));
    site.put("hbase.master.port", port(plan, NodeKind.MASTER));
    site.put("hbase.regionserver.port", port(plan, NodeKind.REGION_SERVER));
    for (String role : List.of("master", "regionserver")) {
      site.put("hbase." + role + ".ipc.address", "127.0.0.1");
      site.put("hbase." + role + ".hostname", "127.0.0.1");
      site.put("hbase." + role + ".info.port", "-1");
    }
    site.put("hbase.unsafe.regionserver.hostname", "127.0.0.1");
    site.put("hbase.regionserver.msginterval", "100");
    site.put("hbase.master.wait.on.regionservers.interval", "50");
    site.put("hbase.master.wait.on.regionservers.maxtostart", "1");
    site.put("hbase.regionserver.handler.count", "5");
    return site;
  }

  private static String port(ClusterPlan plan, NodeKind kind) {
    return String.valueOf(plan.nodes(kind).get(0).port());
  }

  /** Starts both processes and waits until the master serves. */
  void start() throws IOException, InterruptedException {
    processes.clear();
    Process master = launch(MASTER, output("master"));
    Process regionServer = launch(REGION_SERVER, output("regionserver"));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!Files.readString(output("master")).contains(HBaseCommand.READY)) {
      assertThat(master.isAlive()).as("HBase ended:\n%s", text("master")).isTrue();
      assertThat(regionServer.isAlive()).as("HBase ended:\n%s", text("regionserver")).isTrue();
      assertThat(System.nanoTime()).as("HBase hangs:\n%s", text("master")).isLessThan(end);
      master.waitFor(50, TimeUnit.MILLISECONDS);
    }
  }

  private Process launch(String main, Path output) throws IOException {
    Process process = command.launch(main, output, "384m");
    processes.add(process);
    return process;
  }

  private Path output(String role) {
    return command.folder().resolve(role + ".out");
  }

  private String text(String role) throws IOException {
    return Files.readString(output(role));
  }

  /** Ends both processes at once, with SIGKILL. */
  void kill() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
