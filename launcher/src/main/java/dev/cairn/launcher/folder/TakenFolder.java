package dev.cairn.launcher.folder;

import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.StorageLock;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A local folder that this process has locked. It knows which files it had before. */
final class TakenFolder implements AutoCloseable {
  /** The lock file. Another file has the holder's name. */
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
   * Locks a folder, and creates it if it does not exist.
   *
   * @param what the folder's role, for error messages
   * @param umask the permissions of new files and folders in it
   * @throws LauncherException if it is not writable or another process has locked it
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

  /** Returns the error for a folder that cannot be used. */
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

  /** Returns the permissions of new files and folders in it. */
  FilePermissions permissions() {
    return permissions;
  }

  /** Tells whether the only new files in it are the lock and perhaps {@code own}. */
  boolean isUntouched(String own) throws IOException {
    return Set.of(LOCK_FILE, LOCK_FILE + ".owner", own).containsAll(added());
  }

  /** Unlocks the folder and removes the new files. It must be {@link #isUntouched untouched}. */
  void undo() throws IOException {
    close();
    for (String name : added()) {
      Files.delete(storage.root().resolve(name));
    }
    if (fresh) {
      Files.delete(storage.root());
    }
  }

  /** Unlocks the folder. */
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
