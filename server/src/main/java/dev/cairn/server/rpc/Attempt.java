package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.concurrent.CompletionStage;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * What came of answering a call on its network thread ({@link RpcMethod.Quick}).
 *
 * @param <R> the response message
 */
public sealed interface Attempt<R extends Message> {
  /** Returns the attempt that did nothing. */
  @SuppressWarnings("unchecked") // it holds no response
  static <R extends Message> Attempt<R> declined() {
    return (Attempt<R>) Declined.INSTANCE;
  }

  /** The call is answered. */
  record Answered<R extends Message>(R response) implements Attempt<R> {}

  /**
   * The call is under way and will be answered by another thread, in any order with others. What
   * the stage fails with is told as if a handler had thrown it.
   *
   * @param response the response; whoever completes it encodes and hands over the response, which
   *     does not wait
   */
  record Later<R extends Message>(CompletionStage<R> response) implements Attempt<R> {}

  /**
   * A part is done, and the rest is for a handler: the call turned out to be longer than it seemed.
   *
   * @param rest what the handler does
   */
  record Begun<R extends Message>(Rest<R> rest) implements Attempt<R> {}

  /** What is left of a call: it is finished or dropped, on any thread, once. */
  interface Rest<R extends Message> {
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
  final class Declined implements Attempt<Message> {
    private static final Declined INSTANCE = new Declined();

    private Declined() {}
  }
}
