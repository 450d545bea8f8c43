package dev.cairn.launcher.cluster;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.launcher.cluster.ClusterPlan.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The folder of a local cluster:
 *
 * <pre>
 *   cluster.properties   the plan: processes and ports
 *   conf/                hbase-site.xml, core-site.xml, hdfs-site.xml of servers and clients
 *   hdfs/NAME/           the settings of a process of HDFS
 *   data/NAME/           the data of a process of HDFS, or of ZooKeeper
 *   run/NAME.pid         the identity of a process
 *   logs/NAME.log        the output of a process
 * </pre>
 *
 * @param path absolute
 */
public record ClusterFolder(Path path) {
  private static final String SITE = "hbase-site.xml";
  private static final String CORE = "core-site.xml";
  private static final String HDFS = "hdfs-site.xml";
  private static final String LOCALHOST = "127.0.0.1";

  /** The log configuration of HDFS's processes. */
  private static final String HDFS_LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0}: %msg%n</pattern></encoder>
        </appender>
        <root level="INFO"><appender-ref ref="out"/></root>
      </configuration>
      """;

  /** Returns the folder with the settings of clients and servers. */
  public Path conf() {
    return path.resolve("conf");
  }

  /** Returns the file with the output of a process. */
  public Path log(Node node) {
    return path.resolve("logs").resolve(node.name() + ".log");
  }

  /** Returns the file that names a running process. */
  Path pid(Node node) {
    return path.resolve("run").resolve(node.name() + ".pid");
  }

  /** Returns the folder with the data of a process. */
  Path data(Node node) {
    return path.resolve("data").resolve(node.name());
  }

  /** Returns the folder with the settings of a process of HDFS. */
  Path hdfsConf(Node node) {
    return path.resolve("hdfs").resolve(node.name());
  }

  /** Returns the file with the plan. */
  Path plan() {
    return path.resolve("cluster.properties");
  }

  /** Tells whether the folder contains a cluster. */
  public boolean exists() {
    return Files.exists(plan());
  }

  /**
   * Writes the settings, and the plan last: a folder with a plan has all settings, also after a
   * power cut.
   */
  void write(ClusterPlan plan) throws IOException {
    for (Path folder : List.of(path.resolve("run"), path.resolve("logs"))) {
      Files.createDirectories(folder);
    }
    write(conf().resolve(SITE), xml(site(plan)));
    if (plan.rootDir().isEmpty()) {
      Map<String, String> core = Map.of("fs.defaultFS", plan.defaultFileSystem());
      write(conf().resolve(CORE), xml(core));
      write(conf().resolve(HDFS), xml(hdfsClient(plan)));
      for (Node node : plan.nodes()) {
        if (node.kind().isOfHdfs()) {
          Path folder = hdfsConf(node);
          Map<String, String> ofNode = new TreeMap<>(core);
          ofNode.put("hadoop.tmp.dir", path.resolve("data/tmp").toString());
          write(folder.resolve(CORE), xml(ofNode));
          write(folder.resolve(HDFS), xml(hdfsServer(plan, node)));
          write(folder.resolve("logback.xml"), HDFS_LOGBACK);
        }
      }
    }
    plan.write(plan());
  }

  /** Writes a file atomically and durably. Creates the folders above it. */
  static void write(Path file, String text) throws IOException {
    new LocalStorage(file.toAbsolutePath().getParent())
        .writeAll(file.getFileName().toString(), text.getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, String> site(ClusterPlan plan) {
    Node zooKeeper = plan.nodes(NodeKind.ZOOKEEPER).get(0);
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.rootdir", plan.rootDirUrl());
    site.put("hbase.zookeeper.quorum", LOCALHOST);
    site.put("hbase.zookeeper.property.clientPort", String.valueOf(zooKeeper.port()));
    site.put("hbase.zookeeper.property.dataDir", data(zooKeeper).toString());
    site.put("hbase.zookeeper.property.tickTime", "500");
    site.put("zookeeper.session.timeout", "10000");
    // A master waits for all region servers, and not for others after them.
    String servers = String.valueOf(plan.nodes(NodeKind.REGION_SERVER).size());
    site.put("hbase.master.wait.on.regionservers.maxtostart", servers);
    site.put("cairn.bind.address", LOCALHOST);
    site.put("cairn.hostname", LOCALHOST);
    site.putAll(plan.settings());
    return site;
  }

  private static Map<String, String> hdfsClient(ClusterPlan plan) {
    return Map.of(
        "dfs.replication",
        replication(plan),
        // With three DataNodes, there is no spare one to replace a lost DataNode.
        "dfs.client.block.write.replace-datanode-on-failure.best-effort",
        "true");
  }

  private Map<String, String> hdfsServer(ClusterPlan plan, Node node) {
    Node nameNode = plan.nodes(NodeKind.NAME_NODE).get(0);
    Map<String, String> settings = new TreeMap<>(hdfsClient(plan));
    settings.put("dfs.namenode.name.dir", data(nameNode).toUri().toString());
    settings.put("dfs.namenode.rpc-bind-host", LOCALHOST);
    settings.put("dfs.namenode.http-address", LOCALHOST + ":" + nameNode.webPort());
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.heartbeat.interval", "1");
    settings.put("dfs.namenode.heartbeat.recheck-interval", "5000");
    settings.put("dfs.namenode.stale.datanode.interval", "5000");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    if (node.kind() == NodeKind.DATA_NODE) {
      settings.put("dfs.datanode.data.dir", data(node).toUri().toString());
      settings.put("dfs.datanode.hostname", LOCALHOST);
      settings.put("dfs.datanode.address", LOCALHOST + ":" + node.ports().get(0));
      settings.put("dfs.datanode.ipc.address", LOCALHOST + ":" + node.ports().get(1));
      settings.put("dfs.datanode.http.address", LOCALHOST + ":" + node.ports().get(2));
    }
    return settings;
  }

  private static String replication(ClusterPlan plan) {
    return String.valueOf(Math.min(3, plan.nodes(NodeKind.DATA_NODE).size()));
  }

  private static String xml(Map<String, String> properties) {
    return new TreeMap<>(properties)
        .entrySet().stream()
            .map(
                entry ->
                    "  <property><name>%s</name><value>%s</value></property>\n"
                        .formatted(escaped(entry.getKey()), escaped(entry.getValue())))
            .collect(
                Collectors.joining(
                    "", "<?xml version=\"1.0\"?>\n<configuration>\n", "</configuration>\n"));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
