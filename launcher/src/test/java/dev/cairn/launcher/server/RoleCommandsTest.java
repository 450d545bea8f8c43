package dev.cairn.launcher.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CairnCommand;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands for the processes of a cluster, with real processes. A script that runs this JVM's
 * class path stands in for {@code bin/cairn}.
 */
@Timeout(300)
class RoleCommandsTest {
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:\\d+");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> site = new TreeMap<>();
  private final Deque<List<String>> stops = new ArrayDeque<>();

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Path script = Files.createDirectories(home.resolve("bin")).resolve("cairn");
    Files.writeString(
        script,
        """
        #!/bin/sh
        exec '%s' -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \\
          --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \\
          --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED \\
          -Dcairn.home='%s' -cp '%s' dev.cairn.launcher.Cairn "$@"
        """
            .formatted(Path.of(System.getProperty("java.home"), "bin", "java"), home, classPath()));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  @AfterEach
  void stopWhatRuns() {
    while (!stops.isEmpty()) {
      run(stops.pop().toArray(String[]::new));
    }
  }

  @Test
  void aProcessStartsOnceInTheBackgroundAndStops() throws IOException {
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.rootdir", home.resolve("root").toUri().toString());
    site.put("hbase.zookeeper.property.dataDir", home.resolve("zookeeper").toString());
    site.put("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    site.put("hbase.master.port", "0");
    site.put("hbase.master.info.port", "0");
    site.put("cairn.bind.address", "127.0.0.1");
    site.put("cairn.hostname", "127.0.0.1");
    writeSite();

    assertThat(run("status", "master")).isEqualTo(StatusCommand.STOPPED);
    assertThat(output()).isEqualTo("Master is not running.\n");

    stops.push(List.of("stop", "zookeeper", "--name", "zk1"));
    String anyPort = "hbase.zookeeper.property.clientPort=0";
    assertThat(run("start", "zookeeper", "--name", "zk1", "-D", anyPort))
        .as(err::toString)
        .isZero();
    String started = output();
    assertThat(started).contains("ZooKeeper serves.\n"); // after what a slow start says
    assertThat(run("status", "zookeeper")).as("another name").isEqualTo(StatusCommand.STOPPED);
    assertThat(run("status", "zookeeper", "--name", "zk1")).isEqualTo(StatusCommand.RUNNING);
    Matcher address = ADDRESS.matcher(started);
    assertThat(address.find()).as(started).isTrue();
    site.put("hbase.zookeeper.quorum", address.group());
    writeSite();

    stops.push(List.of("stop", "master"));
    Path root = home.resolve("other");
    assertThat(run("start", "master", "-D", "hbase.rootdir=" + root.toUri()))
        .as(err::toString)
        .isZero();
    output();
    assertThat(run("status", "master")).isEqualTo(StatusCommand.RUNNING);
    assertThat(output()).contains("Master has been serving for", address.group(), root.toString());

    assertThat(run("start", "master")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("cairn: cairn-master is already running (process ")
        .endsWith("); name another one with --name\n");

    output();
    assertThat(run("stop", "master")).isZero();
    assertThat(output()).startsWith("cairn-master stopped (process ");
    assertThat(run("status", "master")).isEqualTo(StatusCommand.STOPPED);
    assertThat(run("stop", "master")).isZero();
    assertThat(output()).endsWith("cairn-master is not running.\n");
    assertThat(run("stop", "zookeeper", "--name", "zk1")).isZero();
    assertThat(output()).startsWith("cairn-zk1 stopped (process ");
  }

  @Test
  void aClusterStartsShowsItsProcessesAndStops() {
    String folder = home.resolve("cluster").toString();
    stops.push(List.of("cluster", "stop", "--folder", folder));
    assertThat(
            run(
                "cluster",
                "start",
                "--folder",
                folder,
                "--masters",
                "1",
                "--servers",
                "1",
                "--rootdir",
                home.resolve("root").toUri().toString()))
        .as(err::toString)
        .isZero();
    assertThat(output()).contains("hbase.rootdir", "export HBASE_CONF_DIR=" + folder + "/conf");

    assertThat(run("cluster", "freeze", "rs1", "--folder", folder)).as(err::toString).isZero();
    assertThat(run("cluster", "status", "--folder", folder)).isZero();
    assertThat(output()).containsPattern("rs1 +process \\d+ +port \\d+, frozen\n");
    assertThat(run("cluster", "thaw", "rs1", "--folder", folder)).isZero();

    assertThat(run("cluster", "kill", "rs1", "--folder", folder)).isZero();
    assertThat(run("cluster", "status", "--folder", folder)).isZero();
    assertThat(output())
        .containsPattern("rs1 +not running")
        .containsPattern("master1 +process \\d+")
        .containsPattern("zk +process \\d+");
    assertThat(run("cluster", "restart", "rs1", "--folder", folder)).as(err::toString).isZero();

    assertThat(run("cluster", "start", "--folder", folder, "--servers", "2")).isEqualTo(1);
    assertThat(err.toString()).contains("there already is a cluster in " + folder);
    assertThat(run("cluster", "kill", "rs7", "--folder", folder)).isEqualTo(1);
    assertThat(err.toString()).contains("rs7");

    assertThat(run("cluster", "stop", "--folder", folder)).isZero();
    assertThat(output()).contains("The cluster has stopped.").doesNotContain("were killed");
    assertThat(run("cluster", "status", "--folder", folder)).isEqualTo(3);
    assertThat(output()).doesNotContainPattern("process \\d+");
  }

  private void writeSite() throws IOException {
    String properties =
        site.entrySet().stream()
            .map(
                entry ->
                    "<property><name>%s</name><value>%s</value></property>"
                        .formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining());
    Files.writeString(
        Files.createDirectories(home.resolve("conf")).resolve("hbase-site.xml"),
        "<configuration>" + properties + "</configuration>");
  }

  /** Returns what the commands have printed since the last call. */
  private String output() {
    String text = out.toString();
    out.getBuffer().setLength(0);
    return text;
  }

  private int run(String... arguments) {
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    return new CairnCommand(
            (config, source, storage, folder, notice) -> {
              throw new IOException("no standalone server here");
            },
            properties,
            Map.of("PATH", System.getenv("PATH")))
        .commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
