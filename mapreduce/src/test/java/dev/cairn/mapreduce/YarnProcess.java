package dev.cairn.mapreduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * A YARN cluster in a process of its own, because Hadoop's own jars conflict with the shaded client
 * in this JVM. One thread.
 */
final class YarnProcess implements AutoCloseable {
  private static final long START_SECONDS_MAX = 240;
  private static final String OPENED =
      "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED";

  private final Process process;
  private final Path ready;

  private YarnProcess(Process process, Path ready) {
    this.process = process;
    this.ready = ready;
  }

  /**
   * Starts a cluster, and waits until it runs.
   *
   * @param folder for all its files; it is empty
   * @param sources the folder of {@code pom.xml} and {@code YarnCluster.java}
   */
  static YarnProcess start(Path folder, Path sources) throws IOException, InterruptedException {
    String classPath = classPath(folder, sources);
    Configuration settings = new Configuration(false);
    settings.set("fs.defaultFS", "file:///");
    settings.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    settings.set("yarn.app.mapreduce.am.staging-dir", folder.resolve("staging").toString());
    settings.set("yarn.is.minicluster", "false"); // The jobs' class path is not that of this JVM.
    settings.set("yarn.application.classpath", classPath.replace(':', ','));
    settings.set("mapreduce.application.classpath", "");
    settings.set("mapreduce.framework.name", "yarn");
    // Hadoop does not copy jars from the default file system; with a wildcard it looks for copies.
    settings.set("mapreduce.client.libjars.wildcard", "false");
    settings.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m -XX:+UseSerialGC " + OPENED);
    for (String kind : List.of("map", "reduce")) {
      settings.set("mapreduce." + kind + ".java.opts", "-Xmx256m -XX:+UseSerialGC " + OPENED);
      settings.set("mapreduce." + kind + ".memory.mb", "512");
      settings.set("mapreduce." + kind + ".speculative", "false");
    }
    settings.set("yarn.app.mapreduce.am.resource.mb", "512");
    settings.set("yarn.scheduler.minimum-allocation-mb", "256");
    settings.set("yarn.nodemanager.disk-health-checker.enable", "false");
    settings.set("yarn.nodemanager.vmem-check-enabled", "false");
    settings.set("yarn.nodemanager.bind-host", "127.0.0.1");
    settings.set("yarn.resourcemanager.bind-host", "127.0.0.1");
    Path site = folder.resolve("site.xml");
    try (var output = Files.newOutputStream(site)) {
      settings.writeXml(output);
    }
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder builder =
        new ProcessBuilder(
                java.toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-cp",
                classPath,
                sources.resolve("YarnCluster.java").toString(),
                site.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("yarn.log").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path ready = folder.resolve("ready.xml");
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process process = builder.start();
      process.onExit().thenRun(() -> touch(folder.resolve("ended")));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
      while (!Files.exists(ready)) {
        if (!process.isAlive() || System.nanoTime() > end) {
          process.destroyForcibly();
          throw new IOException(
              "The cluster did not start: " + Files.readString(folder.resolve("yarn.log")));
        }
        var events = watch.poll(1, TimeUnit.SECONDS);
        if (events != null) {
          events.pollEvents();
          events.reset();
        }
      }
      return new YarnProcess(process, ready);
    }
  }

  private static void touch(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      // The folder is gone, so no caller waits.
    }
  }

  private static String classPath(Path folder, Path sources)
      throws IOException, InterruptedException {
    Path list = folder.resolve("classpath");
    Process maven =
        new ProcessBuilder(
                "mvn",
                "-B",
                "-q",
                "-f",
                sources.resolve("pom.xml").toString(),
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-DincludeScope=runtime",
                "-Dmdep.outputFile=" + list)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("maven.log").toFile())
            .start();
    if (maven.waitFor() != 0) {
      throw new IOException(
          "Maven did not find Hadoop: " + Files.readString(folder.resolve("maven.log")));
    }
    return Files.readString(list).strip();
  }

  /** Adds what a job needs to run on the cluster. */
  void addTo(Configuration configuration) {
    Configuration settings = new Configuration(false);
    settings.addResource(new org.apache.hadoop.fs.Path(ready.toUri()));
    for (var setting : settings) {
      String key = setting.getKey();
      if (key.matches("(yarn|mapreduce)[.].*|fs[.]defaultFS")) {
        configuration.set(key, setting.getValue());
      }
    }
    configuration.set("yarn.is.minicluster", "false");
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close(); // It ends with its input.
    try {
      if (process.waitFor(60, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
