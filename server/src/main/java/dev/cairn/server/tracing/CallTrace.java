package dev.cairn.server.tracing;

import dev.cairn.server.slowlog.FinishedCall;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The trace of one call. One thread at a time, as the call. */
public interface CallTrace {
  /** The trace of a call that is not traced. */
  CallTrace NONE = new NotTraced();

  /** Tells whether the call is traced; if not, the other methods must not be called. */
  boolean isOn();

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
    public void ended(FinishedCall call, CallMoments moments, Optional<IOException> failure) {}
  }

  /**
   * The arrival, start and end of a call, by the server's {@link
   * dev.cairn.engine.time.Clock#nanoTime}.
   *
   * @param startedNanos start of its work, plus the time in queues between two parts of it
   * @param endedMillis the end again, milliseconds since 1970
   */
  record CallMoments(long receivedNanos, long startedNanos, long endedNanos, long endedMillis) {
    /** Returns the time in queues. */
    long queueNanos() {
      return startedNanos - receivedNanos;
    }

    /** Returns a moment of the server's clock in nanoseconds since 1970. */
    long epochNanos(long nanos) {
      return TimeUnit.MILLISECONDS.toNanos(endedMillis) - (endedNanos - nanos);
    }
  }
}
