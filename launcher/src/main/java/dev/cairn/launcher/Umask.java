package dev.cairn.launcher;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who may read and write what a server makes. If the settings do not say it, the folder does in
 * which it is made; what is in a new folder is the owner's alone.
 *
 * @param named what group and others may not do, if the settings say it
 */
record Umask(Optional<Integer> named) {
  /** Says nothing. */
  static final Umask UNNAMED = new Umask(Optional.empty());

  /**
   * Returns what the settings say.
   *
   * @throws dev.cairn.server.config.ConfigException if a value is impossible
   */
  static Umask of(SiteConfig config) {
    int data = config.get(FolderKeys.DATA_UMASK);
    Optional<Integer> ofData =
        config.get(FolderKeys.DATA_UMASK_ENABLED) ? Optional.of(data & 077) : Optional.empty();
    return new Umask(config.find(FolderKeys.UMASK).or(() -> ofData));
  }

  /** Returns the permissions of what is made in {@code folder}, which may be missing. */
  FilePermissions inside(Path folder) throws IOException {
    return named.isPresent()
        ? FilePermissions.ofUmask(named.get())
        : FilePermissions.inside(folder);
  }
}
