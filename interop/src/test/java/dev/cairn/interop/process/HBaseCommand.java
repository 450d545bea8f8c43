package dev.cairn.interop.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Starts main classes of Apache HBase in processes of their own, from this JVM's class path, with
 * the options of HBase's own scripts.
 *
 * @param folder for {@code hbase-site.xml}, other settings, temporary files and the output
 */
public record HBaseCommand(Path folder) {
  /** A master that serves writes this line. */
  public static final String READY = "Master has completed initialization";

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d{HH:mm:ss.SSS} %-5level [%thread] %logger{20}: %msg%n</pattern></encoder>
        </appender>
        <logger name="org.apache.hadoop.hbase" level="INFO"/>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  /** The packages that Hadoop and Netty use in Java 17. */
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

  /** Writes {@code hbase-site.xml}. */
  public void writeSite(Map<String, String> settings) throws IOException {
    Files.writeString(
        folder.resolve("hbase-site.xml"),
        new TreeMap<>(settings)
            .entrySet().stream()
                .map(
                    entry ->
                        "<property><name>%s</name><value>%s</value></property>\n"
                            .formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n")));
  }

  /**
   * Starts a process.
   *
   * @param main the main class, which gets the argument {@code start}
   * @param output the file for the output of the process; overwritten
   * @param heap the largest heap, in the form of {@code -Xmx}
   */
  public Process launch(String main, Path output, String heap) throws IOException {
    String classPath = ServerClassPath.get() + File.pathSeparator + folder;
    return run(output, heap, ClassArchive.HBASE.options(), classPath, List.of(main, "start"));
  }

  /**
   * Starts a process as {@link #launch} does, with its settings as arguments: a recording does not
   * allow a folder on the class path.
   *
   * @param options for Java
   */
  Process record(
      String main, Path output, String heap, Map<String, String> settings, List<String> options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(main));
    settings.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
    arguments.add("start");
    return run(output, heap, options, ServerClassPath.get(), arguments);
  }

  private Process run(
      Path output, String heap, List<String> options, String classPath, List<String> arguments)
      throws IOException {
    Path logback = folder.resolve("logback.xml");
    Files.writeString(logback, LOGBACK);
    Files.writeString(output, "");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx" + heap,
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-Dlogback.configurationFile=" + logback,
                "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
    command.addAll(options);
    OPENED.forEach(name -> command.add("--add-opens=" + name + "=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start();
  }
}
