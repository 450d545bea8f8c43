package dev.cairn.server.hook;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/** A coprocessor cannot run: it cannot be loaded, made or started. */
public final class HookFailedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** Creates it. The message is a sentence that begins with a small letter. */
  public HookFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
