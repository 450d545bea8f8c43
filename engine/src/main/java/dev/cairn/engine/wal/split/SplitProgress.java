package dev.cairn.engine.wal.split;

import java.util.Set;

/**
 * Receives the progress of the split of a dead server's logs. Called on any thread; must not block.
 */
public interface SplitProgress extends SealProgress {
  /** Ignores everything. */
  SplitProgress NONE =
      new SplitProgress() {
        @Override
        public void found(Set<LogKind> kinds) {}

        @Override
        public void sealing(String path) {}

        @Override
        public void sealed(String path) {}

        @Override
        public void read(LogKind kind, Set<String> edited) {}

        @Override
        public void recovered(String region) {}
      };

  /** The regions that a log is for. */
  enum LogKind {
    /** The regions of {@code hbase:meta} alone. */
    META,
    /** All other regions, and {@code hbase:meta} if it has no separate log. */
    REGIONS
  }

  /** The split begins, with logs of some kinds. */
  void found(Set<LogKind> kinds);

  /**
   * All logs of a kind are sealed and read. The regions without entries in these logs can be
   * opened.
   *
   * @param edited the encoded names of the regions that have entries in these logs
   */
  void read(LogKind kind, Set<String> edited);

  /**
   * All entries of a region are recovered, so it can be opened.
   *
   * @param region the encoded name
   */
  void recovered(String region);
}
