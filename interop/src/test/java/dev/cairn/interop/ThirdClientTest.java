package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase's client of version 3 in a JVM of its own, with its own way to find the servers: it asks
 * those that {@code hbase.client.bootstrap.servers} names.
 */
@Timeout(120)
class ThirdClientTest {
  private static final Path JARS = Path.of("target", "client3");

  @TempDir Path folder;

  @Test
  void aProgramWithTheClientOfVersionThree() throws Exception {
    try (CairnServer server = CairnServer.start()) {
      String bootstrap =
          server.configurationWithoutZooKeeper().get("hbase.client.bootstrap.servers");
      assertThat(run("hbase.client.bootstrap.servers=" + bootstrap))
          .containsExactly(
              "> client: 3.0.0-beta-1",
              "> get: 1",
              "> scan: [a=1, b=2, n=3, z=4]",
              "> reversed: [z=4, n=3, b=2, a=1]",
              "> increment: 5",
              "> append: 1+",
              "> check: true",
              "> batch: 22",
              "> left: [b=22, c=5]",
              "> more: [n=3]",
              "> refused: NoSuchColumnFamilyException",
              "> regions: 2",
              "> exists: false");
    }
  }

  private List<String> run(String setting) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                classPath(),
                ClientProgram.class.getName(),
                setting)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(60, TimeUnit.SECONDS);
      String all = Files.readString(output);
      assertThat(ended).as(all).isTrue();
      assertThat(process.exitValue()).as(all).isZero();
      return all.lines().filter(line -> line.startsWith("> ")).toList();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The class path of this test, with the jars of the other version in place of HBase's own. */
  private static String classPath() throws Exception {
    List<String> path = new ArrayList<>();
    try (Stream<Path> jars = Files.list(JARS)) {
      jars.map(jar -> jar.toAbsolutePath().toString()).forEach(path::add);
    }
    assertThat(path).as("jars that the build puts into " + JARS).isNotEmpty();
    String own =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : own.split(File.pathSeparator)) {
      if (!Path.of(entry).getFileName().toString().startsWith("hbase-")) {
        path.add(entry);
      }
    }
    return String.join(File.pathSeparator, path);
  }
}
