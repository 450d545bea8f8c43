package dev.cairn.server.rpc;

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

  /** Nothing has happened: a handler answers the call from the beginning. */
  final class Declined implements Attempt<Message> {
    private static final Declined INSTANCE = new Declined();

    private Declined() {}
  }
}
