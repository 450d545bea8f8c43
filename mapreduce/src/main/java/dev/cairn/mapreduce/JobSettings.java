package dev.cairn.mapreduce;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.site.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** Makes the settings that a job finds in its {@code hbase-site.xml}. */
final class JobSettings {
  private static final String HADOOP_CONF = "HADOOP_CONF_DIR";
  private static final String WAL_DIR = "hbase.wal.dir";
  private static final String CORE_SITE = "core-site.xml";
  private static final String HDFS_SITE = "hdfs-site.xml";
  private static final String FILE_SYSTEM = "fs.defaultFS";
  private static final String LOCAL_FILE_SYSTEM = "file:///";

  private final CommandContext cairn;
  private final Map<String, String> environment;

  /**
   * Creates them.
   *
   * @param environment the variables of the process: {@code HADOOP_CONF_DIR}
   */
  JobSettings(CommandContext cairn, Map<String, String> environment) {
    this.cairn = cairn;
    this.environment = environment;
  }

  /**
   * Returns the settings of a job that uses no server: those of the site, with absolute folders.
   *
   * @param named the settings of the job's own arguments
   */
  Map<String, String> withoutServer(Map<String, String> named) {
    Map<String, String> settings = new TreeMap<>(cairn.siteConfig().texts());
    settings.put(HConstants.HBASE_DIR, url(new SiteFolders(cairn).root()));
    settings.computeIfPresent(WAL_DIR, (key, folder) -> url(folder));
    if (usesLocalFiles(named)) {
      // HBase's default is in /user, which exists on HDFS only.
      settings.putIfAbsent(
          HConstants.TEMPORARY_FS_DIRECTORY_KEY,
          "${java.io.tmpdir}/hbase-${user.name}/hbase-staging");
    }
    return settings;
  }

  /**
   * Returns the settings of a job that uses servers. It finds them through ZooKeeper, because jobs
   * on two clusters tell the clusters apart by their quorums.
   *
   * @param named the settings of the job's own arguments
   * @throws dev.cairn.launcher.output.LauncherException if the server should run on this machine,
   *     but does not
   */
  Map<String, String> withServer(Map<String, String> named) {
    Map<String, String> settings = withoutServer(named);
    Configuration client = RunningServer.configuration(cairn, named);
    for (String key : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      Optional.ofNullable(client.get(key)).ifPresent(value -> settings.put(key, value));
    }
    return settings;
  }

  /** Returns the folders with the settings of Hadoop's parts. */
  List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    cairn.configFolder().ifPresent(folders::add);
    Optional.ofNullable(environment.get(HADOOP_CONF))
        .filter(folder -> !folder.isBlank())
        .ifPresent(folder -> folders.add(Path.of(folder)));
    return folders;
  }

  /**
   * Returns the configuration of the file systems that a job uses.
   *
   * @param named the settings of the job's own arguments
   */
  Configuration files(Map<String, String> named) {
    Configuration files = new Configuration();
    for (String name : List.of(CORE_SITE, HDFS_SITE)) {
      addFirst(name, files);
    }
    cairn.siteConfig().texts().forEach(files::set);
    named.forEach(files::set);
    return files;
  }

  /** Adds the file with this name from the first folder that has one. */
  private void addFirst(String name, Configuration configuration) {
    for (Path folder : folders()) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        return;
      }
    }
  }

  private boolean usesLocalFiles(Map<String, String> named) {
    Configuration core = new Configuration(false);
    addFirst(CORE_SITE, core);
    return named
        .getOrDefault(FILE_SYSTEM, core.get(FILE_SYSTEM, LOCAL_FILE_SYSTEM))
        .startsWith("file:");
  }

  private static String url(String folder) {
    return folder.contains(":/") ? folder : Path.of(folder).toAbsolutePath().toUri().toString();
  }
}
