package dev.cairn.server.master.recovery;

import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One attempt to recover the log of a dead server. Owned by the loop. */
final class LogRecovery {
  private final ServerName dead;
  private final LeftLog log;
  private final RecoveryProgress progress;
  private final Completion completion;

  /** The number of jobs that are not done. */
  private final Map<LogKind, Integer> jobs = new EnumMap<>(LogKind.class);

  /** The kinds whose files are not archived. */
  private final Set<LogKind> unarchived;

  private final Map<LogKind, Set<String>> damaged = new EnumMap<>(LogKind.class);

  /** The numbers of the scratch directories that are lent. */
  private final Set<Long> lent = new TreeSet<>();

  private boolean ended;

  LogRecovery(ServerName dead, LeftLog log, RecoveryProgress progress, Completion completion) {
    this.dead = dead;
    this.log = log;
    this.progress = progress;
    this.completion = completion;
    this.unarchived = EnumSet.copyOf(log.kinds());
    for (LogKind kind : log.kinds()) {
      jobs.put(kind, 0);
      damaged.put(kind, new HashSet<>());
    }
  }

  ServerName dead() {
    return dead;
  }

  LeftLog log() {
    return log;
  }

  RecoveryProgress progress() {
    return progress;
  }

  Completion completion() {
    return completion;
  }

  /** Returns the numbers of the scratch directories that are lent, for the caller to change. */
  Set<Long> lent() {
    return lent;
  }

  void jobBegun(LogKind kind) {
    jobs.merge(kind, 1, Integer::sum);
  }

  void jobDone(LogKind kind, Set<String> damagedFiles) {
    jobs.merge(kind, -1, Integer::sum);
    damaged.get(kind).addAll(damagedFiles);
  }

  /** Tells whether a kind has no jobs that are not done. */
  boolean isSplit(LogKind kind) {
    return jobs.get(kind) == 0;
  }

  Set<String> damaged(LogKind kind) {
    return damaged.get(kind);
  }

  /** Records that the files of a kind are archived. Returns whether all files are. */
  boolean archived(LogKind kind) {
    unarchived.remove(kind);
    return unarchived.isEmpty();
  }

  boolean isEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }
}
