package dev.cairn.server.rpc.wire;

import java.io.IOException;

/** The other side failed a call with an exception of a class that this side does not know. */
public final class RpcRemoteException extends IOException {
  private final String className;
  private final boolean doNotRetry;

  /** Creates the exception. */
  public RpcRemoteException(String className, String message, boolean doNotRetry) {
    super(className + ": " + message);
    this.className = className;
    this.doNotRetry = doNotRetry;
  }

  /** Returns the class name that the other side gave. */
  public String className() {
    return className;
  }

  /** Tells whether the other side said that a repetition would fail as well. */
  public boolean doNotRetry() {
    return doNotRetry;
  }
}
