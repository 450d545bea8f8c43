package dev.cairn.server.regionserver.logs;

import dev.cairn.engine.wal.split.FlushedEdits;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.walsplit.PartProgress;
import java.io.IOException;

/** Splits parts of dead servers' logs. Thread-safe. */
@FunctionalInterface
public interface WalSplitter {
  /**
   * Gives the regions of some parts of a log their entries. Waits for the storage. Publishes
   * nothing once {@code scratch} is removed or renamed.
   *
   * @param directory the log's directory, which a master has taken over
   * @param flushed tells which entries are in store files and are left out
   * @param parts the parts; notified when each is complete
   * @param scratch the directory for unfinished files
   * @throws IOException also if a file is damaged; the master then decides about the file
   */
  void split(
      String directory, LogKind kind, PartProgress parts, FlushedEdits flushed, String scratch)
      throws IOException;
}
