package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * How far a method has come with a call when it returns ({@link RpcMethod.Handler}).
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
   * The call is under way. The thread that completes the stage answers it, in any order with other
   * calls. A failure of the stage is sent as if the method had thrown it.
   *
   * @param response the response; the completing thread encodes it and hands it over, which does
   *     not block
   */
  record Deferred<R>(CompletionStage<R> response) implements CallOutcome<R> {}

  /**
   * The budget did not suffice. A handler continues the call; without a continuation, it begins
   * anew.
   */
  record Unfinished<R>(Optional<Continuation<R>> continuation) implements CallOutcome<R> {}

  /** The remaining work of a call. Finished or dropped once, on any thread. */
  interface Continuation<R> {
    /**
     * Does the work and returns the call's response. May block. After a failure the method may
     * begin anew.
     *
     * @throws IOException the call's answer, as if the method had thrown it
     */
    R finish() throws IOException;

    /** Gives back what the call holds, because the call will not be answered. */
    void drop();
  }

  /** Nothing has happened: the call is one of those that only handlers answer. */
  enum Declined implements CallOutcome<Object> {
    DECLINED
  }
}
