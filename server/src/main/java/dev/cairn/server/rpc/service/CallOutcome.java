package dev.cairn.server.rpc.service;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The state of a call when its method returns ({@link RpcMethod.Handler}).
 *
 * @param <R> the response message
 */
public sealed interface CallOutcome<R> {
  /** Returns the outcome of a method that did nothing. */
  @SuppressWarnings("unchecked") // it holds no response
  static <R> CallOutcome<R> declined() {
    return (CallOutcome<R>) Declined.DECLINED;
  }

  /** Returns the outcome of a method that has used up its budget and undone its work. */
  static <R> CallOutcome<R> unfinished() {
    return new Unfinished<>(Optional.empty());
  }

  /** The call is answered. */
  record Answered<R>(R response) implements CallOutcome<R> {}

  /**
   * The call is pending. The thread that completes the stage answers the call; calls complete in
   * any order. A failure of the stage is sent as if the method had thrown it.
   *
   * @param response the response; the completing thread encodes and queues it, which does not block
   */
  record Deferred<R>(CompletionStage<R> response) implements CallOutcome<R> {}

  /**
   * The budget was used up. A handler continues the call, or begins it again if there is no
   * continuation.
   */
  record Unfinished<R>(Optional<Continuation<R>> continuation) implements CallOutcome<R> {}

  /** The remaining work of a call. Any thread finishes or drops it, once. */
  interface Continuation<R> {
    /**
     * Does the work and returns the call's response. May block. After a failure the method may
     * begin again.
     *
     * @throws IOException the call's answer, as if the method had thrown it
     */
    R finish() throws IOException;

    /** Releases the resources of the call, because the call will not be answered. */
    void drop();
  }

  /** The method did nothing: only handlers answer such a call. */
  enum Declined implements CallOutcome<Object> {
    DECLINED
  }
}
