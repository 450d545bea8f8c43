package dev.cairn.launcher;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The folder that holds a server's logs, if that is not its data folder.
 *
 * <p>A server that looked for its logs in the wrong folder would start without what they hold. So
 * the two folders name each other: {@code cairn.wal.dir} in the data folder and {@code
 * cairn.wal.id} in the logs' folder bear the same id. Whoever moves the logs moves the id with
 * them. Folders that only HBase has used bear none; the first start gives them one.
 *
 * @param dataFolder the data folder, absolute
 * @param path where the settings say that the logs lie; the data folder itself if they say nothing
 */
record WalFolder(Path dataFolder, Path path) {
  /** What it is, for errors. */
  static final String WHAT = "the folder of the logs";

  /** In the data folder: the id, and in a second line the logs' folder. */
  static final String DIR_FILE = "cairn.wal.dir";

  /** In the logs' folder: the id, and in a second line the data folder. */
  static final String ID_FILE = "cairn.wal.id";

  /** Only the root of a database has it. */
  private static final String VERSION_FILE = "hbase.version";

  /**
   * Finds the folder that the settings name.
   *
   * @param home the base of relative paths
   * @throws ConfigException if they name none that can be used
   */
  static WalFolder of(SiteConfig config, Optional<Path> home, Path dataFolder) {
    String text = config.find(FolderKeys.WAL_DIR).map(String::trim).orElse("");
    if (text.isEmpty()) {
      return new WalFolder(dataFolder, dataFolder);
    }
    Path path = LocalPaths.absolute(FolderKeys.WAL_DIR, text, home);
    if (!path.equals(dataFolder) && path.startsWith(dataFolder)) {
      throw new ConfigException(
          FolderKeys.WAL_DIR.name()
              + " is "
              + path
              + ", which lies in hbase.rootdir ("
              + dataFolder
              + "): HBase does not take that either. Name a folder outside, or remove the key");
    }
    return new WalFolder(dataFolder, path);
  }

  /** Tells whether the logs have a folder of their own. */
  boolean isApart() {
    return !path.equals(dataFolder);
  }

  /**
   * Checks that the logs of the data folder are those in this folder, as far as the folders tell.
   * Writes nothing.
   *
   * @throws LauncherException if the logs are elsewhere, or are those of another data folder
   */
  void check() throws IOException {
    Optional<Mark> logs = Mark.read(dataFolder.resolve(DIR_FILE));
    Optional<Mark> owner = Mark.read(path.resolve(ID_FILE));
    if (isApart() && Files.exists(path.resolve(VERSION_FILE))) {
      throw new LauncherException(
          FolderKeys.WAL_DIR.name()
              + " is "
              + path
              + ", which is the data folder of another database");
    }
    if (logs.isPresent() && !owner.map(Mark::id).equals(logs.map(Mark::id))) {
      throw new LauncherException(
          "the logs of "
              + dataFolder
              + " are in "
              + logs.get().folder()
              + ", and not in "
              + path
              + ", where "
              + FolderKeys.WAL_DIR.name()
              + (isApart() ? "" : ", which is not set,")
              + " leads. Set "
              + FolderKeys.WAL_DIR.name()
              + " to the folder that has them; to move them, move all that is in it, with "
              + ID_FILE);
    }
    if (logs.isEmpty()
        && isApart()
        && owner.isPresent()
        && !owner.get().folder().equals(dataFolder.toString())) {
      throw new LauncherException(
          FolderKeys.WAL_DIR.name()
              + " is "
              + path
              + ", which has the logs of the data folder "
              + owner.get().folder()
              + ". If that has become "
              + dataFolder
              + ", remove "
              + path.resolve(ID_FILE));
    }
  }

  /**
   * Lets the two folders name each other. Both must be locked and {@link #check checked}.
   *
   * @param data the permissions in the data folder
   * @param logs the permissions in the logs' folder
   */
  void mark(FilePermissions data, FilePermissions logs) throws IOException {
    Path dirFile = dataFolder.resolve(DIR_FILE);
    Path idFile = path.resolve(ID_FILE);
    Optional<Mark> owner = Mark.read(idFile);
    String id = owner.map(Mark::id).orElseGet(() -> UUID.randomUUID().toString());
    Mark inWalFolder = new Mark(id, dataFolder.toString());
    if (!owner.equals(Optional.of(inWalFolder))) {
      inWalFolder.write(idFile, logs);
    }
    Mark inDataFolder = new Mark(id, path.toString());
    if (!Mark.read(dirFile).equals(Optional.of(inDataFolder))) {
      inDataFolder.write(dirFile, data);
    }
  }

  /** Removes the marks of logs that were moved into the data folder. */
  void unmark() throws IOException {
    Files.deleteIfExists(dataFolder.resolve(DIR_FILE));
    Files.deleteIfExists(dataFolder.resolve(ID_FILE));
  }

  /**
   * What a folder says about the one that belongs to it.
   *
   * @param id the same in both
   * @param folder where the other folder was at the last start
   */
  private record Mark(String id, String folder) {
    static Optional<Mark> read(Path file) throws IOException {
      try {
        String[] lines = Files.readString(file, StandardCharsets.UTF_8).split("\n");
        return Optional.of(new Mark(lines[0].strip(), lines.length > 1 ? lines[1] : ""));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    }

    void write(Path file, FilePermissions permissions) throws IOException {
      permissions.write(file, id + "\n" + folder + "\n");
    }
  }
}
