package dev.cairn.launcher.cluster;

import dev.cairn.launcher.output.LauncherException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command lines of a cluster's processes. */
public interface NodeCommands {
  /**
   * Returns the command that runs Cairn's command line.
   *
   * @param arguments what follows {@code cairn}
   */
  List<String> cairn(List<String> arguments);

  /**
   * Returns the command that runs a main class of HDFS.
   *
   * @param conf the folder with the settings, on the class path
   * @throws LauncherException if HDFS's servers are not installed
   */
  List<String> hdfs(Path conf, String mainClass, List<String> arguments);

  /** Returns environment variables to add for the processes. */
  Map<String, String> environment();
}
