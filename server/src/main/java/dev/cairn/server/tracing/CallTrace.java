package dev.cairn.server.tracing;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.slowlog.FinishedCall;
import java.io.IOException;
import java.util.Optional;

/** The trace of one call. One thread at a time, as the call. */
public interface CallTrace {
  /** The trace of a call that is not traced. */
  CallTrace NONE = new NotTraced();

  /** Tells whether the call is traced; if not, the other methods must not be called. */
  boolean isOn();

  /** Returns the times of the call's waits, which the call records. */
  PhaseTimes phases();

  /**
   * Ends the trace; only the first end counts. Does not block.
   *
   * @param failure the error that the caller got, if the call failed
   */
  void ended(FinishedCall call, CallMoments moments, Optional<IOException> failure);

  /** Does nothing. */
  record NotTraced() implements CallTrace {
    @Override
    public boolean isOn() {
      return false;
    }

    @Override
    public PhaseTimes phases() {
      throw new IllegalStateException("The call is not traced");
    }

    @Override
    public void ended(FinishedCall call, CallMoments moments, Optional<IOException> failure) {}
  }
}
