package dev.cairn.engine.region;

import dev.cairn.engine.wal.file.Nonce;

/**
 * Receives the nonces of the changes that a region's earlier owners made: those in its store files,
 * and those in the log of a dead server. Called by the thread that opens the region.
 */
@FunctionalInterface
public interface RecoveredNonces {
  /** Ignores the nonces. */
  RecoveredNonces IGNORED = (nonce, writeTimeMillis) -> {};

  /**
   * Takes note of a change that is in the region, or will be before it is open.
   *
   * @param writeTimeMillis when it was made, milliseconds since 1970
   */
  void recovered(Nonce nonce, long writeTimeMillis);
}
