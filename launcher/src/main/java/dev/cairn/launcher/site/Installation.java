package dev.cairn.launcher.site;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The folders of this installation.
 *
 * @param home the folder above {@code bin/cairn}; empty if Cairn was started without that script
 * @param configFolder the folder with {@code hbase-site.xml}; empty if there is none, and defaults
 *     hold
 * @param logFolder the folder for the server's output after {@code cairn start}: {@code
 *     HBASE_LOG_DIR}, otherwise {@code logs} beside {@code bin}, otherwise the user's state folder
 */
public record Installation(Optional<Path> home, Optional<Path> configFolder, Path logFolder) {
  /**
   * Finds the folders.
   *
   * @param home as {@code bin/cairn} tells it
   * @param configOption what {@code --config} named
   * @param environment the process's variables: {@code HBASE_CONF_DIR}, {@code HBASE_LOG_DIR}
   * @throws ConfigException if a configuration folder was named that holds no settings
   */
  static Installation find(
      Optional<Path> home, Optional<Path> configOption, Map<String, String> environment) {
    Optional<Path> named =
        configOption.or(() -> variable(environment, "HBASE_CONF_DIR").map(Path::of));
    named.ifPresent(Installation::checkConfigFolder);
    Optional<Path> config =
        named.or(() -> home.map(path -> path.resolve("conf")).filter(Files::isDirectory));
    Path logs =
        variable(environment, "HBASE_LOG_DIR")
            .map(Path::of)
            .orElseGet(() -> logFolder(home.orElse(Path.of("")), environment));
    return new Installation(
        home.map(Path::toAbsolutePath), config.map(Path::toAbsolutePath), logs.toAbsolutePath());
  }

  /** Reads the settings; all defaults if there is no file. */
  SiteConfig siteConfig(SiteConfigLoader loader) {
    return configFolder.map(loader::load).orElseGet(() -> new SiteConfig(Map.of()));
  }

  /** Returns the path of {@code hbase-site.xml}, or its name alone if there is none. */
  public String siteFile() {
    return configFolder
        .map(folder -> folder.resolve(SiteConfigLoader.FILE_NAME).toString())
        .orElse(SiteConfigLoader.FILE_NAME);
  }

  /**
   * Returns the configuration file of the server's log: the configuration folder's, otherwise ours.
   */
  Optional<Path> loggingFile() {
    return configFolder
        .map(folder -> folder.resolve("logback.xml"))
        .filter(Files::exists)
        .or(() -> home.map(path -> path.resolve("conf/logback.xml")).filter(Files::exists));
  }

  /** Returns {@code logs} in {@code home}, or if that is not writable, a folder of this user. */
  private static Path logFolder(Path home, Map<String, String> environment) {
    Path logs = home.resolve("logs").toAbsolutePath();
    if (Files.isWritable(Files.exists(logs) ? logs : logs.getParent())) {
      return logs;
    }
    return variable(environment, "XDG_STATE_HOME")
        .map(Path::of)
        .or(() -> variable(environment, "HOME").map(user -> Path.of(user, ".local", "state")))
        .map(state -> state.resolve("cairn").resolve("logs"))
        .orElse(logs);
  }

  private static void checkConfigFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new ConfigException(
          "the configuration folder "
              + folder
              + (Files.exists(folder) ? " is a file, not a folder" : " does not exist"));
    }
    if (!Files.exists(folder.resolve(SiteConfigLoader.FILE_NAME))) {
      throw new ConfigException(
          "the configuration folder " + folder + " has no " + SiteConfigLoader.FILE_NAME);
    }
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isBlank());
  }
}
