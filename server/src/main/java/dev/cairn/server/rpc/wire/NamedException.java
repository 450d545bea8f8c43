package dev.cairn.server.rpc.wire;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * An error that clients know by a class that is not on this side's class path. It travels under
 * that name; to repeat the call is no use.
 */
public final class NamedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** A request that is refused for what else there is, or for what the system needs. */
  public static final String CONSTRAINT = "org.apache.hadoop.hbase.constraint.ConstraintException";

  /** A region server that may not start on its host. */
  public static final String DECOMMISSIONED_HOST =
      "org.apache.hadoop.hbase.ipc.DecommissionedHostRejectedException";

  private final String className;

  /**
   * Creates the exception.
   *
   * @param className the class that clients know
   */
  public NamedException(String className, String message) {
    super(message);
    this.className = className;
  }

  /** Returns the name of the class under which {@code error} travels. */
  public static String nameOf(Throwable error) {
    if (error instanceof NamedException named) {
      return named.className;
    }
    return error instanceof UnknownServiceException
        ? UnknownServiceException.NAME
        : error.getClass().getName();
  }

  @Override
  public String toString() {
    return className + ": " + getMessage();
  }
}
