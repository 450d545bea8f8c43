package dev.cairn.engine.region.write;

import java.util.List;

/**
 * Receives the outcome of a write ({@link PendingWrite#whenDone}). Exactly one of the methods is
 * called, once, on any thread, possibly before {@code whenDone} returns. The methods must not block
 * and must not throw.
 */
public interface WriteListener {
  /** Ignores the outcome. */
  WriteListener NONE =
      new WriteListener() {
        @Override
        public void done(List<MutationOutcome> outcomes) {}

        @Override
        public void failed(Throwable cause) {}
      };

  /**
   * Receives the outcomes. The write is as durable as it requested, and visible.
   *
   * @param outcomes the return value of {@link PendingWrite#join}
   */
  void done(List<MutationOutcome> outcomes);

  /**
   * Receives the failure of the write.
   *
   * @param cause the exception that {@link PendingWrite#join} throws
   */
  void failed(Throwable cause);
}
