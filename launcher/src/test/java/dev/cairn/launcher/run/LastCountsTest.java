package dev.cairn.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CairnCommand;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.site.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Tests the last log lines of a process: the counts of the lines that repeated within its last
 * minute.
 */
class LastCountsTest {
  private static final String AGAIN = "No connection";

  @TempDir private Path folder;

  @Test
  void aStandaloneServerWritesThemAfterItHasStopped() throws Exception {
    assertLastLineIsTheCount(lines(start("standalone")));
  }

  @Test
  void aStandaloneServerThatCannotStartWritesThem() throws Exception {
    assertLastLineIsTheCount(
        lines(start("standalone", "fails")).stream()
            .filter(line -> !line.startsWith(Failures.ERROR_PREFIX))
            .toList());
  }

  @Test
  void aProcessOfAClusterWritesThemWhenItIsAskedToStop() throws Exception {
    Process process = start("zookeeper");
    List<String> lines = new ArrayList<>();
    try {
      BufferedReader output = process.inputReader();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (line.equals(StartOutput.SERVES)) {
          process.toHandle().destroy(); // Process.destroy would close the output
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(lines).anyMatch(LastCountsTest::isCount); // threads of ZooKeeper may still log
  }

  private static boolean isCount(String line) {
    return line.contains("WARN ") && line.contains(AGAIN + " (2 times since ");
  }

  private static void assertLastLineIsTheCount(List<String> lines) {
    assertThat(lines).last().matches(LastCountsTest::isCount, "is a count");
  }

  private static List<String> lines(Process process) throws InterruptedException {
    List<String> lines = process.inputReader().lines().toList();
    process.waitFor();
    return lines;
  }

  private Process start(String... arguments) throws IOException {
    List<String> properties = new ArrayList<>();
    Map<String, String> settings = LocalServer.settings(folder.resolve("data"));
    settings.put("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper").toString());
    settings.forEach(
        (name, value) ->
            properties.add(
                "<property><name>%s</name><value>%s</value></property>".formatted(name, value)));
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        conf.resolve("hbase-site.xml"),
        "<configuration>" + String.join("", properties) + "</configuration>");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=" + Path.of("..", "conf", "logback.xml"),
                "-cp",
                System.getProperty("java.class.path"),
                Repeating.class.getName(),
                conf.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** A command line that logs a line three times, the last time when its server stops. */
  static final class Repeating {
    private Repeating() {}

    /** Runs a command with a server that ends at once, or fails to start if a word follows. */
    public static void main(String[] args) {
      repeat();
      repeat();
      boolean fails = args.length > 2;
      if (args[1].equals("zookeeper")) {
        repeat();
      }
      CairnCommand cairn =
          new CairnCommand(
              (config, source, storage, folder, notice) -> {
                if (fails) {
                  repeat();
                  throw new IOException("no server");
                }
                return new Ended();
              },
              System.getProperties(),
              Map.of());
      System.exit(cairn.commandLine().execute(CairnCommand.CONFIG, args[0], args[1]));
    }

    private static void repeat() {
      LoggerFactory.getLogger(Repeating.class).warn(AGAIN);
    }
  }

  private static final class Ended implements Database.Running {
    @Override
    public Addresses addresses() {
      return new Addresses(
          "localhost:1",
          "localhost:2",
          "localhost:3",
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    @Override
    public boolean awaitStopped() {
      return true;
    }

    @Override
    public void close() {
      Repeating.repeat();
    }
  }
}
