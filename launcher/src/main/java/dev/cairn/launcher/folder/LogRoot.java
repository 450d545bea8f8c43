package dev.cairn.launcher.folder;

import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.inspect.FileLocation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The root directory of a server or a cluster, with its logs, for a command that works beside the
 * servers. Takes no lock.
 */
public final class LogRoot implements Closeable {
  private final Storage storage;
  private final String name;

  private LogRoot(Storage storage, String name) {
    this.storage = storage;
    this.name = name;
  }

  /**
   * Opens a root directory.
   *
   * @param folder a path or URL; empty for that of the settings
   * @param notice told if the logs are not where the settings say
   */
  public static LogRoot open(CommandContext cairn, Optional<String> folder, Consumer<String> notice)
      throws IOException {
    String root = folder.orElseGet(new SiteFolders(cairn)::root);
    Optional<Path> config = cairn.installation().configFolder();
    Optional<String> logs = new SiteFolders(cairn).logs(root, notice);
    FileLocation data = FileLocation.dataFolder(root, logs, config);
    Storage storage = data.storage();
    try {
      if (!storage.exists("data/default") && !storage.exists("WALs")) {
        throw new LauncherException(
            data.name() + " is not the root directory of a server: it has neither data nor WALs");
      }
      return new LogRoot(storage, data.name());
    } catch (IOException | RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  /** Returns the files of the root directory, including the logs. */
  public Storage storage() {
    return storage;
  }

  /** Returns the path or URL of the root directory. */
  public String name() {
    return name;
  }

  /** Opens a stream of changes. */
  public ChangeReader changes(Set<TableName> tables, ChangeStart start) throws IOException {
    return ChangeReader.open(storage, tables, start);
  }

  /** Reads names of tables that a user wrote. */
  public static Set<TableName> tables(List<String> names) {
    Set<TableName> tables = new TreeSet<>();
    for (String name : names) {
      TableName table;
      try {
        table = TableName.parse(name);
      } catch (IllegalArgumentException e) {
        throw new LauncherException("table " + name + ": " + e.getMessage(), e);
      }
      if (table.namespace().equals(TableName.SYSTEM_NAMESPACE)) {
        throw new LauncherException("table " + name + " is a system table; name other tables");
      }
      tables.add(table);
    }
    return tables;
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
