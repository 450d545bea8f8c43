package dev.cairn.launcher;

import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.StorageLock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A local folder that this process has locked, and knows how it was found. */
final class TakenFolder implements AutoCloseable {
  /** The lock, whose holder's name lies beside it while it is held. */
  static final String LOCK_FILE = "cairn.lock";

  private final LocalStorage storage;
  private final FilePermissions permissions;
  private final StorageLock lock;
  private final boolean fresh;
  private final Set<String> before;

  private TakenFolder(
      LocalStorage storage,
      FilePermissions permissions,
      StorageLock lock,
      boolean fresh,
      Set<String> before) {
    this.storage = storage;
    this.permissions = permissions;
    this.lock = lock;
    this.fresh = fresh;
    this.before = before;
  }

  /**
   * Takes a folder, creating it if need be.
   *
   * @param what what the folder is, for errors
   * @param umask who may read and write what is made in it
   * @throws LauncherException if it cannot be used: not writable, or taken
   */
  static TakenFolder take(Path path, String what, Umask umask) {
    boolean fresh = !Files.exists(path);
    try {
      Set<String> before = fresh ? Set.of() : names(path);
      FilePermissions permissions = umask.inside(path);
      LocalStorage storage = new LocalStorage(path, permissions);
      return new TakenFolder(storage, permissions, storage.lock(LOCK_FILE), fresh, before);
    } catch (IOException e) {
      throw unusable(path, what, e);
    }
  }

  /** Returns the error to tell of a folder that cannot be used. */
  static LauncherException unusable(Path path, String what, IOException cause) {
    // A lock's error begins with the path.
    String reason = Failures.reason(cause);
    boolean ofSystem = cause instanceof FileSystemException || cause instanceof DiskFullException;
    boolean named = !ofSystem && reason.contains(path.toString());
    return new LauncherException(
        what + " " + (named ? reason : path + " cannot be used: " + reason), cause);
  }

  /** Returns the folder's files. */
  LocalStorage storage() {
    return storage;
  }

  /** Returns the permissions of what is made in it. */
  FilePermissions permissions() {
    return permissions;
  }

  /** Tells whether nothing is new in it but the lock and perhaps a file of the name {@code own}. */
  boolean isUntouched(String own) throws IOException {
    return Set.of(LOCK_FILE, LOCK_FILE + ".owner", own).containsAll(added());
  }

  /** Gives the folder free, and makes it what it was; it must be {@link #isUntouched untouched}. */
  void undo() throws IOException {
    close();
    for (String name : added()) {
      Files.delete(storage.root().resolve(name));
    }
    if (fresh) {
      Files.delete(storage.root());
    }
  }

  /** Gives the folder free. */
  @Override
  public void close() throws IOException {
    lock.close();
  }

  private Set<String> added() throws IOException {
    Set<String> added = new HashSet<>(names(storage.root()));
    added.removeAll(before);
    return added;
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }
}
