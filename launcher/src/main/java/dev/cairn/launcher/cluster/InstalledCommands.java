package dev.cairn.launcher.cluster;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The commands of an installation: {@code bin/cairn}, and HDFS from {@code lib/}. A package does
 * not contain the servers of HDFS; the build of a checkout puts them there.
 *
 * @param home the folder above {@code bin}
 * @param java the {@code java} program
 */
public record InstalledCommands(Path home, Path java) implements NodeCommands {
  private static final String HDFS_JARS = "lib/hdfs.classpath";
  private static final String HEAP_VARIABLE = "HBASE_HEAPSIZE";

  /** The largest heap of a server, in megabytes, unless the variable says otherwise. */
  private static final String HEAP = "1000";

  @Override
  public List<String> cairn(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/cairn").toString());
    command.addAll(arguments);
    return command;
  }

  @Override
  public List<String> hdfs(Path conf, String mainClass, List<String> arguments) {
    return new JavaCommands(java, jars(HDFS_JARS) + ":" + jars("lib/cairn.classpath"), List.of())
        .hdfs(conf, mainClass, arguments);
  }

  @Override
  public Map<String, String> environment() {
    return System.getenv().containsKey(HEAP_VARIABLE)
        ? Map.of("CAIRN_BUILT", "true")
        : Map.of("CAIRN_BUILT", "true", HEAP_VARIABLE, HEAP);
  }

  private String jars(String file) {
    try {
      return Arrays.stream(Files.readString(home.resolve(file)).strip().split(":"))
          .map(jar -> home.resolve(jar).toString())
          .collect(Collectors.joining(":"));
    } catch (IOException e) {
      throw new LauncherException(
          "the servers of HDFS are missing ("
              + home.resolve(HDFS_JARS)
              + "): a package does not contain them. Use a checkout of Cairn's sources, or name a"
              + " folder of another file system with --rootdir",
          e);
    }
  }
}
