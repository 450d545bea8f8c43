package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Apache HBase itself in a process of its own: master, region server and ZooKeeper in one JVM, as
 * {@code bin/start-hbase.sh} runs it without further settings. It has a data folder and ports of
 * its own, or uses those of a {@link ServerProcess}, which must not run meanwhile. One thread.
 */
final class HBaseProcess implements AutoCloseable {
  private static final String MAIN = "org.apache.hadoop.hbase.master.HMaster";
  private static final String ZOOKEEPER_FOLDER = "hbase.zookeeper.property.dataDir";
  private static final long START_SECONDS_MAX = 300;

  private final HBaseCommand command;
  private final Path output;
  private final Map<String, String> settings = new TreeMap<>();
  private Process process;

  /**
   * Prepares HBase.
   *
   * @param directory where its configuration, its ZooKeeper's data and its output go
   * @param cairn whose data folder and ports it uses
   */
  HBaseProcess(Path directory, ServerProcess cairn) throws IOException {
    this.command = new HBaseCommand(Files.createDirectories(directory));
    this.output = directory.resolve("output");
    for (String key :
        List.of(
            "hbase.master.port",
            "hbase.regionserver.port",
            "hbase.zookeeper.property.clientPort",
            "hbase.zookeeper.property.clientPortAddress",
            "hbase.master.ipc.address",
            "hbase.regionserver.ipc.address")) {
      set(key, cairn.setting(key));
    }
    set("hbase.rootdir", cairn.dataFolder().toUri().toString());
    set("hbase.tmp.dir", directory.resolve("tmp").toString());
    set(ZOOKEEPER_FOLDER, directory.resolve("zookeeper").toString());
    set("hbase.zookeeper.quorum", "127.0.0.1");
    set("hbase.master.hostname", "127.0.0.1");
    set("hbase.regionserver.hostname", "127.0.0.1");
    set("hbase.unsafe.regionserver.hostname", "127.0.0.1");
    set("hbase.master.info.port", "-1");
    set("hbase.regionserver.info.port", "-1");
    set("hbase.unsafe.stream.capability.enforce", "false");
    // It starts and stops some seconds sooner with these.
    set("hbase.regionserver.msginterval", "100");
    set("hbase.master.wait.on.regionservers.interval", "50");
    set("hbase.master.wait.on.regionservers.maxtostart", "1");
    set("hbase.regionserver.handler.count", "5");
  }

  /** Sets a key of {@code hbase-site.xml}, for the next start. */
  HBaseProcess set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Starts the process, and does not wait for it. */
  void launch() throws IOException {
    command.writeSite(settings);
    process = command.launch(MAIN, output, "512m");
  }

  /** Starts the process with options for Java that record its classes, and does not wait. */
  void record(List<String> options) throws IOException {
    process = command.record(MAIN, output, "512m", settings, options);
  }

  /** Starts the process and waits until its master serves. */
  HBaseProcess start() throws IOException, InterruptedException {
    launch();
    awaitServing();
    return this;
  }

  /** Waits until the master of the launched process serves. */
  void awaitServing() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!output().contains(HBaseCommand.READY)) {
      assertThat(process.isAlive()).as("HBase ended:\n%s", output()).isTrue();
      assertThat(System.nanoTime()).as("HBase does not serve:\n%s", output()).isLessThan(end);
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
  }

  /** Lets the next start find an empty ZooKeeper, as after a move to another machine. */
  void forgetZooKeeper() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(settings.get(ZOOKEEPER_FOLDER)))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns what the process wrote since its last start. */
  String output() throws IOException {
    return Files.readString(output);
  }

  /** Ends the process at once, with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops it in order, and returns its exit value. */
  int stop(long seconds) throws IOException, InterruptedException {
    process.destroy();
    assertThat(process.waitFor(seconds, TimeUnit.SECONDS))
        .as("HBase does not stop:\n%s", output())
        .isTrue();
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      kill();
    }
  }
}
