package dev.cairn.server.master.procedure;

import java.io.IOException;

/**
 * Ends a procedure before its first step with a failure that is stored as its result. The request
 * succeeds, and its client learns of the failure when it asks for the result. HBase answers some
 * mistakes this way; the client then shows another message than for a refused request.
 */
public final class FailedProcedureException extends IOException {
  private static final long serialVersionUID = 1L;

  private final IOException failure;

  /**
   * Creates the exception.
   *
   * @param failure the procedure's failure, as the client gets it
   * @param cause the exception that the server logs
   */
  public FailedProcedureException(IOException failure, Exception cause) {
    super(cause.getMessage(), cause);
    this.failure = failure;
  }

  /** Returns the procedure's failure, as the client gets it. */
  public IOException failure() {
    return failure;
  }
}
