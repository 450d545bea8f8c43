package dev.cairn.server.rpc.wire;

import org.apache.hadoop.hbase.ipc.FatalConnectionException;

/**
 * Reports that a client requests a service that this port does not have. The server closes the
 * connection.
 */
public final class UnknownServiceException extends FatalConnectionException {
  private static final long serialVersionUID = 1L;

  /** The name of HBase's class for this error, which exists only in its server. */
  static final String NAME = "org.apache.hadoop.hbase.ipc.UnknownServiceException";

  public UnknownServiceException(String message) {
    super(message);
  }

  @Override
  public String toString() {
    return NAME + ": " + getMessage();
  }
}
