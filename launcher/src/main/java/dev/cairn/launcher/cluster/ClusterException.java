package dev.cairn.launcher.cluster;

/** Reports that a command for a local cluster failed; the message is one line for the user. */
public final class ClusterException extends RuntimeException {
  /** Creates the exception. */
  public ClusterException(String message) {
    super(message);
  }

  /** Creates the exception with its cause. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
