package dev.cairn.launcher.folder;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.launcher.output.LauncherException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A local folder that the processes of one cluster share. Each process holds a shared lock on the
 * file that a standalone server locks exclusively, so no standalone server can use the folder
 * meanwhile.
 */
final class SharedFolder implements Closeable {
  private final LocalStorage storage;
  private final FileChannel lock;

  private SharedFolder(LocalStorage storage, FileChannel lock) {
    this.storage = storage;
    this.lock = lock;
  }

  /**
   * Joins the users of a folder, and creates it if it does not exist.
   *
   * @param what the folder's role, for error messages
   * @param umask the permissions of new files and folders in it
   * @throws LauncherException if it is not writable or a standalone server uses it
   */
  static SharedFolder join(Path path, String what, Umask umask) {
    try {
      FilePermissions permissions = umask.inside(path);
      LocalStorage storage = new LocalStorage(path, permissions);
      Path file = path.resolve(TakenFolder.LOCK_FILE);
      permissions.createFileIfMissing(file);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
        channel.close();
        throw new LauncherException(
            what + " " + path + " is in use by a standalone server: stop it with bin/cairn stop");
      }
      return new SharedFolder(storage, channel);
    } catch (IOException e) {
      throw TakenFolder.unusable(path, what, e);
    }
  }

  /** Returns the storage in the folder. */
  Storage storage() {
    return storage;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
