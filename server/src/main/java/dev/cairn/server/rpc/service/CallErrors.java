package dev.cairn.server.rpc.service;

import java.io.IOException;

/** Turns the failures of a service's methods into errors that clients know. Thread-safe. */
@FunctionalInterface
public interface CallErrors {
  /**
   * Returns the error for the client.
   *
   * @param failure what a method or an interceptor has thrown: an {@link IOException} or a {@link
   *     RuntimeException}
   */
  IOException forClient(RpcCall call, Exception failure);
}
