package dev.cairn.tools.backup;

import dev.cairn.engine.time.Clock;
import dev.cairn.tools.inspect.FileLocation;
import java.io.Closeable;
import java.io.IOException;

/** Holds the lease of a folder of backups while this process changes it. */
public final class FolderChange implements Closeable {
  private final HeldLease lease;
  private final BackupFolder folder;

  /**
   * Takes the lease.
   *
   * @param purpose the command
   * @throws dev.cairn.tools.backup.BackupException if another process has the lease
   */
  public FolderChange(FileLocation location, String purpose) throws IOException {
    lease =
        new HeldLease(
            FolderLease.take(
                FolderLease.Place.of(location.storage(), location.name()),
                purpose,
                FolderOwner.current(),
                FolderOwner::hasEnded,
                Clock.SYSTEM));
    folder = new BackupFolder(location.storage(), location.name(), lease);
  }

  /** Returns the folder, which checks the lease before each change. */
  public BackupFolder folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    lease.close();
  }
}
