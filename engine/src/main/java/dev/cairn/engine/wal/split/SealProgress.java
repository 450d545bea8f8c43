package dev.cairn.engine.wal.split;

/** Receives the log files that are being sealed. Called on any thread; must not block. */
public interface SealProgress {
  /** Ignores everything. */
  SealProgress NONE =
      new SealProgress() {
        @Override
        public void sealing(String path) {}

        @Override
        public void sealed(String path) {}
      };

  /** A log file is about to be sealed. */
  void sealing(String path);

  /** A log file is sealed. */
  void sealed(String path);
}
