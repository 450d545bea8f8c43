package dev.cairn.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Apache HBase: master, region server and ZooKeeper in one JVM, as its {@code start-hbase.sh} runs
 * it without further settings.
 */
public final class ApacheSide implements Side {
  private static final String MAIN = "org.apache.hadoop.hbase.master.HMaster";

  /** The packages that Hadoop and Netty need opened in Java 17, as in HBase's own scripts. */
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

  private static final String LOGGING =
      """
      status = warn
      appender.file.type = File
      appender.file.name = file
      appender.file.fileName = %s
      appender.file.layout.type = PatternLayout
      appender.file.layout.pattern = %%d{ISO8601} %%-5p [%%t] %%c{2}: %%.1000m%%n
      rootLogger.level = info
      rootLogger.appenderRef.file.ref = file
      logger.zookeeper.name = org.apache.zookeeper
      logger.zookeeper.level = warn
      """;

  private final String classPath;
  private final List<String> javaOptions;

  /**
   * Creates the side.
   *
   * @param classPath of the server
   * @param javaOptions after the heap's size, for example which garbage collector
   */
  public ApacheSide(String classPath, List<String> javaOptions) {
    this.classPath = classPath;
    this.javaOptions = List.copyOf(javaOptions);
  }

  @Override
  public String name() {
    return "HBase";
  }

  @Override
  public ServerProcess start(Path folder, ServerSettings settings) throws IOException {
    List<Integer> ports = Site.freePorts(3);
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    Path conf = folder.resolve("conf");
    Path site =
        new Site()
            .set("hbase.rootdir", settings.rootDirectory(folder))
            .set("hbase.tmp.dir", temporary)
            .set("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper"))
            .set("hbase.zookeeper.quorum", "127.0.0.1")
            .set("hbase.zookeeper.property.clientPort", ports.get(0))
            .set("hbase.zookeeper.property.clientPortAddress", "127.0.0.1")
            .set("hbase.master.hostname", "localhost")
            .set("hbase.master.ipc.address", "127.0.0.1")
            .set("hbase.master.port", ports.get(1))
            .set("hbase.master.info.port", -1)
            .set("hbase.regionserver.hostname", "localhost")
            .set("hbase.unsafe.regionserver.hostname", "localhost")
            .set("hbase.regionserver.ipc.address", "127.0.0.1")
            .set("hbase.regionserver.port", ports.get(2))
            .set("hbase.regionserver.info.port", -1)
            .set("hbase.unsafe.stream.capability.enforce", false) // what it asks for on local disks
            .set("hbase.wal.hsync", settings.synced())
            .set(settings.more())
            .write(conf);
    Path log = folder.resolve("output");
    Files.writeString(
        conf.resolve("log4j2.properties"), LOGGING.formatted(folder.resolve("hbase.log")));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + settings.heap(),
                "-Xmx" + settings.heap()));
    command.addAll(javaOptions);
    OPENED.forEach(name -> command.add("--add-opens=" + name + "=ALL-UNNAMED"));
    command.addAll(
        List.of(
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
            "-Djava.net.preferIPv4Stack=true",
            "-Djava.io.tmpdir=" + temporary,
            "-Dhadoop.home.dir=" + temporary,
            "-Dlog4j2.configurationFile=" + conf.resolve("log4j2.properties"),
            "-cp",
            conf + ":" + classPath,
            MAIN,
            "start"));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new ServerProcess(process, site, settings.dataFolder(folder), log);
  }
}
