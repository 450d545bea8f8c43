package dev.cairn.launcher.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The commands for one class path, which includes HDFS's servers.
 *
 * @param java the {@code java} program
 * @param classPath of all processes
 * @param cairnOptions Java's options for masters, region servers and ZooKeeper
 */
public record JavaCommands(Path java, String classPath, List<String> cairnOptions)
    implements NodeCommands {
  private static final String MAIN = "dev.cairn.launcher.Cairn";

  /** For small, short-lived servers of HDFS. */
  private static final List<String> HDFS_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-Xmx256m",
          "-Djava.net.preferIPv4Stack=true");

  @Override
  public List<String> cairn(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(cairnOptions);
    command.addAll(List.of("-cp", classPath, MAIN));
    command.addAll(arguments);
    return command;
  }

  @Override
  public List<String> hdfs(Path conf, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(HDFS_OPTIONS);
    command.addAll(
        List.of(
            "-Dhadoop.home.dir=" + conf,
            "-Dlogback.configurationFile=" + conf.resolve("logback.xml"),
            "-cp",
            conf + ":" + classPath,
            mainClass));
    command.addAll(arguments);
    return command;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }
}
