package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.launcher.cluster.NodeKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A distributed Apache HBase: one master and one region server, each a process of its own, on the
 * HDFS, the ZooKeeper and the ports of a cluster whose own master and region server do not run
 * meanwhile. One thread.
 */
final class HBaseCluster implements AutoCloseable {
  private static final String MASTER = "org.apache.hadoop.hbase.master.HMaster";
  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer";
  private static final String READY = "Master has completed initialization";
  private static final long START_SECONDS_MAX = 300;

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20}: %msg%n</pattern></encoder>
        </appender>
        <logger name="org.apache.hadoop.hbase" level="INFO"/>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  /** The packages that Hadoop and Netty use in Java 17, as HBase's own scripts open them. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.nio",
          "java.base/sun.nio.ch",
          "java.base/java.lang",
          "java.base/java.io",
          "java.base/jdk.internal.ref",
          "java.base/java.lang.reflect",
          "java.base/java.util",
          "java.base/java.util.concurrent");

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();

  /**
   * Prepares HBase.
   *
   * @param folder for its settings and its output
   * @param cluster has one master and one region server
   */
  HBaseCluster(Path folder, ClusterProcesses cluster) throws IOException {
    this.folder = Files.createDirectories(folder);
    Path conf = cluster.local().folder().conf();
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      Files.copy(conf.resolve(file), folder.resolve(file));
    }
    Files.writeString(folder.resolve("logback.xml"), LOGBACK);
    Files.writeString(folder.resolve("hbase-site.xml"), site(cluster.local().plan()));
  }

  private String site(ClusterPlan plan) {
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.rootdir", plan.rootDirUrl());
    site.put("hbase.tmp.dir", folder.resolve("tmp").toString());
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
    return site.entrySet().stream()
        .map(
            entry ->
                "<property><name>%s</name><value>%s</value></property>\n"
                    .formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n"));
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
    while (!Files.readString(output("master")).contains(READY)) {
      assertThat(master.isAlive()).as("HBase ended:\n%s", text("master")).isTrue();
      assertThat(regionServer.isAlive()).as("HBase ended:\n%s", text("regionserver")).isTrue();
      assertThat(System.nanoTime()).as("HBase hangs:\n%s", text("master")).isLessThan(end);
      master.waitFor(50, TimeUnit.MILLISECONDS);
    }
  }

  private Process launch(String main, Path output) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx384m",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
                "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
    OPENED.forEach(name -> command.add("--add-opens=" + name + "=ALL-UNNAMED"));
    command.addAll(List.of("-cp", folder + File.pathSeparator + classPath(), main, "start"));
    Files.writeString(output, "");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    processes.add(process);
    return process;
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Path output(String role) {
    return folder.resolve(role + ".out");
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
