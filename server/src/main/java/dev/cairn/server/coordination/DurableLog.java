package dev.cairn.server.coordination;

import dev.cairn.engine.storage.LocalSync;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.common.AtomicFileOutputStream;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.Util;

/**
 * Snapshots and logs in a folder. ZooKeeper itself syncs the content of logs, but neither that of
 * snapshots nor any name. This class syncs all three: a snapshot before {@link #save} returns, and
 * the name of a log before the first transaction in it is answered.
 *
 * <p>Remembers why a write failed: the thread that dies of the failure does not report it.
 */
final class DurableLog extends FileTxnSnapLog {
  private final LocalSync sync;
  private volatile Optional<IOException> failure = Optional.empty();

  /** True if a log was created whose name is not synced. Owned by the appending thread. */
  private boolean nameUnsynced;

  DurableLog(File directory, LocalSync sync) throws IOException {
    super(directory, directory);
    this.sync = sync;
    deleteUnfinishedSnapshots(getSnapDir().toPath());
    sync.directory(directory.toPath());
  }

  /** Deletes snapshots that a kill left under their temporary names. Nothing else deletes them. */
  private static void deleteUnfinishedSnapshots(Path folder) throws IOException {
    String unfinished = FileSnap.SNAPSHOT_FILE_PREFIX + ".*" + AtomicFileOutputStream.TMP_EXTENSION;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, unfinished)) {
      for (Path file : found) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns why the last write failed; empty if none has failed. */
  Optional<IOException> failure() {
    return failure;
  }

  /**
   * Writes and syncs a snapshot, also where ZooKeeper would not: a log is of no use without the
   * snapshot before it. The snapshot gets its name once it is complete.
   */
  @Override
  public File save(
      DataTree tree, ConcurrentHashMap<Long, Integer> sessions, boolean ignoredSyncSnap)
      throws IOException {
    File snapshot = super.save(tree, sessions, true);
    sync.directory(getSnapDir().toPath());
    return snapshot;
  }

  @Override
  public boolean append(Request request) throws IOException {
    try {
      boolean appended = super.append(request);
      if (appended && !nameUnsynced) {
        // A log is named after its first transaction.
        nameUnsynced =
            new File(getDataLogDir(), Util.makeLogName(request.getHdr().getZxid())).exists();
      }
      return appended;
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  @Override
  public void commit() throws IOException {
    try {
      super.commit();
      if (nameUnsynced) {
        sync.directory(getDataLogDir().toPath());
        nameUnsynced = false;
      }
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  @Override
  public void rollLog() throws IOException {
    try {
      super.rollLog();
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }
}
