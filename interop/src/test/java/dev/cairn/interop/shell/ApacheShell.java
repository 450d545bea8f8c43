package dev.cairn.interop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.versions.ClientJars;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** The shell of HBase 2.4.17, which runs in JRuby, in a JVM of its own. */
final class ApacheShell {
  private static final String MAIN = "org.jruby.JarBootstrapMain";
  private static final int PATIENCE_SECONDS = 240;

  private static final List<String> OPENED =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");

  /** The settings that lead to the server. */
  private static final List<String> SETTINGS =
      List.of("hbase.zookeeper.quorum", "hbase.zookeeper.property.clientPort");

  private ApacheShell() {}

  /**
   * Runs a script as standard input, and returns what the shell prints on standard output.
   *
   * @param folder where settings and output go
   * @param client the settings with which it reaches the server
   */
  static String run(Path folder, Configuration client, String script)
      throws IOException, InterruptedException {
    // The defaults of another version are none of its own settings.
    Configuration settings = new Configuration(false);
    SETTINGS.forEach(key -> settings.set(key, client.get(key)));
    try (OutputStream site = Files.newOutputStream(folder.resolve("hbase-site.xml"))) {
      settings.writeXml(site);
    }
    Files.writeString(folder.resolve("log4j.properties"), "log4j.rootLogger=OFF\n");
    Path input = Files.writeString(folder.resolve("script.rb"), script);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=" + ZoneId.systemDefault().getId(),
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + folder));
    command.addAll(OPENED);
    command.addAll(
        List.of(
            "-cp",
            folder
                + File.pathSeparator
                + ClientJars.classPath(List.of("shell-2.4", "2.4", "hbase2", "shared")),
            MAIN));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      String printed = Files.readString(output);
      assertThat(ended)
          .as("Apache's shell ends\n%s\n%s", printed, Files.readString(errors))
          .isTrue();
      assertThat(printed)
          .as("Apache's shell runs the script\n%s", Files.readString(errors))
          .contains("hbase:001:0>");
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }
}
