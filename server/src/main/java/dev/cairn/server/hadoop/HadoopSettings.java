package dev.cairn.server.hadoop;

import dev.cairn.server.config.SiteConfig;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Makes the settings of Hadoop's client from a server's settings. */
public final class HadoopSettings {
  /** The prefixes of the settings in {@code hbase-site.xml} that are passed on to Hadoop. */
  private static final List<String> PREFIXES =
      List.of("dfs.", "fs.", "hadoop.", "io.", "ipc.", "net.topology.");

  /**
   * The key that makes Hadoop close all files when the process ends, before the servers have
   * stopped.
   */
  private static final String AUTOMATIC_CLOSE = "fs.automatic.close";

  private HadoopSettings() {}

  /**
   * Returns Hadoop's defaults, changed by {@code core-site.xml} and {@code hdfs-site.xml}, and then
   * by Hadoop's keys in {@code hbase-site.xml}.
   */
  public static Configuration of(SiteConfig config) {
    Configuration settings = new Configuration();
    for (Path file : config.hadoopFiles()) {
      settings.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    }
    config
        .texts()
        .forEach(
            (key, text) -> {
              if (PREFIXES.stream().anyMatch(key::startsWith)) {
                settings.set(key, text);
              }
            });
    settings.setBoolean(AUTOMATIC_CLOSE, false);
    return settings;
  }
}
