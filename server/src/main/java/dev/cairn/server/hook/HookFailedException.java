package dev.cairn.server.hook;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/** A coprocessor cannot be loaded, created or started. */
public final class HookFailedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. The message is a sentence that begins in lower case. */
  public HookFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
