package dev.cairn.server.rpc.service;

import java.io.IOException;
import java.util.Optional;

/** How a call ended. */
public sealed interface CallEnd {
  /**
   * The method answered.
   *
   * @param bytes the size of the response message and the cells beside it
   */
  record Answered(long bytes) implements CallEnd {}

  /** The call failed or was refused, with this error for the client. */
  record Failed(IOException error) implements CallEnd {}

  /** Nobody waits for the answer any more, so the call was dropped. */
  record Dropped() implements CallEnd {}

  /** The end of a dropped call. */
  CallEnd DROPPED = new Dropped();

  /** Returns the bytes of the response; 0 if there is none. */
  default long responseBytes() {
    return this instanceof Answered answered ? answered.bytes() : 0;
  }

  /** Returns the error, if the call has failed. */
  default Optional<IOException> failure() {
    return this instanceof Failed failed ? Optional.of(failed.error()) : Optional.empty();
  }
}
