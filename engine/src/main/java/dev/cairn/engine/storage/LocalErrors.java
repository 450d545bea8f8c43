package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells a full local disk from everything else that goes wrong there. */
final class LocalErrors {
  /** With less than this left for users, a write that failed has failed for lack of room. */
  private static final long ROOM_MIN = 64 << 10;

  private LocalErrors() {}

  /**
   * Returns the exception to throw for {@code failure}: a {@link DiskFullException} if there is no
   * room, else itself. The sentence of the operating system may be in the user's own language, so
   * the file system is asked, too.
   *
   * @param path the file that could not be written
   * @param directory an existing directory on the same file system
   */
  static IOException of(String path, Path directory, IOException failure) {
    return DiskFullException.isSaidBy(failure) || isFull(directory)
        ? new DiskFullException(path, failure)
        : failure;
  }

  private static boolean isFull(Path directory) {
    try {
      FileStore disk = Files.getFileStore(directory);
      // Virtual file systems such as /proc report a total size of 0.
      return disk.getTotalSpace() > 0 && disk.getUsableSpace() < ROOM_MIN;
    } catch (IOException e) {
      return false; // then it is not this that can be said about it
    }
  }
}
