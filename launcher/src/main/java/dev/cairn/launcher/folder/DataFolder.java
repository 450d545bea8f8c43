package dev.cairn.launcher.folder;

import dev.cairn.engine.layout.WalRootStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.launcher.site.LocalPaths;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder that holds all of a server's data. The serving process holds the lock {@code
 * cairn.lock} in it, as every user of the folder does; so a process that can take the lock knows
 * that no server runs. The file {@code cairn.lock.owner} has the holder's name.
 *
 * @param path absolute
 * @param wals the folder that holds its logs
 * @param umask the permissions of new files and folders in both
 */
public record DataFolder(Path path, WalFolder wals, Umask umask) {
  private static final String WHAT = "the data folder";
  private static final String LOCK_FILE = TakenFolder.LOCK_FILE;
  private static final String OWNER_FILE = LOCK_FILE + ".owner";

  /**
   * The names that only folders of databases have: a folder with one of them is not a stranger's.
   */
  private static final Set<String> MARKS = Set.of(LOCK_FILE, "hbase.version");

  /**
   * The names that a file system puts into its own root, and others that say nothing about a
   * folder's owner.
   */
  private static final Set<String> NOBODYS = Set.of("lost+found");

  /** Creates a data folder that also holds its logs. */
  public DataFolder(Path path) {
    this(path, new WalFolder(path, path), Umask.UNNAMED);
  }

  /**
   * Finds the folder that the settings name.
   *
   * @param home the base of relative paths
   * @throws ConfigException if they name none that can be used
   */
  public static DataFolder of(SiteConfig config, Optional<Path> home) {
    String text = config.find(FolderKeys.ROOT_DIR).map(String::trim).orElse("");
    if (text.isEmpty()) {
      return home.map(path -> of(path.resolve("data"), config, home))
          .orElseThrow(
              () ->
                  new ConfigException(
                      FolderKeys.ROOT_DIR.name() + " is not set: name the data folder"));
    }
    return of(LocalPaths.absolute(FolderKeys.ROOT_DIR, text, home), config, home);
  }

  private static DataFolder of(Path path, SiteConfig config, Optional<Path> home) {
    return new DataFolder(path, WalFolder.of(config, home, path), Umask.of(config));
  }

  /**
   * Takes the folder for this process, creating it if need be.
   *
   * @throws LauncherException if it cannot be used: not writable, not Cairn's, or taken. Then
   *     nothing has changed.
   */
  public Claim claim() {
    try {
      if (Files.exists(path)) {
        refuseForeign();
      }
    } catch (IOException e) {
      throw TakenFolder.unusable(path, WHAT, e);
    }
    TakenFolder data = TakenFolder.take(path, WHAT, umask);
    Claim claim = new Claim(data, Optional.empty());
    try {
      wals.check();
      if (wals.isApart()) {
        TakenFolder logs = TakenFolder.take(wals.path(), WalFolder.WHAT, umask);
        claim = new Claim(data, Optional.of(logs));
        wals.mark(data.storage(), logs.storage());
      } else {
        WalFolder.unmark(data.storage());
      }
      return claim;
    } catch (IOException | RuntimeException e) {
      RuntimeException failure =
          e instanceof IOException unusable
              ? TakenFolder.unusable(wals.path(), WalFolder.WHAT, unusable)
              : (RuntimeException) e;
      try {
        claim.undo();
      } catch (IOException again) {
        failure.addSuppressed(again);
      }
      throw failure;
    }
  }

  private void refuseForeign() throws IOException {
    if (MARKS.stream().anyMatch(mark -> Files.exists(path.resolve(mark)))) {
      return;
    }
    try (Stream<Path> files = Files.list(path)) {
      Optional<String> first =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !NOBODYS.contains(name))
              .sorted()
              .findFirst();
      if (first.isPresent()) {
        throw new LauncherException(
            "the data folder "
                + path
                + " holds files that are not Cairn's, such as "
                + first.get()
                + ": name an empty or new folder in "
                + FolderKeys.ROOT_DIR.name());
      }
    }
  }

  /** Tells whether a server has this folder, from outside of its process. */
  public ServerState state() {
    Optional<ServerStatus> status = ServerStatus.read(path);
    Optional<ProcessIdentity> owner = owner();
    if (owner.isPresent()) {
      return status
          .filter(known -> known.process().equals(owner.get()))
          .<ServerState>map(ServerState.Serving::new)
          .orElseGet(() -> new ServerState.Starting(owner.get()));
    }
    return status
        .<ServerState>map(last -> new ServerState.Died(last.process()))
        .orElseGet(ServerState.Stopped::new);
  }

  /** Returns the process that holds the lock, if one does. */
  private Optional<ProcessIdentity> owner() {
    Path lockFile = path.resolve(LOCK_FILE);
    Optional<ProcessIdentity> named = ProcessIdentity.read(path.resolve(OWNER_FILE));
    if (!Files.exists(lockFile)) {
      return Optional.empty();
    }
    if (named.filter(process -> process.pid() == ProcessHandle.current().pid()).isPresent()) {
      return named; // and by POSIX, to open and close the file here would end our own lock
    }
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      // A process writes its name a moment after it has taken the lock; until then there is none.
      return lock == null ? named.or(() -> Optional.of(ProcessIdentity.UNKNOWN)) : Optional.empty();
    } catch (IOException e) {
      throw new LauncherException(
          "cannot tell whether a server runs on " + path + ": " + Failures.reason(e), e);
    }
  }

  /** The right of this process to use the folder, until closed. */
  public static final class Claim implements AutoCloseable {
    private final TakenFolder data;
    private final Optional<TakenFolder> logs;

    private Claim(TakenFolder data, Optional<TakenFolder> logs) {
      this.data = data;
      this.logs = logs;
    }

    /** Returns the storage of the data folder, including its logs. */
    public Storage storage() {
      return logs.<Storage>map(wals -> new WalRootStorage(data.storage(), wals.storage()))
          .orElse(data.storage());
    }

    /** Returns the path of the data folder. */
    public Path root() {
      return data.storage().root();
    }

    /** Lets others know that the server serves. */
    public void publish(ServerStatus status) throws IOException {
      status.write(root(), data.permissions());
    }

    /** Releases the folders. Restores their old content if the server has written nothing. */
    public void undo() throws IOException {
      ServerStatus.delete(root());
      if (data.isUntouched(WalFolder.DIR_FILE)
          && (logs.isEmpty() || logs.get().isUntouched(WalFolder.ID_FILE))) {
        if (logs.isPresent()) {
          logs.get().undo();
        }
        data.undo();
      } else {
        close();
      }
    }

    /** Releases the folders after an orderly stop of the server. */
    @Override
    public void close() throws IOException {
      try (TakenFolder taken = data;
          TakenFolder takenLogs = logs.orElse(null)) {
        ServerStatus.delete(root());
      }
    }
  }
}
