package dev.cairn.server.request;

import java.io.IOException;

/**
 * Lends the memory of what a call's request is decoded to, where that is far larger than the
 * request.
 */
@FunctionalInterface
public interface RequestMemory {
  /** Lends without a limit. */
  RequestMemory UNLIMITED = bytes -> {};

  /**
   * Borrows {@code bytes} before they are allocated.
   *
   * @throws IOException the error for the client, if the memory is not available
   */
  void borrow(long bytes) throws IOException;
}
