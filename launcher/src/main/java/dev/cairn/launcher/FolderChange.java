package dev.cairn.launcher;

import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.backup.BackupFolder;
import dev.cairn.launcher.backup.FolderLease;
import dev.cairn.launcher.backup.FolderOwner;
import dev.cairn.launcher.inspect.FileLocation;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Holds the lease of a folder of backups while this process changes it. A thread renews the lease.
 */
final class FolderChange implements Closeable {
  private final FolderLease lease;
  private final BackupFolder folder;
  private final ScheduledExecutorService renewals;

  /**
   * Takes the lease.
   *
   * @param purpose the command
   * @throws dev.cairn.launcher.backup.BackupException if another process has the lease
   */
  FolderChange(FileLocation location, String purpose) throws IOException {
    lease =
        FolderLease.take(
            location.storage(),
            location.name(),
            purpose,
            FolderOwner.current(),
            FolderOwner::hasEnded,
            Clock.SYSTEM);
    folder = new BackupFolder(location.storage(), location.name(), lease);
    renewals =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "backup-lease");
              thread.setDaemon(true);
              return thread;
            });
    renewals.scheduleWithFixedDelay(
        this::renew, FolderLease.RENEWAL_MILLIS, FolderLease.RENEWAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void renew() {
    try {
      lease.renew();
    } catch (IOException e) {
      // The next renewal may succeed. If the lease is lost, the job's next change is refused.
    }
  }

  BackupFolder folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    renewals.shutdownNow();
    lease.close();
  }
}
