package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Runs the processes whose classes a {@link ClassArchive} records. */
final class ClassRecording {
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20}: %msg%n</pattern></encoder>
        </appender>
        <root level="INFO"><appender-ref ref="out"/></root>
      </configuration>
      """;

  /** The exit values of a process that was asked to end; another one may leave half an archive. */
  private static final List<Integer> STOPPED = List.of(0, 143);

  private static final long SECONDS_MAX = 300;
  private static final long LOOK_MILLIS = 50;

  private ClassRecording() {}

  /** Runs {@code cairn warm-up}. */
  static void cairn(Path folder, List<String> options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(options);
    command.addAll(ServerClassPath.JAVA_OPTIONS);
    command.addAll(List.of("-cp", ServerClassPath.get(), ServerProcess.MAIN, "warm-up"));
    awaitEnd(java(command, folder.resolve("output")), folder);
  }

  /** Starts HBase, creates and flushes a table, and stops HBase. */
  static void hbase(Path folder, List<String> options) throws IOException, InterruptedException {
    ServerProcess places = new ServerProcess(folder);
    try (HBaseProcess hbase = new HBaseProcess(folder.resolve("hbase"), places)) {
      hbase.record(options);
      hbase.awaitServing();
      try (Connection connection = ConnectionFactory.createConnection(places.patientClient());
          Admin admin = connection.getAdmin()) {
        Workload.createTable(connection);
        admin.flush(Workload.TABLE);
      }
      assertThat(hbase.stop(SECONDS_MAX)).isIn(STOPPED);
    }
  }

  /** Formats an HDFS, starts its NameNode, and stops it. DataNodes load mostly the same classes. */
  static void hdfs(Path folder, List<String> options) throws IOException, InterruptedException {
    Path logback = Files.writeString(folder.resolve("logback.xml"), LOGBACK);
    List<String> server =
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlogback.configurationFile=" + logback,
            "-cp",
            ServerClassPath.get(),
            NAME_NODE,
            "-Dfs.defaultFS=hdfs://127.0.0.1:0",
            "-Ddfs.namenode.name.dir=" + folder.resolve("name").toUri(),
            "-Ddfs.namenode.http-address=127.0.0.1:0");
    List<String> format = new ArrayList<>(server);
    format.addAll(List.of("-format", "-force"));
    awaitEnd(java(format, folder.resolve("output")), folder);
    List<String> start = new ArrayList<>(options);
    start.addAll(server);
    Path output = folder.resolve("output");
    Process nameNode = java(start, output);
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
      while (!Files.readString(output).contains("NameNode RPC up at")) {
        assertThat(nameNode.isAlive()).as(Files.readString(output)).isTrue();
        assertThat(System.nanoTime()).as(Files.readString(output)).isLessThan(end);
        nameNode.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      nameNode.destroy();
      assertThat(nameNode.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      assertThat(nameNode.exitValue()).isIn(STOPPED);
    } finally {
      nameNode.destroyForcibly();
    }
  }

  private static Process java(List<String> arguments, Path output) throws IOException {
    List<String> command = new ArrayList<>(arguments);
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static void awaitEnd(Process process, Path folder)
      throws IOException, InterruptedException {
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      String output = Files.readString(folder.resolve("output"));
      assertThat(ended).as(output).isTrue();
      assertThat(process.exitValue()).as(output).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
