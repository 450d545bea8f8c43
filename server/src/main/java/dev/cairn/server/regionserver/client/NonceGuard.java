package dev.cairn.server.regionserver.client;

import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.Optional;

/** Runs changes, numbered ones only once. Thread-safe. */
final class NonceGuard {
  /** A change of one or more rows. */
  @FunctionalInterface
  interface Change {
    /** Makes the change and returns its outcome. */
    NonceManager.Remembered run() throws IOException;
  }

  private final NonceManager nonces;

  NonceGuard(NonceManager nonces) {
    this.nonces = nonces;
  }

  /**
   * Admits a numbered change that its caller runs, and ends; empty if the one of the same number
   * runs or has run.
   */
  Optional<NonceManager.Admission.First> tryAdmit(Nonce nonce) {
    return nonces.tryAdmit(nonce.group(), nonce.number());
  }

  /**
   * Runs a change, unless one of the same number was run before: then returns the outcome of that
   * one.
   *
   * @param nonce the number; {@link NonceManager#NO_NONCE} for a change that may be run any number
   *     of times
   * @param waitMillis how long to wait for the same change if it is running
   * @param read returns the answer if an earlier owner of the region ran the change: the row as it
   *     is now
   */
  NonceManager.Remembered run(long group, long nonce, long waitMillis, Change change, Change read)
      throws IOException {
    if (nonce == NonceManager.NO_NONCE) {
      return change.run();
    }
    NonceManager.Admission admission = nonces.admit(group, nonce, waitMillis);
    if (admission instanceof NonceManager.Admission.Repeated repeated) {
      return repeated.outcome();
    }
    if (admission instanceof NonceManager.Admission.Recovered) {
      return read.run();
    }
    NonceManager.Admission.First first = (NonceManager.Admission.First) admission;
    boolean ended = false;
    try {
      NonceManager.Remembered outcome = change.run();
      first.done(outcome);
      ended = true;
      return outcome;
    } catch (WriteUndecidedException e) {
      first.postponed(e.outcome());
      ended = true;
      throw e;
    } finally {
      if (!ended) {
        first.failed();
      }
    }
  }
}
