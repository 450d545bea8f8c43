package dev.cairn.tools.backup;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Holds a lease until it is closed. A thread renews it. */
public final class HeldLease implements BackupFolder.Ownership, Closeable {
  private final FolderLease lease;
  private final ScheduledExecutorService renewals;

  /** Holds a lease that was taken. */
  public HeldLease(FolderLease lease) {
    this.lease = lease;
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

  @Override
  public void require() throws IOException {
    lease.require();
  }

  @Override
  public void close() throws IOException {
    renewals.shutdownNow();
    lease.close();
  }
}
