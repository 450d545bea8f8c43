package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * What came of answering a call on its network thread ({@link RpcMethod.Quick}).
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
   * The call is under way and will be answered by whoever completes the stage, most often another
   * thread, in any order with others. What the stage fails with is told as if a handler had thrown
   * it.
   *
   * @param response the response; whoever completes it encodes and hands over the response, which
   *     does not wait
   * @param errors turns what the stage fails with into what is told
   */
  record Later<R>(CompletionStage<R> response, UnaryOperator<Throwable> errors)
      implements Attempt<R> {
    /** Creates a call that tells what the stage fails with. */
    public Later(CompletionStage<R> response) {
      this(response, UnaryOperator.identity());
    }
  }

  /**
   * A part is done, and the rest is for a handler: the call turned out to be longer than it seemed.
   *
   * @param rest what the handler does
   */
  record Begun<R>(Rest<R> rest) implements Attempt<R> {}

  /** What is left of a call: it is finished or dropped, on any thread, once. */
  interface Rest<R> {
    /**
     * Does it and returns the call's response.
     *
     * @throws IOException the call's answer, as if a handler had thrown it
     */
    R finish() throws IOException;

    /** Gives back what the call holds, because nobody waits for its answer any more. */
    void drop();
  }

  /** Nothing has happened: a handler answers the call from the beginning. */
  final class Declined implements Attempt<Object> {
    private static final Declined INSTANCE = new Declined();

    private Declined() {}
  }
}
