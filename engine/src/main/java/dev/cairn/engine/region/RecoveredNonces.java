package dev.cairn.engine.region;

import dev.cairn.engine.wal.Nonce;

/** Is told which numbered changes a dead server had made. Called by the thread that opens. */
@FunctionalInterface
public interface RecoveredNonces {
  /** Has no use for them. */
  RecoveredNonces IGNORED = (nonce, writeTimeMillis) -> false;

  /**
   * Takes note of a change that is in the region, or will be before it is open.
   *
   * @param writeTimeMillis when it was made, milliseconds since 1970
   * @return whether it has to be remembered still; then the log goes on carrying its number, for
   *     the case of another crash
   */
  boolean recovered(Nonce nonce, long writeTimeMillis);
}
