package dev.cairn.server.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** The search for a regular expression in one value outlived its call, and was ended. */
public final class EvaluationEndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean endless;

  /**
   * Creates the error.
   *
   * @param millis how long the search took, milliseconds
   * @param waitMillis how long the caller waits in all, milliseconds
   * @param endless whether the search alone took most of that time, so that another call would end
   *     the same way
   */
  EvaluationEndedException(long millis, long waitMillis, boolean endless) {
    super(
        "a regular expression was searched for in one value for "
            + millis
            + " ms, and the caller waits no longer than "
            + waitMillis
            + " ms (hbase.rpc.timeout) or has disconnected."
            + " Rewrite the expression so that it does not backtrack, without nested repetitions"
            + " such as (a+)+");
    this.endless = endless;
  }

  /**
   * Returns what the client is told.
   *
   * @param where what was evaluated, the beginning of a sentence
   */
  public IOException forClient(String where) {
    String message = where + ": " + getMessage();
    return endless ? new DoNotRetryIOException(message, this) : new IOException(message, this);
  }
}
