package dev.cairn.interop.cluster;

import dev.cairn.interop.process.ClassArchive;
import dev.cairn.launcher.cluster.JavaCommands;
import dev.cairn.launcher.cluster.NodeCommands;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The commands of a cluster whose HDFS starts from a {@link ClassArchive}. The settings come last
 * on HDFS's class path, because Java uses an archive only if the class path begins with the
 * recorded one.
 *
 * @param commands without HDFS's archive
 */
record ArchivedHdfs(JavaCommands commands) implements NodeCommands {
  @Override
  public List<String> cairn(List<String> arguments) {
    return commands.cairn(arguments);
  }

  @Override
  public List<String> hdfs(Path conf, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(commands.hdfs(conf, mainClass, arguments));
    int classPath = command.indexOf("-cp");
    command.set(classPath + 1, commands.classPath() + File.pathSeparator + conf);
    try {
      command.addAll(classPath, ClassArchive.HDFS.options());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return command;
  }

  @Override
  public Map<String, String> environment() {
    return commands.environment();
  }
}
