package dev.cairn.server.filter;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Reports that a regular expression search in one value was stopped, because its call timed out or
 * its caller disconnected.
 */
public final class EvaluationEndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean endless;

  /**
   * Creates the error.
   *
   * @param millis how long the search ran, milliseconds
   * @param waitMillis how long the caller waits in total, milliseconds
   * @param endless whether the search alone took most of that time, so that a retry would fail, too
   */
  EvaluationEndedException(long millis, long waitMillis, boolean endless) {
    super(
        "the search for a regular expression in one value was stopped after "
            + millis
            + " ms, because the caller waits at most "
            + waitMillis
            + " ms (hbase.rpc.timeout) or has disconnected. Rewrite the expression to avoid"
            + " backtracking: use no nested repetitions such as (a+)+");
    this.endless = endless;
  }

  /**
   * Returns the error for the client.
   *
   * @param where the expression that was evaluated, as the beginning of a sentence
   */
  public IOException forClient(String where) {
    String message = where + ": " + getMessage();
    return endless ? new DoNotRetryIOException(message, this) : new IOException(message, this);
  }
}
