package dev.cairn.server.rpc;

import org.apache.hadoop.hbase.ipc.FatalConnectionException;

/** A client asks for a service that this port does not have. Ends the client's connection. */
final class UnknownServiceException extends FatalConnectionException {
  private static final long serialVersionUID = 1L;

  /** The class that clients know; it is in HBase's server alone. */
  static final String NAME = "org.apache.hadoop.hbase.ipc.UnknownServiceException";

  UnknownServiceException(String message) {
    super(message);
  }

  @Override
  public String toString() {
    return NAME + ": " + getMessage();
  }
}
