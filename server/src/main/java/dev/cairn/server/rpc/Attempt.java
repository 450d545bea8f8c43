package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * The outcome of answering a call on its network thread ({@link RpcMethod.InlineHandler}).
 *
 * @param <R> the response message
 */
public sealed interface Attempt<R> {
  /** Returns the attempt that did nothing. */
  @SuppressWarnings("unchecked") // it holds no response
  static <R> Attempt<R> declined() {
    return (Attempt<R>) Declined.INSTANCE;
  }

  /** The call is answered. */
  record Answered<R>(R response) implements Attempt<R> {}

  /**
   * The call is under way. The thread that completes the stage answers it, in any order with other
   * calls. A failure of the stage is sent as if a handler had thrown it.
   *
   * @param response the response; the completing thread encodes it and hands it over, which does
   *     not block
   * @param errors turns a failure of the stage into the error that is sent
   */
  record Deferred<R>(CompletionStage<R> response, UnaryOperator<Throwable> errors)
      implements Attempt<R> {
    /** Creates a call whose failure is sent as it is. */
    public Deferred(CompletionStage<R> response) {
      this(response, UnaryOperator.identity());
    }
  }

  /** A handler continues the call, because it takes longer than expected. */
  record Partial<R>(Continuation<R> continuation) implements Attempt<R> {}

  /** The remaining work of a call. Finished or dropped once, on any thread. */
  interface Continuation<R> {
    /**
     * Does the work and returns the call's response.
     *
     * @throws IOException the call's answer, as if a handler had thrown it
     */
    R finish() throws IOException;

    /** Gives back what the call holds, because the call will not be answered. */
    void drop();
  }

  /** Nothing has happened: a handler answers the call from the beginning. */
  final class Declined implements Attempt<Object> {
    private static final Declined INSTANCE = new Declined();

    private Declined() {}
  }
}
