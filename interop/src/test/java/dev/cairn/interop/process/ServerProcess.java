package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.launcher.cluster.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * A server in a process of its own, as {@code bin/cairn standalone} runs it, with a configuration
 * folder and a data folder below one directory. It is started, killed and started again on the same
 * ports, so that clients can go on. One thread.
 */
final class ServerProcess implements AutoCloseable {
  static final String MAIN = "dev.cairn.launcher.Cairn";
  private static final long START_SECONDS_MAX = 300;

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20}: %msg%n</pattern></encoder>
        </appender>
        <logger name="dev.cairn" level="INFO"/>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  private final Path configFolder;
  private final Path dataFolder;
  private final Path output;
  private final Map<String, String> settings = new TreeMap<>();
  private Optional<Path> patch = Optional.empty();
  private Process process;

  /** Prepares a server below {@code directory}, with ports that nobody uses now. */
  ServerProcess(Path directory) throws IOException {
    this(directory, directory.resolve("data"));
  }

  /**
   * Prepares a server with ports that nobody uses now.
   *
   * @param directory the directory of its settings and its output
   * @param dataFolder its data folder
   */
  ServerProcess(Path directory, Path dataFolder) throws IOException {
    configFolder = Files.createDirectories(directory.resolve("conf"));
    this.dataFolder = dataFolder;
    output = directory.resolve("output");
    List<Integer> ports = new FreePorts().take(3);
    set("hbase.rootdir", dataFolder.toString());
    set("hbase.master.port", ports.get(0).toString());
    set("hbase.regionserver.port", ports.get(1).toString());
    set("hbase.zookeeper.property.clientPort", ports.get(2).toString());
    set("hbase.master.info.port", "-1");
    set("hbase.regionserver.info.port", "-1");
    set("hbase.master.ipc.address", "127.0.0.1");
    set("hbase.regionserver.ipc.address", "127.0.0.1");
    set("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    set("cairn.hostname", "127.0.0.1");
    Files.writeString(configFolder.resolve("logback.xml"), LOGBACK);
  }

  /** Sets a key of {@code hbase-site.xml}, for the next start. */
  ServerProcess set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Puts a folder of classes in front of the class path, for the next start. */
  ServerProcess patch(Path classes) {
    patch = Optional.of(classes);
    return this;
  }

  /** Returns the value of a key that was set. */
  String setting(String key) {
    return settings.get(key);
  }

  Path configFolder() {
    return configFolder;
  }

  Path dataFolder() {
    return dataFolder;
  }

  /** Returns all that the process wrote to standard output and standard error since the first. */
  String output() throws IOException {
    return Files.exists(output) ? Files.readString(output) : "";
  }

  /** Starts the process, and does not wait for it. */
  void launch() throws IOException {
    writeSite();
    process = launch(configFolder, output, patch);
  }

  /** Writes the settings into {@code hbase-site.xml}. */
  void writeSite() throws IOException {
    String properties =
        settings.entrySet().stream()
            .map(
                entry ->
                    "<property><name>%s</name><value>%s</value></property>\n"
                        .formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining());
    Files.writeString(
        configFolder.resolve("hbase-site.xml"),
        "<configuration>\n" + properties + "</configuration>\n");
  }

  /** Starts a server with the settings in {@code configFolder}; its output goes to {@code log}. */
  static Process launch(Path configFolder, Path log) throws IOException {
    return launch(configFolder, log, Optional.empty());
  }

  private static Process launch(Path configFolder, Path log, Optional<Path> patch)
      throws IOException {
    String classPath = ServerClassPath.get();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ServerClassPath.JAVA_OPTIONS);
    if (patch.isEmpty()) {
      command.addAll(ClassArchive.CAIRN.options());
    }
    command.addAll(
        List.of(
            "-cp",
            patch.map(classes -> classes + File.pathSeparator + classPath).orElse(classPath),
            MAIN));
    command.addAll(List.of("standalone", "--config", configFolder.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Waits until the launched process says that it serves. */
  void awaitServing() throws IOException, InterruptedException {
    Path status = dataFolder.resolve("cairn.status");
    String own = "pid=" + process.pid();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!Files.exists(status) || !Files.readString(status).contains(own)) {
      assertThat(process.isAlive()).as("the server ended:\n%s", output()).isTrue();
      assertThat(System.nanoTime()).as("not serving:\n%s", output()).isLessThan(end);
      process.waitFor(5, TimeUnit.MILLISECONDS);
    }
  }

  /** Starts the process and waits until it serves. */
  ServerProcess start() throws IOException, InterruptedException {
    launch();
    awaitServing();
    return this;
  }

  /** Tells whether the process runs. */
  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Ends the process at once, with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops all threads of the process. None of them is within a system call then. */
  void freeze() throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    assertThat(status).isZero();
    Eventually.holds(() -> threadStates().matches("T*"), "all threads are stopped");
  }

  /** Returns the states of the threads as Linux tells them, one letter each. */
  private String threadStates() throws IOException {
    StringBuilder states = new StringBuilder();
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        String stat = Files.readString(thread.resolve("stat"));
        states.append(stat.charAt(stat.lastIndexOf(')') + 2));
      }
    }
    return states.toString();
  }

  /** Asks the process to end, with SIGTERM; returns its exit status. */
  int terminate(long seconds) throws IOException, InterruptedException {
    process.destroy();
    assertThat(process.waitFor(seconds, TimeUnit.SECONDS))
        .as("not stopped:\n%s", output())
        .isTrue();
    return process.exitValue();
  }

  /**
   * Returns the configuration of a client that goes on trying while the server is away. It holds
   * for every start.
   */
  Configuration patientClient() {
    return client(1000);
  }

  /**
   * Returns the configuration of a client that fails soon when the server is away. It asks the
   * servers where regions are: to find out that there is no ZooKeeper takes the client 10 s.
   */
  Configuration impatientClient() {
    Configuration client = client(4);
    askServers(client, setting("hbase.regionserver.port"));
    return client;
  }

  /** Lets a client find regions through the servers, and not through ZooKeeper. */
  static void askServers(Configuration client, String port) {
    client.set(
        "hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    client.set("hbase.client.bootstrap.servers", "127.0.0.1:" + port);
  }

  private Configuration client(int retries) {
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", "127.0.0.1");
    client.set(
        "hbase.zookeeper.property.clientPort", setting("hbase.zookeeper.property.clientPort"));
    client.setInt("hbase.client.retries.number", retries);
    client.setInt("hbase.client.pause", 10);
    client.setInt("hbase.rpc.timeout", 20_000);
    client.setInt("hbase.client.operation.timeout", 60_000);
    client.setInt("hbase.client.meta.operation.timeout", 60_000);
    client.setInt("hbase.ipc.client.failed.servers.expiry", 50);
    client.setInt("zookeeper.recovery.retry.intervalmill", 50);
    // How long the server may be away, on a machine that has much else to do, without the client
    // giving up for good.
    client.setInt("zookeeper.registry.async.get.timeout", 120_000);
    return client;
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      kill();
    }
  }
}
