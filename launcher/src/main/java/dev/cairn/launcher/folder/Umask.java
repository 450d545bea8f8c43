package dev.cairn.launcher.folder;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The permissions of files and folders that a server creates. Without a setting, new files and
 * folders get the permissions of the existing folder that they are in; in a new folder, only the
 * owner has access.
 *
 * @param named the umask that the settings name, if any
 */
public record Umask(Optional<Integer> named) {
  /** No umask is set. */
  public static final Umask UNNAMED = new Umask(Optional.empty());

  /**
   * Reads the umask from the settings.
   *
   * @throws dev.cairn.server.config.ConfigException if a value is invalid
   */
  static Umask of(SiteConfig config) {
    int data = config.get(FolderKeys.DATA_UMASK);
    Optional<Integer> ofData =
        config.get(FolderKeys.DATA_UMASK_ENABLED) ? Optional.of(data & 077) : Optional.empty();
    return new Umask(config.find(FolderKeys.UMASK).or(() -> ofData));
  }

  /** Returns the permissions for new files in {@code folder}, which need not exist. */
  public FilePermissions inside(Path folder) throws IOException {
    return named.isPresent()
        ? FilePermissions.ofUmask(named.get())
        : FilePermissions.inside(folder);
  }
}
