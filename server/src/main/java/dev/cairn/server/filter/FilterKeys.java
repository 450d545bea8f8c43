package dev.cairn.server.filter;

import dev.cairn.engine.storage.Storage;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The keys that say where users' filters come from. */
public final class FilterKeys {
  static final ConfigKey<Boolean> USE_DYNAMIC_JARS =
      ConfigKey.flag(
          "hbase.use.dynamic.jars",
          true,
          "Whether filters and comparators that are not on the class path are loaded from the"
              + " jars of hbase.dynamic.jars.dir.");

  static final ConfigKey<String> JARS_FOLDER =
      ConfigKey.text(
          "hbase.dynamic.jars.dir",
          "",
          "Folder of jars with users' filters and comparators, a path or a file: URL. If not"
              + " set, lib in the data folder. New jars are loaded without a restart.");

  static final ConfigKey<String> LOCAL_FOLDER =
      ConfigKey.text(
          "hbase.local.dir",
          "",
          "Folder whose jars/ receives copies of the jars of hbase.dynamic.jars.dir and of tables'"
              + " coprocessors. If not set, local in hbase.tmp.dir.");

  static final ConfigKey<String> TEMPORARY_FOLDER =
      ConfigKey.text(
          "hbase.tmp.dir",
          "",
          "Folder for temporary files, which may be lost. If not set, hbase-USER in the"
              + " system's temporary folder.");

  private static final String DEFAULT_JARS_FOLDER = "lib";

  private FilterKeys() {}

  /** Returns the keys. */
  public static List<ConfigKey<?>> all() {
    return List.of(USE_DYNAMIC_JARS, JARS_FOLDER, LOCAL_FOLDER, TEMPORARY_FOLDER);
  }

  /**
   * Returns the class loader of filters and comparators.
   *
   * @param classPath the server's own classes
   * @param storage the data folder
   * @throws ConfigException if a folder is named that cannot be used
   */
  public static ClassLoader classes(SiteConfig config, ClassLoader classPath, Storage storage) {
    if (!config.get(USE_DYNAMIC_JARS)) {
      return classPath;
    }
    String named = config.get(JARS_FOLDER);
    JarFolder folder =
        named.isEmpty()
            ? new JarFolder.Stored(storage, DEFAULT_JARS_FOLDER)
            : new JarFolder.Local(local(JARS_FOLDER, named));
    return new DynamicJars(classPath, folder, copies(config));
  }

  /**
   * Returns the local folder for copies of jars, which need not exist.
   *
   * @throws ConfigException if the site names a folder that cannot be used
   */
  public static Path copies(SiteConfig config) {
    return localFolder(config).resolve("jars");
  }

  private static Path localFolder(SiteConfig config) {
    String named = config.get(LOCAL_FOLDER);
    if (!named.isEmpty()) {
      return local(LOCAL_FOLDER, named);
    }
    String temporary = config.get(TEMPORARY_FOLDER);
    Path parent =
        temporary.isEmpty()
            ? Path.of(
                System.getProperty("java.io.tmpdir"), "hbase-" + System.getProperty("user.name"))
            : local(TEMPORARY_FOLDER, temporary);
    return parent.resolve("local");
  }

  private static Path local(ConfigKey<String> key, String text) {
    try {
      if (text.startsWith("file:")) {
        return Path.of(URI.create(text).getPath());
      }
      if (text.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
        throw new ConfigException(
            key.name() + " must be a local folder, a path or a file: URL, not <" + text + ">");
      }
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new ConfigException(key.name() + " is no path: <" + text + ">", e);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key.name() + " is no file: URL: <" + text + ">", e);
    }
  }
}
