package dev.cairn.launcher.folder;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.LocalPaths;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The folders for data and logs that the settings name.
 *
 * @param context has the settings
 */
public record SiteFolders(CommandContext context) {
  /**
   * Returns the data folder of the standalone server.
   *
   * @throws ConfigException if the settings are for a server of a cluster
   */
  public DataFolder data() {
    SiteConfig settings = context.siteConfig();
    boolean elsewhere =
        settings.find(FolderKeys.ROOT_DIR).filter(LocalPaths::isForeign).isPresent();
    if (elsewhere && ProcessSettings.usesOtherZooKeeper(settings)) {
      throw new ConfigException(
          "These settings are for a cluster (hbase.cluster.distributed). Start and stop its servers"
              + " by role, such as bin/cairn start master");
    }
    return DataFolder.of(settings, context.installation().home());
  }

  /** Returns the root directory: a path, or a URL of another file system. */
  public String root() {
    SiteConfig settings = context.siteConfig();
    return settings
        .find(FolderKeys.ROOT_DIR)
        .map(String::trim)
        .filter(LocalPaths::isForeign)
        .orElseGet(() -> DataFolder.of(settings, context.installation().home()).path().toString());
  }

  /**
   * Returns the folder that holds the logs of a data folder, as a path or URL like {@link #root}.
   * Empty if the logs lie in the data folder itself.
   *
   * @param dataFolder a path or a URL
   * @param notice told if the logs are not where the settings say
   * @throws LauncherException if the data folder names a folder that does not have them
   */
  public Optional<String> logs(String dataFolder, Consumer<String> notice) throws IOException {
    Optional<String> configured = configuredLogs(dataFolder);
    if (LocalPaths.isForeign(dataFolder) || configured.filter(LocalPaths::isForeign).isPresent()) {
      return configured; // Ids exist on local file systems only.
    }
    Path data = Path.of(LocalPaths.plain(dataFolder));
    if (!Files.isDirectory(data)) {
      return configured;
    }
    WalFolder expected = new WalFolder(data, configured.map(Path::of).orElse(data));
    WalFolder located = expected.located();
    if (!located.equals(expected)) {
      notice.accept(
          "the logs of "
              + data
              + " are in "
              + located.path()
              + ", as its file "
              + WalFolder.DIR_FILE
              + " says. A server needs that folder in "
              + FolderKeys.WAL_DIR.name());
    }
    return Optional.of(located).filter(WalFolder::isApart).map(wals -> wals.path().toString());
  }

  /**
   * Returns the folder of the logs according to the settings. If they name {@code hbase.rootdir},
   * their {@code hbase.wal.dir} applies to that folder alone.
   */
  private Optional<String> configuredLogs(String dataFolder) {
    SiteConfig settings = context.siteConfig();
    Optional<String> text =
        settings.find(FolderKeys.WAL_DIR).map(String::trim).filter(value -> !value.isEmpty());
    boolean named = settings.find(FolderKeys.ROOT_DIR).filter(root -> !root.isBlank()).isPresent();
    if (text.isEmpty() || named && !LocalPaths.plain(dataFolder).equals(LocalPaths.plain(root()))) {
      return Optional.empty();
    }
    return text.map(
            logs ->
                LocalPaths.isForeign(logs)
                    ? logs
                    : LocalPaths.absolute(FolderKeys.WAL_DIR, logs, context.installation().home())
                        .toString())
        .filter(logs -> !LocalPaths.plain(logs).equals(LocalPaths.plain(dataFolder)));
  }
}
