package dev.cairn.launcher;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.StorageLock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder that holds all of a server's data. The process that serves it holds the lock {@code
 * cairn.lock} in it, as every user of the folder does; so whoever could take the lock knows that
 * none serves. Beside it the holder's name lies in {@code cairn.lock.owner}.
 *
 * @param path absolute
 */
record DataFolder(Path path) {
  private static final String LOCK_FILE = "cairn.lock";
  private static final String OWNER_FILE = LOCK_FILE + ".owner";

  /** What is only in folders of databases: a folder with one of them is not a stranger's. */
  private static final Set<String> MARKS = Set.of(LOCK_FILE, "hbase.version");

  /** What a file system puts into its own root, and what says nothing about whose folder it is. */
  private static final Set<String> NOBODYS = Set.of("lost+found");

  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

  /**
   * Finds the folder that the settings name.
   *
   * @param home the base of relative paths
   * @throws ConfigException if they name none that can be used
   */
  static DataFolder of(SiteConfig config, Optional<Path> home) {
    String text = config.find(FolderKeys.ROOT_DIR).map(String::trim).orElse("");
    if (text.isEmpty()) {
      return home.map(path -> new DataFolder(path.resolve("data")))
          .orElseThrow(
              () ->
                  new ConfigException(
                      FolderKeys.ROOT_DIR.name() + " is not set: name the data folder"));
    }
    Path path = localPath(text);
    Path absolute = home.map(base -> base.resolve(path)).orElse(path).toAbsolutePath().normalize();
    return new DataFolder(absolute);
  }

  private static Path localPath(String text) {
    var scheme = SCHEME.matcher(text);
    try {
      if (!scheme.matches()) {
        return Path.of(text);
      }
      if (!scheme.group(1).equalsIgnoreCase("file")) {
        throw new ConfigException(
            FolderKeys.ROOT_DIR.name()
                + " must be a local folder, a path or a file: URL, not <"
                + text
                + ">: other file systems are not supported yet");
      }
      URI uri = URI.create(text);
      if (uri.getPath() == null
          || (uri.getAuthority() != null && !uri.getAuthority().equals("localhost"))) {
        throw new ConfigException(
            FolderKeys.ROOT_DIR.name() + " must have the form file:///folder, not <" + text + ">");
      }
      return Path.of(uri.getPath());
    } catch (InvalidPathException e) {
      throw new ConfigException(FolderKeys.ROOT_DIR.name() + " is no path: <" + text + ">", e);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(FolderKeys.ROOT_DIR.name() + " is no file: URL: <" + text + ">", e);
    }
  }

  /**
   * Takes the folder for this process, creating it if need be.
   *
   * @throws LauncherException if it cannot be used: not writable, not Cairn's, or taken. Then
   *     nothing has changed.
   */
  Claim claim() {
    boolean fresh = !Files.exists(path);
    try {
      Set<String> before = Set.of();
      if (!fresh) {
        refuseForeign();
        before = names(path);
      }
      LocalStorage storage = new LocalStorage(path);
      return new Claim(storage, storage.lock(LOCK_FILE), fresh, before);
    } catch (FileSystemException e) {
      throw new LauncherException(
          "the data folder " + path + " cannot be used: " + Failures.reason(e), e);
    } catch (IOException e) {
      // A lock's error begins with the path; that of a full disk does not have it.
      String reason = Failures.reason(e);
      throw new LauncherException(
          "the data folder "
              + (reason.contains(path.toString()) ? reason : path + " cannot be used: " + reason),
          e);
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

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /** Tells whether a server has this folder, from outside of its process. */
  ServerState state() {
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
      // Who has just taken the lock writes its name in the next moment; until then it has none.
      return lock == null ? named.or(() -> Optional.of(ProcessIdentity.UNKNOWN)) : Optional.empty();
    } catch (IOException e) {
      throw new LauncherException(
          "cannot tell whether a server runs on " + path + ": " + Failures.reason(e), e);
    }
  }

  /** The right of this process to use the folder, until closed. */
  static final class Claim implements AutoCloseable {
    private final LocalStorage storage;
    private final StorageLock lock;
    private final boolean fresh;
    private final Set<String> before;

    private Claim(LocalStorage storage, StorageLock lock, boolean fresh, Set<String> before) {
      this.storage = storage;
      this.lock = lock;
      this.fresh = fresh;
      this.before = before;
    }

    /** Returns the folder's files. */
    LocalStorage storage() {
      return storage;
    }

    /** Lets others know that the server serves. */
    void publish(ServerStatus status) throws IOException {
      status.write(storage.root());
    }

    /** Gives the folder back as it was found, if the server wrote nothing into it. */
    void undo() throws IOException {
      Path root = storage.root();
      close();
      Set<String> added = new HashSet<>(names(root));
      added.removeAll(before);
      if (!added.equals(Set.of(LOCK_FILE))) {
        return;
      }
      Files.delete(root.resolve(LOCK_FILE));
      if (fresh) {
        Files.delete(root);
      }
    }

    /** Gives the folder free; others then see that the server has stopped in order. */
    @Override
    public void close() throws IOException {
      try (lock) {
        ServerStatus.delete(storage.root());
      }
    }
  }
}
