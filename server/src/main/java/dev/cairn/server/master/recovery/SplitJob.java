package dev.cairn.server.master.recovery;

import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** Parts of a dead server's log that one process splits. Owned by the loop. */
final class SplitJob {
  private final LogRecovery recovery;
  private final LogKind kind;
  private final Set<Integer> parts;
  private final Set<ServerName> tried = new HashSet<>();

  SplitJob(LogRecovery recovery, LogKind kind, Set<Integer> parts) {
    this.recovery = recovery;
    this.kind = kind;
    this.parts = new TreeSet<>(parts);
  }

  LogRecovery recovery() {
    return recovery;
  }

  LogKind kind() {
    return kind;
  }

  /** Returns the indexes of the parts that are not complete, for the caller to change. */
  Set<Integer> parts() {
    return parts;
  }

  /** Returns the region servers that have not completed it, for the caller to change. */
  Set<ServerName> tried() {
    return tried;
  }
}
