package dev.cairn.server.master.recovery;

import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.walsplit.PartProgress;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The write-ahead logs that servers left. Calls wait for the storage, and may be repeated after a
 * failure. Thread-safe.
 */
public interface DeadServerLogs {
  /** Returns the servers, living or dead, that have a log. */
  List<ServerName> servers() throws IOException;

  /**
   * Takes the log away from a dead server, so that the server can create no more files there.
   * Returns the remaining files; empty if there is no log.
   */
  Optional<LeftLog> take(ServerName dead) throws IOException;

  /**
   * Creates an empty file in a scratch directory and deletes it. Fails if the storage takes no new
   * files, and so no recovery.
   */
  void check() throws IOException;

  /**
   * Seals the present files of a log whose server may be alive, so that a later recovery need not
   * wait for the seals. The next write of such a server to a sealed file fails, and the server
   * continues in a new file.
   */
  void sealEarly(ServerName server) throws IOException;

  /** Seals all files of a log, so that the dead server can acknowledge no more writes to them. */
  void seal(LeftLog log, SealProgress progress) throws IOException;

  /**
   * Makes a scratch directory for a process that splits parts of a log.
   *
   * @param number not used before by this master
   */
  void lend(long number) throws IOException;

  /** Takes a scratch directory back: its process can give no more regions their entries. */
  void recall(long number) throws IOException;

  /**
   * Gives the regions of some parts of a log their entries.
   *
   * @param parts the parts; notified when each is complete
   * @param scratch the number of a scratch directory
   * @return the names of damaged files, which must be set aside
   */
  Set<String> split(LeftLog log, LogKind kind, PartProgress parts, long scratch) throws IOException;

  /**
   * Archives the files of one kind, after all regions have their entries.
   *
   * @param damaged the names of damaged files, which are set aside instead
   */
  void archive(LeftLog log, LogKind kind, Set<String> damaged) throws IOException;

  /** Removes the directory of a log whose files are archived. */
  void remove(LeftLog log) throws IOException;
}
