package dev.cairn.engine.region;

import java.util.List;

/**
 * Is told what became of a write ({@link PendingWrite#whenDone}): by one of the two methods, once,
 * on any thread, which must not be kept; perhaps before {@code whenDone} has returned. Neither
 * throws anything.
 */
public interface WriteListener {
  /** Wants to know nothing. */
  WriteListener NONE =
      new WriteListener() {
        @Override
        public void done(List<MutationOutcome> outcomes) {}

        @Override
        public void failed(Throwable cause) {}
      };

  /**
   * The outcomes are known; what is done is as safe as it was to be, and seen.
   *
   * @param outcomes what {@link PendingWrite#join} would return now
   */
  void done(List<MutationOutcome> outcomes);

  /**
   * {@link PendingWrite#join} would have failed now.
   *
   * @param cause with what
   */
  void failed(Throwable cause);
}
