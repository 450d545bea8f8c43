package dev.cairn.launcher.folder;

import dev.cairn.engine.storage.Storage;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.LocalPaths;
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
 * The folder that holds a server's logs: its data folder or a folder of their own.
 *
 * <p>A server that looked for its logs in the wrong folder would lose their edits. So the two
 * folders name each other: {@code cairn.wal.dir} in the data folder and {@code cairn.wal.id} in the
 * logs' folder hold the same id. The id moves with the logs. Folders that only HBase has used have
 * no id; the first start writes one.
 *
 * @param dataFolder the data folder, absolute
 * @param path the folder that the settings name for the logs; by default the data folder
 */
public record WalFolder(Path dataFolder, Path path) {
  /** The folder's role, for error messages. */
  static final String WHAT = "the folder of the logs";

  /** The file in the data folder: the id in the first line, the logs' folder in the second. */
  static final String DIR_FILE = "cairn.wal.dir";

  /** The file in the logs' folder: the id in the first line, the data folder in the second. */
  static final String ID_FILE = "cairn.wal.id";

  /** A file that only a data folder has. */
  private static final String VERSION_FILE = "hbase.version";

  /**
   * Finds the folder that the settings name.
   *
   * @param home the base of relative paths
   * @throws ConfigException if the settings name a folder that cannot hold the logs
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
              + "). Like HBase, Cairn needs a folder outside of it. Name another folder, or remove the key");
    }
    return new WalFolder(dataFolder, path);
  }

  /** Tells whether the logs have a folder of their own. */
  public boolean isApart() {
    return !path.equals(dataFolder);
  }

  /**
   * Checks that this folder holds the logs of the data folder, according to the ids. Writes
   * nothing.
   *
   * @throws LauncherException if the logs are elsewhere, or belong to another data folder
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
    if (logs.isPresent() && !logs.get().isIn(path)) {
      if (logs.get().folder().equals(path.toString())) {
        throw new LauncherException(goneFrom(path, owner.isPresent()));
      }
      throw new LauncherException(
          "the logs of "
              + dataFolder
              + " are in "
              + logs.get().folder()
              + ", and not in "
              + path
              + (isApart()
                  ? ", which " + FolderKeys.WAL_DIR.name() + " names. Set it"
                  : ". Set " + FolderKeys.WAL_DIR.name())
              + " to the folder that holds the logs. To move the logs, move all files of that folder,"
              + " including "
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
              + ", which holds the logs of the data folder "
              + owner.get().folder()
              + ". If you have moved that folder to "
              + dataFolder
              + ", remove "
              + path.resolve(ID_FILE));
    }
  }

  /**
   * Finds the folder that holds the logs: this one, or if the ids say otherwise, the folder that
   * the data folder names. Writes nothing.
   *
   * @throws LauncherException if the logs are in neither
   */
  WalFolder located() throws IOException {
    Optional<Mark> logs = Mark.read(dataFolder.resolve(DIR_FILE));
    if (logs.isEmpty() || logs.get().isIn(path)) {
      return this;
    }
    Path named = Path.of(logs.get().folder());
    if (!logs.get().isIn(named)) {
      throw new LauncherException(goneFrom(named, Files.exists(named.resolve(ID_FILE))));
    }
    return new WalFolder(dataFolder, named);
  }

  private String goneFrom(Path place, boolean others) {
    String found = others ? "has the logs of another database" : "has no " + ID_FILE;
    return "the logs of "
        + dataFolder
        + " were in "
        + place
        + " at the last start, but that folder now "
        + (Files.exists(place) ? found : "does not exist")
        + ". Bring the logs back (is the disk mounted?), or set "
        + FolderKeys.WAL_DIR.name()
        + " to the folder that has them now";
  }

  /**
   * Writes the ids. Both folders must be locked and {@link #check checked}. Once this returns, the
   * ids survive a power cut. No log is created before that.
   *
   * @param data the data folder
   * @param logs the logs' folder
   */
  void mark(Storage data, Storage logs) throws IOException {
    Path dirFile = dataFolder.resolve(DIR_FILE);
    Path idFile = path.resolve(ID_FILE);
    Optional<Mark> owner = Mark.read(idFile);
    String id = owner.map(Mark::id).orElseGet(() -> UUID.randomUUID().toString());
    Mark inWalFolder = new Mark(id, dataFolder.toString());
    if (!owner.equals(Optional.of(inWalFolder))) {
      logs.writeAll(ID_FILE, inWalFolder.bytes());
    }
    Mark inDataFolder = new Mark(id, path.toString());
    if (!Mark.read(dirFile).equals(Optional.of(inDataFolder))) {
      data.writeAll(DIR_FILE, inDataFolder.bytes());
    }
  }

  /**
   * Removes the ids after the logs were moved into the data folder. The file with the name of the
   * logs' folder is deleted first: if only it were left, the next start would be refused.
   *
   * @param data the data folder
   */
  static void unmark(Storage data) throws IOException {
    data.delete(DIR_FILE);
    data.delete(ID_FILE);
  }

  /**
   * The content of an id file.
   *
   * @param id the id, the same in both folders
   * @param folder the path of the other folder at the last start
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

    /** Tells whether a folder has the same id, so that the logs are there. */
    boolean isIn(Path logs) throws IOException {
      return read(logs.resolve(ID_FILE)).map(Mark::id).equals(Optional.of(id));
    }

    byte[] bytes() {
      return (id + "\n" + folder + "\n").getBytes(StandardCharsets.UTF_8);
    }
  }
}
