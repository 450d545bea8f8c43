package dev.cairn.launcher;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder that holds all of a server's data. The file {@code cairn.lock} in it marks it as
 * Cairn's, and is locked by the process that serves it: whoever can lock it knows that none does.
 *
 * @param path absolute
 */
record DataFolder(Path path) {
  /** Where the data lies. */
  static final ConfigKey<String> ROOT_DIR =
      ConfigKey.text(
          "hbase.rootdir",
          "",
          "The folder that holds all data, a path or a file: URL; data/ beside bin/ if not set.");

  /** The mark, and the lock. */
  static final String LOCK_FILE = "cairn.lock";

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
    String text = config.find(ROOT_DIR).map(String::trim).orElse("");
    if (text.isEmpty()) {
      return home.map(path -> new DataFolder(path.resolve("data")))
          .orElseThrow(
              () -> new ConfigException(ROOT_DIR.name() + " is not set: name the data folder"));
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
            ROOT_DIR.name()
                + " must be a local folder, a path or a file: URL, not <"
                + text
                + ">: other file systems are not supported yet");
      }
      URI uri = URI.create(text);
      if (uri.getPath() == null
          || (uri.getAuthority() != null && !uri.getAuthority().equals("localhost"))) {
        throw new ConfigException(
            ROOT_DIR.name() + " must have the form file:///folder, not <" + text + ">");
      }
      return Path.of(uri.getPath());
    } catch (InvalidPathException e) {
      throw new ConfigException(ROOT_DIR.name() + " is no path: <" + text + ">", e);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(ROOT_DIR.name() + " is no file: URL: <" + text + ">", e);
    }
  }

  /**
   * Takes the folder for this process, creating it if need be.
   *
   * @param process who takes it
   * @throws LauncherException if it cannot be used: not writable, not Cairn's, or taken. Then
   *     nothing has changed.
   */
  Claim claim(ProcessIdentity process) {
    boolean fresh = !Files.exists(path);
    try {
      Files.createDirectories(path);
      refuseForeign();
    } catch (IOException e) {
      throw new LauncherException(
          "the data folder " + path + " cannot be used: " + Failures.reason(e), e);
    }
    Path lockFile = path.resolve(LOCK_FILE);
    boolean unmarked = !Files.exists(lockFile);
    try {
      FileChannel channel =
          FileChannel.open(
              lockFile,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      Optional<FileLock> lock = tryLock(channel);
      // The other one may just have removed the file that was opened here (see Claim.undo).
      if (lock.isEmpty() || !Files.exists(lockFile)) {
        channel.close();
        throw new LauncherException(
            "the data folder "
                + path
                + " is in use by "
                + ProcessIdentity.read(lockFile)
                    .map(other -> "process " + other.pid())
                    .orElse("another process"));
      }
      process.write(channel);
      return new Claim(this, channel, fresh, unmarked);
    } catch (IOException e) {
      throw new LauncherException(
          "the data folder " + path + " is not writable: " + Failures.reason(e), e);
    }
  }

  private void refuseForeign() throws IOException {
    if (Files.exists(path.resolve(LOCK_FILE))) {
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
                + ROOT_DIR.name());
      }
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
    if (!Files.exists(lockFile)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
      Optional<FileLock> lock = tryLock(channel);
      if (lock.isPresent()) {
        return Optional.empty();
      }
    } catch (IOException e) {
      throw new LauncherException(
          "cannot tell whether a server runs on " + path + ": " + Failures.reason(e), e);
    }
    // Who has just taken the lock writes its name in the next moment; until then it has none.
    return ProcessIdentity.read(lockFile).or(() -> Optional.of(ProcessIdentity.UNKNOWN));
  }

  private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException e) {
      return Optional.empty(); // this very process has it
    }
  }

  /** The right of this process to use the folder, until closed. */
  static final class Claim implements AutoCloseable {
    private final DataFolder folder;
    private final FileChannel channel;
    private final boolean fresh;
    private final boolean unmarked;

    private Claim(DataFolder folder, FileChannel channel, boolean fresh, boolean unmarked) {
      this.folder = folder;
      this.channel = channel;
      this.fresh = fresh;
      this.unmarked = unmarked;
    }

    /** Lets others know that the server serves. */
    void publish(ServerStatus status) throws IOException {
      status.write(folder.path);
    }

    /** Gives the folder back as it was found, if the server wrote nothing into it. */
    void undo() throws IOException {
      try (this) {
        if (!unmarked) {
          return;
        }
        try (Stream<Path> files = Files.list(folder.path)) {
          if (files.anyMatch(file -> !isNobodys(file) && !file.endsWith(LOCK_FILE))) {
            return;
          }
        }
        Files.delete(folder.path.resolve(LOCK_FILE));
        if (fresh) {
          Files.delete(folder.path);
        }
      }
    }

    private static boolean isNobodys(Path file) {
      return NOBODYS.contains(file.getFileName().toString());
    }

    /** Gives the folder free; others then see that the server has stopped in order. */
    @Override
    public void close() throws IOException {
      if (channel.isOpen()) {
        ServerStatus.delete(folder.path);
        channel.close();
      }
    }
  }
}
