package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * A lock on the local disk, made of two files: one that the operating system locks, and another one
 * ({@code .owner}) that names the holder.
 *
 * <p>There are two because of POSIX: when a process closes any handle of a locked file, its lock on
 * that file is gone. So no code may open the locked file to read its holder, and a second attempt
 * from within the holding process must be recognised before it opens the file: the owner file shows
 * it, by process id and start time.
 */
final class LocalLock implements StorageLock {
  private final Path ownerFile;
  private final FileChannel channel;
  private boolean closed;

  private LocalLock(Path ownerFile, FileChannel channel) {
    this.ownerFile = ownerFile;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws IOException naming the holder, if there is one
   */
  static LocalLock take(Path file, FilePermissions permissions) throws IOException {
    Path ownerFile = file.resolveSibling(file.getFileName() + ".owner");
    String me = thisProcess();
    // An interned string is the same object for every caller in this JVM: it makes looking and
    // taking one step here, as the operating system does between processes.
    synchronized (("dev.cairn.lock:" + file.toAbsolutePath().normalize()).intern()) {
      String owner = Files.exists(ownerFile) ? Files.readString(ownerFile).strip() : "";
      if (owner.equals(me)) {
        throw held(file, "this process");
      }
      permissions.createFileIfMissing(file);
      FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          throw held(file, owner.isEmpty() ? "another process" : "process " + owner.split(" ")[0]);
        }
        permissions.write(ownerFile, me + "\n");
        return new LocalLock(ownerFile, channel);
      } catch (OverlappingFileLockException e) {
        channel.close();
        throw held(file, "this process");
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }
  }

  private static String thisProcess() {
    ProcessHandle process = ProcessHandle.current();
    return process.pid()
        + " "
        + process.info().startInstant().map(Instant::toString).orElse("unknown start");
  }

  private static IOException held(Path file, String owner) {
    return new IOException(
        file.getParent() + " is in use by " + owner + " (lock file " + file.getFileName() + ")");
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      Files.deleteIfExists(ownerFile);
      channel.close();
    }
  }
}
