package dev.cairn.launcher.folder;

import dev.cairn.engine.layout.WalRootStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.site.LocalPaths;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.hadoop.HadoopRoot;
import dev.cairn.server.hadoop.HadoopSettings;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.server.hadoop.HdfsLogSettings;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * Opens the root directory of a distributed cluster, and the folder of its logs, for one process:
 * on HDFS, or in a local folder that all processes share. Loads classes of Hadoop only if the
 * settings name a Hadoop file system. For one thread.
 */
public final class RootFolder implements Closeable {
  private final SiteConfig config;
  private final Optional<Path> home;
  private final Consumer<String> notice;
  private final List<Closeable> opened = new ArrayList<>();

  private RootFolder(SiteConfig config, Optional<Path> home, Consumer<String> notice) {
    this.config = config;
    this.home = home;
    this.notice = notice;
  }

  /** An open root directory. */
  public record Open(Storage storage, String name, RootFolder folder) implements Closeable {
    @Override
    public void close() throws IOException {
      folder.close();
    }
  }

  /**
   * Opens the directory that the settings name.
   *
   * @param home the base of relative local paths
   * @param notice receives a line for each thing that a long start waits for
   * @throws ConfigException if the settings name no usable directory
   * @throws IOException if it cannot be reached; the message is one line that names the cause
   */
  public static Open open(SiteConfig config, Optional<Path> home, Consumer<String> notice)
      throws IOException {
    RootFolder folder = new RootFolder(config, home, notice);
    boolean done = false;
    try {
      Open open = folder.openAll();
      done = true;
      return open;
    } finally {
      if (!done) {
        folder.close();
      }
    }
  }

  private Open openAll() throws IOException {
    String text = text(FolderKeys.ROOT_DIR);
    if (text.isEmpty()) {
      throw new ConfigException(
          FolderKeys.ROOT_DIR.name()
              + " is not set: name the folder that all servers of the cluster use, such as"
              + " hdfs://namenode:8020/hbase");
    }
    Storage data = open(FolderKeys.ROOT_DIR, text, "the data folder");
    String walText = text(FolderKeys.WAL_DIR);
    if (walText.isEmpty()) {
      return new Open(data, data.toString(), this);
    }
    Storage wals = open(FolderKeys.WAL_DIR, walText, WalFolder.WHAT);
    return new Open(new WalRootStorage(data, wals), data.toString(), this);
  }

  private Storage open(ConfigKey<String> key, String text, String what) throws IOException {
    Optional<URI> hadoop = hadoopFolder(key, text);
    if (hadoop.isPresent()) {
      HadoopStorage storage =
          new HadoopRoot(
                  hadoop.get(),
                  HadoopSettings.of(config),
                  HdfsLogSettings.of(config),
                  Clock.SYSTEM,
                  Executors.newCachedThreadPool(RootFolder::logThread),
                  notice)
              .open();
      opened.add(storage);
      return storage;
    }
    SharedFolder folder =
        SharedFolder.join(LocalPaths.absolute(key, text, home), what, Umask.of(config));
    opened.add(folder);
    return folder.storage();
  }

  /** Creates a thread for logs on HDFS. */
  private static Thread logThread(Runnable task) {
    Thread thread = new Thread(task, "cairn-hdfs-log");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the folder's URL if it is on a Hadoop file system. */
  private Optional<URI> hadoopFolder(ConfigKey<String> key, String text) {
    try {
      if (LocalPaths.isForeign(text)) {
        return Optional.of(URI.create(text));
      }
      if (text.startsWith("file:") || !text.startsWith("/") || config.hadoopFiles().isEmpty()) {
        return Optional.empty();
      }
      // As in HBase, a path belongs to the default file system of core-site.xml.
      Configuration settings = HadoopSettings.of(config);
      String standard = settings.getTrimmed(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY);
      return standard == null || standard.startsWith("file:")
          ? Optional.empty()
          : Optional.of(URI.create(standard.replaceFirst("/+$", "") + text));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key.name() + " is not a URL: <" + text + ">", e);
    }
  }

  private String text(ConfigKey<String> key) {
    return config.find(key).map(String::trim).orElse("");
  }

  @Override
  public void close() throws IOException {
    for (Closeable one : opened) {
      one.close();
    }
  }
}
